/* not_finite.c  Finds the body that will stop the engine, since one of its numbers is not
 * finite. */
#include "not_finite.h"

#include "../engine/engine.h"

#include <math.h>

enum { QUANTITIES = 6 };

static const char *const quantityName[QUANTITIES] = {"position",         "orientation", "velocity",
                                                     "angular velocity", "force",       "torque"};

const char *ksiQuantityName(uint32_t quantity)
{
    return quantity < QUANTITIES ? quantityName[quantity] : "state";
}

/* The first quantity that is not finite; -1: all are finite. */
static int findQuantity(dBodyID body)
{
    const dReal *of[QUANTITIES] = {dBodyGetPosition(body),   dBodyGetQuaternion(body), dBodyGetLinearVel(body),
                                   dBodyGetAngularVel(body), dBodyGetForce(body),      dBodyGetTorque(body)};
    for (int i = 0; i < QUANTITIES; i++)
        for (int k = 0; k < (i == 1 ? 4 : 3); k++)
            if (!isfinite(of[i][k]))
                return i;
    return -1;
}

/* The newest bodies are first in the list, so a body's number is counted from the end. */
bool ksiFindNotFinite(const ksiEngine *engine, ksiNotFinite *out, dBodyID *body)
{
    uint32_t count = 0, place = 0, bad = 0;
    for (dBodyID b = ksiFirstBody(engine); b; b = ksiNextBody(b), count++) {
        const int quantity = dBodyIsEnabled(b) ? findQuantity(b) : -1;
        if (quantity < 0)
            continue;
        bad++;
        place = count;
        *body = b;
        out->quantity = (uint32_t)quantity;
    }
    if (bad == 0)
        return false;
    out->body = count - place;
    out->more = bad - 1;
    return true;
}
