/* support.h  Shared by the tests of the inspector. */
#ifndef TESTS_KITS_SUPPORT_H
#define TESTS_KITS_SUPPORT_H

#include "demos/scenes/scenes.h"
#include "tests/kits/numbers.h"
#include "tests/kits/suite.h"

#include <check.h>
#include <kinetostat/kinetostat.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One of two constants, by the precision of the engine. */
#define BY_PRECISION(ofDouble, ofSingle) (sizeof(dReal) == sizeof(double) ? (ofDouble) : (ofSingle))

/* of a value with a closed form in the engine's state, relative to the load: rounding of that
 * state */
#define STATE_ROUNDING BY_PRECISION(1e-12, 1e-6)

#define CHECK_OK(call) ck_assert_str_eq(ksStatusName(call), "KS_OK")
#define CHECK_STATUS(call, status) ck_assert_str_eq(ksStatusName(call), ksStatusName(status))

static inline ksInspectorOptions defaultOptions(void)
{
    ksInspectorOptions options;
    ksInspectorOptionsInit(&options);
    return options;
}

/* options NULL: the default ones */
static inline ksInspector *inspectWith(dWorldID world, const ksInspectorOptions *options)
{
    ksInspector *inspector = NULL;
    CHECK_OK(ksInspectorCreate(world, options, &inspector));
    return inspector;
}

static inline ksInspector *inspect(dWorldID world)
{
    return inspectWith(world, NULL);
}

/* Contacts among the unknowns of converged values. */
static inline ksInspector *inspectSolved(dWorldID world)
{
    ksInspectorOptions options = defaultOptions();
    options.contacts = KS_CONTACTS_SOLVED;
    return inspectWith(world, &options);
}

/* The sum of all contacts of a, or of those with b. about NULL: the mass centre of a */
static inline ksStatus sumContacts(ksInspector *inspector, dBodyID a, dBodyID b, ksValue value, const double *about,
                                   ksWrenchSum *sum)
{
    const ksWrenchTerm term = {.body = a, .other = b};
    return ksInspectorSumWrenches(inspector, &term, 1, value, about, sum);
}

/* The engine's own threading serves one thread at a time: a world that steps beside others needs
 * its own. Free it after the world. */
static inline dThreadingImplementationID giveThreading(dWorldID world)
{
    dThreadingImplementationID own = dThreadingAllocateSelfThreadedImplementation();
    dWorldSetStepThreadingImplementation(world, dThreadingImplementationGetFunctions(own), own);
    return own;
}

/* A world with gravity. */
static inline dWorldID heavyWorld(void)
{
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -SCENE_GRAVITY);
    return world;
}

static inline dBodyID addBall(dWorldID world, double mass, double radius, double x, double z)
{
    dBodyID ball = dBodyCreate(world);
    dMass m;
    dMassSetSphereTotal(&m, mass, radius);
    dBodySetMass(ball, &m);
    dBodySetPosition(ball, x, 0, z);
    return ball;
}

static inline dBodyID addBox(dWorldID world, double mass, const double size[3], double z)
{
    dBodyID box = dBodyCreate(world);
    dMass m;
    dMassSetBoxTotal(&m, mass, size[0], size[1], size[2]);
    dBodySetMass(box, &m);
    dBodySetPosition(box, 0, 0, z);
    return box;
}

static inline dJointID addContact(dWorldID world, dJointGroupID group, const dContact *contact, dBodyID a, dBodyID b)
{
    dJointID joint = dJointCreateContact(world, group, contact);
    dJointAttach(joint, a, b);
    return joint;
}

/* dWorldStep, as if another engine had made it. */
static inline ksStatus inspectedForeignStep(ksInspector *inspector, double h)
{
    const ksStatus begun = ksInspectorBeginStep(inspector, KS_FOREIGN_STEP, h);
    dWorldStep(ksInspectorGetWorld(inspector), h);
    const ksStatus ended = ksInspectorEndStep(inspector);
    return begun ? begun : ended;
}

/* The body becomes idle within a few steps, at any speed that it has here. */
static inline void fallIdle(dBodyID body)
{
    dBodySetAutoDisableLinearThreshold(body, 100);
    dBodySetAutoDisableAngularThreshold(body, 100);
    dBodySetAutoDisableSteps(body, 3);
    dBodySetAutoDisableTime(body, 0);
    dBodySetAutoDisableAverageSamplesCount(body, 1);
    dBodySetAutoDisableFlag(body, 1);
}

static inline ksStatus inspectedStep(ksInspector *inspector, ksStepper stepper, double h)
{
    return stepper == KS_WORLD_STEP   ? ksInspectorStep(inspector, h)
           : stepper == KS_QUICK_STEP ? ksInspectorQuickStep(inspector, h)
           : stepper == KS_EXACT_STEP ? ksInspectorExactStep(inspector, h)
                                      : inspectedForeignStep(inspector, h);
}

static inline double length3(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static inline void cross3(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static inline double distance3(const double a[3], const double b[3])
{
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return length3(d);
}

/* m: distance of the two anchors of a ball, hinge or universal joint. */
static inline double jointGap(dJointID joint)
{
    dVector3 first, second;
    switch (dJointGetType(joint)) {
    case dJointTypeBall:
        dJointGetBallAnchor(joint, first);
        dJointGetBallAnchor2(joint, second);
        break;
    case dJointTypeHinge:
        dJointGetHingeAnchor(joint, first);
        dJointGetHingeAnchor2(joint, second);
        break;
    default:
        ck_assert_int_eq(dJointGetType(joint), dJointTypeUniversal);
        dJointGetUniversalAnchor(joint, first);
        dJointGetUniversalAnchor2(joint, second);
    }
    return distance3((const double[3]){first[0], first[1], first[2]},
                     (const double[3]){second[0], second[1], second[2]});
}

#endif
