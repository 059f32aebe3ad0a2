/* guard.c  Verifies that the engine has the known private layout.
 *
 * The mangled name of a C++ function encodes its class, signature and precision. If a slot of a
 * virtual table holds the function with the expected name, this function has the assumed signature.
 * The names are weak symbols. If the engine hides its symbols, the names are all NULL, and the
 * self-test alone decides. If an engine exports getInfo1 under its expected name, but not getInfo2,
 * its getInfo2 has another signature and is never called. */
#include "layout.h"

#include <stdio.h>

/* getInfo2(dReal fps, dReal erp, int rowskip, dReal *J1, dReal *J2, int pairskip, dReal *rhscfm,
 * dReal *lohi, int *findex) */
#ifdef dDOUBLE
#define KSI_GET_INFO2 "8getInfo2EddiPdS0_iS0_S0_Pi"
#else
#define KSI_GET_INFO2 "8getInfo2EffiPfS0_iS0_S0_Pi"
#endif
#define KSI_CLASSES(X)                                                                                                 \
    X(Null, "11dxJointNull")                                                                                           \
    X(Ball, "11dxJointBall")                                                                                           \
    X(Hinge, "12dxJointHinge")                                                                                         \
    X(Slider, "13dxJointSlider")                                                                                       \
    X(Contact, "14dxJointContact")                                                                                     \
    X(Universal, "16dxJointUniversal")                                                                                 \
    X(Hinge2, "13dxJointHinge2")                                                                                       \
    X(Fixed, "12dxJointFixed")                                                                                         \
    X(AMotor, "13dxJointAMotor")                                                                                       \
    X(LMotor, "13dxJointLMotor")                                                                                       \
    X(Plane2D, "14dxJointPlane2D")                                                                                     \
    X(PR, "9dxJointPR")                                                                                                \
    X(PU, "9dxJointPU")                                                                                                \
    X(Piston, "13dxJointPiston")                                                                                       \
    X(DBall, "12dxJointDBall")                                                                                         \
    X(DHinge, "13dxJointDHinge")                                                                                       \
    X(Transmission, "19dxJointTransmission")

#define KSI_DECLARE(name, mangled)                                                                                     \
    extern void ksi##name##GetInfo1(void) __asm__("_ZN" mangled "8getInfo1EPN7dxJoint5Info1E") __attribute__((weak));  \
    extern void ksi##name##GetInfo2(void) __asm__("_ZN" mangled KSI_GET_INFO2) __attribute__((weak));
KSI_CLASSES(KSI_DECLARE)

ksiSymbols ksiEngineSymbols(int type)
{
    switch (type) {
#define KSI_CASE(name, mangled)                                                                                        \
    case dJointType##name:                                                                                             \
        return (ksiSymbols){ksi##name##GetInfo1, ksi##name##GetInfo2};
        KSI_CLASSES(KSI_CASE)
    default:
        return (ksiSymbols){NULL, NULL};
    }
}

const char *ksiClassName(int type)
{
    switch (type) {
#define KSI_NAME(name, mangled)                                                                                        \
    case dJointType##name:                                                                                             \
        return "dxJoint" #name;
        KSI_CLASSES(KSI_NAME)
    default:
        return "dxJoint";
    }
}

static _Thread_local char difference[64];

ksStatus ksiRefuse(const char *what, const char *ofClass)
{
    snprintf(difference, sizeof difference, "%s%s", what, ofClass);
    return KS_ERROR_UNSUPPORTED_ENGINE;
}

const char *ksiEngineDifference(void)
{
    return difference;
}

int ksiSlotsAgree(dJointID joint, const ksiSymbols *expected)
{
    if ((expected->getInfo1 || expected->getInfo2) && (expected->getInfo1 != ksiSlot(joint, KSI_SLOT_GET_INFO1) ||
                                                       expected->getInfo2 != ksiSlot(joint, KSI_SLOT_GET_INFO2)))
        return 0;
    // calls the functions in the other two slots only if getInfo1 and getInfo2 are proven, or have
    // no symbols
    return ksiSlotType(joint) == (int)dJointGetType(joint) && ksiSlotSize(joint) <= KSI_JOINT_BYTES;
}
