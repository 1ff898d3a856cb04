/* Blocks where it was built to: in a constructor, in PyInit_blocks, or in a function of its own. */
#define _GNU_SOURCE
#include <stddef.h>
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
__attribute__((constructor)) static void construct(void) { block(); }
#endif
