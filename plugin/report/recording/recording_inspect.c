/* recording_inspect.c  Inspects the steps of a recording while it is made. Like the judge, the
 * inspector inspects a world made from the records. */
#include "recording_inside.h"

#include "../../replay/replica.h"

#include <kinetostat/kinetostat.h>
#include <stdlib.h>

typedef struct Inspection {
    ksRecording *recording;
    ksiReplica *replica;
    dThreadingImplementationID threading; /* the threading of this world alone */
    ksInspector *inspector;               /* NULL: the host destroyed it */
    size_t named;                         /* number of joints with names in the inspector */
} Inspection;

/* --- A world without steps --- */

/* The engine makes no step if it gets no memory for the stepper. Before that, it requests memory
 * for its list of islands, which takeBlock must grant, since the engine does not check the result.
 * The factor enlarges the block of the stepper, so that takeBlock knows the block by its size. */
static const float stepperFactor = 1e9f;
static const size_t mostListed = (size_t)1 << 36;

static void *takeBlock(dsizeint size)
{
    return size > mostListed ? NULL : malloc(size);
}

/* Lets the list of islands keep its block. */
static void *keepBlock(void *block, dsizeint size, dsizeint smaller)
{
    (void)size, (void)smaller;
    return block;
}

static void freeBlock(void *block, dsizeint size)
{
    (void)size;
    free(block);
}

static bool forbidSteps(dWorldID world)
{
    static const dWorldStepReserveInfo reserve = {sizeof reserve, stepperFactor, 1024};
    static const dWorldStepMemoryFunctionsInfo memory = {sizeof memory, takeBlock, keepBlock, freeBlock};
    return dWorldSetStepMemoryReservationPolicy(world, &reserve) && dWorldSetStepMemoryManager(world, &memory);
}

/* The world has its own threading. The engine's default threading exists only if the host
 * initialised it, and a step uses its threading before it requests memory. */
static ksStatus setWorld(const Inspection *inspection, const ksiStepRecord *record)
{
    const ksStatus status = ksiReplicaBegin(inspection->replica, record);
    ksiSetThreading(ksiReplicaWorld(inspection->replica), dThreadingImplementationGetFunctions(inspection->threading),
                    inspection->threading);
    return status;
}

/* --- Inspection of each step --- */

/* Refuses a call if the inspector's bracket is open: in its callbacks, or if the host opened it. */
static ksStatus admit(void *user)
{
    const Inspection *inspection = user;
    const ksStatus status = inspection->inspector ? ksInspectorFlush(inspection->inspector) : KS_OK;
    if (status == KS_ERROR_REENTRY)
        return EXPLAIN(status, "called from a callback of the recording's inspector");
    return status ? EXPLAIN(status, "the recording's inspector: %s", ksErrorMessage()) : KS_OK;
}

static dJointID jointOf(const Inspection *inspection, size_t index)
{
    return ksiReplicaJointId(inspection->replica, inspection->recording->world.jointCount - 1 - index);
}

/* Gives the file's names, unchanged, to the inspector. */
static ksStatus nameJoints(Inspection *inspection)
{
    const ksiForeign *world = &inspection->recording->world;
    ksStatus status = KS_OK;
    for (; inspection->inspector && inspection->named < world->jointCount; inspection->named++) {
        const char *name = world->joint[inspection->named].name;
        if (name[0])
            status = ksInspectorSetName(inspection->inspector, jointOf(inspection, inspection->named), name);
        if (status)
            return status;
    }
    return KS_OK;
}

static ksStatus show(void *user, const ksiStepRecord *record)
{
    const ksStatus status = setWorld(user, record);
    return status ? status : nameJoints(user);
}

/* Without memory, or with numbers that are not finite, the bracket opens all the same, and the
 * step's end returns the error. */
