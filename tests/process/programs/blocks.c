/* Blocks where it was built to: in a constructor, in PyInit_blocks, or in a function of its own. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

void block(void) {
    for (;;)
        pause();
}

/* The parent stays in state D until its child, which never starts a program, is ended. */
void block_in_vfork(void) {
    if (vfork() == 0) {
        pause();
        _exit(0);
    }
}

void *PyInit_blocks(void) {
    block();
    return NULL;
}

#ifdef IN_CONSTRUCTOR
/* With a variable's name: only in a process that has the variable, for LD_PRELOAD. */
__attribute__((constructor)) static void construct(void) {
    if (IN_CONSTRUCTOR[0] == 0 || getenv(IN_CONSTRUCTOR))
        block();
}
#endif
