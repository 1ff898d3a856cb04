/* A module that ends its process while it is imported. */
#include <Python.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((noinline)) static int touch(volatile int *address) { return *address; }

__attribute__((noinline)) static int overflow(volatile int depth) {
    volatile char room[4096];
    room[0] = (char)depth;
    return overflow(depth + 1) + room[0];
}

static int perish(PyObject *module) {
    const char *how = getenv("HOW");
    if (how == NULL) return 0;
    if (strcmp(how, "fault") == 0) return touch((int *)16);
    if (strcmp(how, "overflow") == 0) return overflow(0);
    if (strcmp(how, "exit") == 0) exit(0);
    if (strcmp(how, "abort") == 0) {
        fprintf(stderr, "perishes: too many of them\n");
        abort();
    }
    return 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)perish}, {0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "perishes", NULL, 0, NULL, slots,
                                        NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_perishes(void) { return PyModuleDef_Init(&definition); }