static ksStatus begin(void *user, const ksiStepRecord *record)
{
    const Inspection *inspection = user;
    ksStatus status = inspection->inspector ? setWorld(inspection, record) : KS_OK;
    if (status || !inspection->inspector)
        return status;
    status = ksInspectorBeginStep(inspection->inspector, KS_FOREIGN_STEP, record->h);
    if (!status || status == KS_ERROR_NO_MEMORY || status == KS_ERROR_NOT_FINITE)
        return KS_OK;
    return EXPLAIN(status, "%s", ksErrorMessage());
}

static ksStatus end(void *user, const ksiStepRecord *record)
{
    const Inspection *inspection = user;
    if (!inspection->inspector)
        return KS_OK;
    ksiReplicaEnd(inspection->replica, record);
    return ksInspectorEndStep(inspection->inspector);
}

static void destroy(void *user)
{
    Inspection *inspection = user;
    ksInspectorDestroy(inspection->inspector);
    ksiReplicaDestroy(inspection->replica);
    if (inspection->threading)
        dThreadingFreeImplementation(inspection->threading);
    free(inspection);
}

/* --- The inspector --- */

static void onDestroy(void *user)
{
    Inspection *inspection = user;
    inspection->inspector = NULL;
    inspection->recording->isLost = inspection->recording->isOpen;
}

static ksStatus makeWorld(ksRecording *recording)
{
    static const ksiWitness witness = {admit, show, begin, end, destroy};
    Inspection *made = calloc(1, sizeof *made);
    if (!made)
        return KS_ERROR_NO_MEMORY;
    made->recording = recording;
    made->threading = dThreadingAllocateSelfThreadedImplementation();
    ksStatus status = made->threading ? ksiReplicaCreate(&made->replica) : KS_ERROR_NO_MEMORY;
    if (!status && !forbidSteps(ksiReplicaWorld(made->replica)))
        status = KS_ERROR_NO_MEMORY;
    if (status) {
        destroy(made);
        return status;
    }
    recording->witness = &witness;
    recording->user = made;
    return KS_OK;
}

static ksStatus observe(Inspection *inspection, const ksInspectorOptions *options)
{
    ksStatus status = setWorld(inspection, ksiForeignBegin(&inspection->recording->world, 0, NULL, NULL));
    if (!status)
        status = ksInspectorCreate(ksiReplicaWorld(inspection->replica), options, &inspection->inspector);
    if (status)
        return EXPLAIN(status, "%s", ksErrorMessage());
    inspection->named = 0;
    status = nameJoints(inspection);
    if (!status)
        status = ksInspectorOnDestroy(inspection->inspector, onDestroy, inspection);
    if (status) {
        ksInspectorDestroy(inspection->inspector);
        inspection->inspector = NULL;
    }
    return status;
}

static ksStatus inspect(ksRecording *recording, const ksInspectorOptions *options, ksInspector **inspector)
{
    ksStatus status = ksiAdmitRecording(recording, false);
    if (status)
        return status;
    REQUIRE_POINTER(inspector);
    if (!recording->witness)
        status = makeWorld(recording);
    if (status)
        return status;
    Inspection *inspection = recording->user;
    REQUIRE(!inspection->inspector || !options, "the recording has an inspector: options must be NULL");
    if (!inspection->inspector)
        status = observe(inspection, options);
    if (!status)
        *inspector = inspection->inspector;
    return status;
}

ksStatus ksRecordingInspect(ksRecording *recording, const ksInspectorOptions *options, ksInspector **inspector)
{
    ANSWER(inspect(recording, options, inspector));
}

dBodyID ksRecordingGetBody(const ksRecording *recording, int index)
{
    const size_t count = recording && recording->witness ? recording->world.bodyCount : 0;
    if (index < 0 || (size_t)index >= count)
        return NULL;
    return ksiReplicaBody(((const Inspection *)recording->user)->replica, count - 1 - (size_t)index);
}

dJointID ksRecordingGetJoint(const ksRecording *recording, int index)
{
    const size_t count = recording && recording->witness ? recording->world.jointCount : 0;
    return index < 0 || (size_t)index >= count ? NULL : jointOf(recording->user, (size_t)index);
}
