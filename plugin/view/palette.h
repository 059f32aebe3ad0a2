/* palette.h  Colours: those of the HTML reports. */
#ifndef KSI_VIEW_PALETTE_H
#define KSI_VIEW_PALETTE_H

#include "picture.h"

#include <kinetostat/reaction.h>

enum {
    KSI_INK = 0x1b1f24,
    KSI_FAINT = 0x5b6570,
    KSI_PAPER = 0xffffff,
    KSI_SELF_STRESS = 0x7b3fa0,
    KSI_CONTACT = 0x7a7a00,
    KSI_CHOSEN = 0x1b1f24
};

static inline ksiColour ksiValueColour(ksValue value)
{
    return value == KS_ENGINE ? 0xd55e00 : value == KS_CONVERGED ? 0x0072b2 : 0x00845f;
}

/* Of a part of a wrench that mechanics does not determine: another value would balance as well. */
static inline ksiColour ksiPale(ksiColour colour)
{
    const unsigned part = 3, whole = 5; /* of the way to white */
    ksiColour pale = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        const ksiColour share = colour >> shift & 0xff;
        pale |= (share + (0xff - share) * part / whole) << shift;
    }
    return pale;
}

static inline ksiColour ksiWrenchColour(ksValue value, bool isUnique)
{
    // the engine has one value, whatever mechanics says
    return isUnique || value == KS_ENGINE ? ksiValueColour(value) : ksiPale(ksiValueColour(value));
}

static inline ksiColour ksiVerdictColour(ksVerdict verdict)
{
    static const ksiColour colour[] = {0x59636e, 0x9aa4ae, 0xcc3d8f, 0xe69f00, 0x56b4e9, 0x009e73};
    return (unsigned)verdict < sizeof colour / sizeof *colour ? colour[verdict] : colour[0];
}

#endif
