// interrupt.h - Ctrl-C and SIGTERM end a long command in good order; a second one ends the program.
//
// Flow: interrupt_begin -> interrupt_caught, now and then, from any thread -> interrupt_end.
#pragma once

#include <signal.h>

enum { N_INTERRUPTS = 2 };

// What was done about the signals before.
typedef struct {
    struct sigaction before[N_INTERRUPTS];
} Interrupt;

void interrupt_begin(Interrupt *interrupt);
int interrupt_caught(void); // the signal that asked for an end, 0 = none
void interrupt_end(const Interrupt *interrupt);
