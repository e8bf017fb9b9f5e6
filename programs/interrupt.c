// interrupt.c - Ctrl-C and SIGTERM, noted for whoever asks.
#include "interrupt.h"

#include <stdatomic.h>
#include <string.h>

static atomic_int caught; // lock-free, so any thread and the handler may touch it

static const int signals[N_INTERRUPTS] = {SIGINT, SIGTERM};

static void note_signal(int number) {
    caught = number;
}

void interrupt_begin(Interrupt *interrupt) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = note_signal;
    action.sa_flags = (int)(SA_RESETHAND | SA_RESTART);
    sigemptyset(&action.sa_mask);
    caught = 0;
    for (int i = 0; i < N_INTERRUPTS; i++) sigaction(signals[i], &action, &interrupt->before[i]);
}

int interrupt_caught(void) {
    return caught;
}

void interrupt_end(const Interrupt *interrupt) {
    for (int i = 0; i < N_INTERRUPTS; i++) sigaction(signals[i], &interrupt->before[i], NULL);
}
