/* not_finite.h  The body whose number will stop the engine, since it is not finite. */
#ifndef KSI_REPLAY_NOT_FINITE_H
#define KSI_REPLAY_NOT_FINITE_H

#include <ode/ode.h>
#include <stdbool.h>
#include <stdint.h>

struct ksiEngine;

typedef struct ksiNotFinite {
    uint32_t world, body; /* numbers in the process and in the world, from 1; body 0: none */
    uint32_t more;        /* further bodies */
    uint32_t quantity;    /* of the body: ksiQuantityName */
    uint64_t step;        /* of the world: the step that begins, or is in progress */
    double time;          /* s, of that step's begin */
} ksiNotFinite;

/* The oldest body that moves and is not finite; false: there is none. It counts the bodies that
 * there are, in order of creation, for the number of the body. The host's floating-point flags stay
 * as they are. */
bool ksiFindNotFinite(const struct ksiEngine *engine, ksiNotFinite *out, dBodyID *body);

/* "force"; any number is fine. */
const char *ksiQuantityName(uint32_t quantity);

#endif
