/* not_finite.h  Finds the body that will stop the engine, since one of its numbers is not
 * finite. */
#ifndef KSI_REPLAY_NOT_FINITE_H
#define KSI_REPLAY_NOT_FINITE_H

#include <ode/ode.h>
#include <stdbool.h>
#include <stdint.h>

struct ksiEngine;

typedef struct ksiNotFinite {
    uint32_t world, body; /* number of the world in the process, and number of the body in the
                             world, both from 1; body 0: no body */
    uint32_t more;        /* number of further bodies that are not finite */
    uint32_t quantity;    /* the quantity of the body that is not finite: ksiQuantityName */
    uint64_t step;        /* number of the world's step that begins or is in progress */
    double time;          /* s: the world's time at the start of that step */
} ksiNotFinite;

/* Finds the oldest enabled body that is not finite, and sets body, more and quantity. The body's
 * number counts the existing bodies in order of creation. Returns false if there is no such body.
 * The host's floating-point flags stay as they are. */
bool ksiFindNotFinite(const struct ksiEngine *engine, ksiNotFinite *out, dBodyID *body);

/* A word such as "force"; any number is allowed. */
const char *ksiQuantityName(uint32_t quantity);

#endif
