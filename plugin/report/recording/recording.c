/* recording.c  Passes steps of another engine to an archive, an inspector, or both.
 *
 * Bodies and joints are kept in a world of our own, which never steps: the host's states are put into it, and a recorder writes it down as
 * it does any world. So a joint's numbers are those that ODE makes of its anchors and axes. Whoever judges the record makes this world again;
 * an inspector of the world itself sees the same. */
#define _GNU_SOURCE
#include <kinetostat/recording.h>

#include "../collect/measure.h"
#include "recording_inside.h"

#include "../../base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert((int)KS_JOINT_BALL == dJointTypeBall && (int)KS_JOINT_HINGE == dJointTypeHinge &&
                   (int)KS_JOINT_SLIDER == dJointTypeSlider && (int)KS_JOINT_UNIVERSAL == dJointTypeUniversal &&
                   (int)KS_JOINT_HINGE2 == dJointTypeHinge2 && (int)KS_JOINT_FIXED == dJointTypeFixed &&
                   (int)KS_JOINT_PR == dJointTypePR && (int)KS_JOINT_PU == dJointTypePU &&
                   (int)KS_JOINT_PISTON == dJointTypePiston && (int)KS_JOINT_DBALL == dJointTypeDBall &&
                   (int)KS_JOINT_DHINGE == dJointTypeDHinge,
               "numbers of the engine");

/* --- The file --- */

void ksRecordingOptionsInit(ksRecordingOptions *options)
{
    if (options)
        *options = (ksRecordingOptions){.size = sizeof *options, .compression = 1};
}

static void destroy(ksRecording *recording)
{
    ksiRecorderDestroy(recording->recorder);
    if (recording->world)
        dWorldDestroy(recording->world);
    if (recording->threading)
        dThreadingFreeImplementation(recording->threading);
    ksiFree(&ksiLibraryAllocator, recording->body);
    ksiFree(&ksiLibraryAllocator, recording->joint);
    free(recording);
}

static void abandon(void *file)
{
    ksiArchiveAbandon(file);
}

ksStatus ksiFailRecording(ksRecording *recording)
{
    recording->isBroken = true;
    return EXPLAIN(KS_ERROR_FILE, "%s", recording->words);
}

static ksStatus openFile(ksRecording *made, const char *path, int compression)
{
    ksiRun run = {.argumentCount = 0};
    const ksStatus status = ksiArchiveCreate(path, compression, made->words, &made->archive);
    if (status)
        return made->words[0] ? EXPLAIN(status, "%s", made->words) : status;
    snprintf(run.program, sizeof run.program, "%s", program_invocation_name);
    snprintf(run.built, sizeof run.built, "%s", dGetConfiguration());
    (void)ksiRunTakeEnvironment(&run, environ);
    return ksiArchiveBegin(made->archive, &run, NULL) ? KS_OK : ksiFailRecording(made);
}

/* Nobody steps this world: the engine refuses for want of memory. It asks for what lists the islands first, and takes for granted that
 * this is there; what a stepper needs it asks for in so much larger a size that it can be told apart. */
static const float stepperFactor = 1e9f;
static const size_t mostListed = (size_t)1 << 36;

static void *takeBlock(dsizeint size)
{
    return size > mostListed ? NULL : malloc(size);
}

/* Of what lists nothing is given back. */
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

/* With threading of its own: the engine's is there only where the host has initialised it, and is asked for before any memory. */
static bool forbidSteps(ksRecording *made)
{
    static const dWorldStepReserveInfo reserve = {sizeof reserve, stepperFactor, 1024};
    static const dWorldStepMemoryFunctionsInfo memory = {sizeof memory, takeBlock, keepBlock, freeBlock};
    made->threading = dThreadingAllocateSelfThreadedImplementation();
    if (!made->threading)
        return false;
    dWorldSetStepThreadingImplementation(made->world, dThreadingImplementationGetFunctions(made->threading),
                                         made->threading);
    return dWorldSetStepMemoryReservationPolicy(made->world, &reserve) &&
           dWorldSetStepMemoryManager(made->world, &memory);
}

static ksStatus open(ksRecording *made, const char *path, const ksRecordingOptions *options)
{
    made->world = ksiMakeOwnWorld();
    if (!made->world || !forbidSteps(made))
        return KS_ERROR_NO_MEMORY;
    dWorldSetGravity(made->world, options->gravity[0], options->gravity[1], options->gravity[2]);
    const ksStatus status = ksiRecorderCreate(made->world, 1, KSI_FEEDBACK_OURS, &made->recorder);
    return status || !path ? status : openFile(made, path, options->compression);
}

static ksStatus create(const char *path, const ksRecordingOptions *options, ksRecording **recording)
{
    ksRecordingOptions usual;
    REQUIRE_POINTER(recording);
    ksRecordingOptionsInit(&usual);
    options = options ? options : &usual;
    REQUIRE(options->size == sizeof *options, "options->size is %zu, must be %zu: call ksRecordingOptionsInit",
            options->size, sizeof *options);
    REQUIRE(options->compression >= 0 && options->compression <= 9, "options->compression is %d, must be from 0 to 9",
            options->compression);
    if (!ksiAreFinite(options->gravity, 3))
        return EXPLAIN(KS_ERROR_NOT_FINITE, "options->gravity is not finite");
    ksRecording *made = calloc(1, sizeof *made);
    const ksStatus status = made ? open(made, path, options) : KS_ERROR_NO_MEMORY;
    if (status && made) {
        (void)ksiArchiveClose(made->archive);
        destroy(made);
    }
    if (status)
        return status;
    if (made->archive)
        ksiAddWriter(&made->writer, abandon, made->archive);
    *recording = made;
    return KS_OK;
}

ksStatus ksRecordingCreate(const char *path, const ksRecordingOptions *options, ksRecording **recording)
{
    ANSWER(create(path, options, recording));
}

/* --- Who may call --- */

static bool isOfParent(const ksRecording *recording)
{
    return recording->archive && !ksiIsOwnWriter(&recording->writer);
}

/* Can anything be written? */
static ksStatus admitAny(const ksRecording *recording)
{
    REQUIRE_POINTER(recording);
    if (isOfParent(recording))
        return EXPLAIN(KS_ERROR_FILE, "the file is that of the process that this one was forked from");
    return recording->isBroken ? EXPLAIN(KS_ERROR_FILE, "%s", recording->words) : KS_OK;
}

/* Between steps the inspector's bracket is closed, unless one of its callbacks calls, or the host has opened it. */
static ksStatus admitBetween(const ksRecording *recording)
{
    const ksStatus status = recording->observer ? ksInspectorFlush(recording->observer) : KS_OK;
    if (status == KS_ERROR_REENTRY)
        return EXPLAIN(status, "called from a callback of the recording's inspector");
    return status ? EXPLAIN(status, "the recording's inspector: %s", ksErrorMessage()) : KS_OK;
}

/* A call that is made in a step, or outside one. */
ksStatus ksiAdmitRecording(const ksRecording *recording, bool isOpen)
{
    const ksStatus status = admitAny(recording);
    if (status)
        return status;
    if (recording->isOpen != isOpen)
        return EXPLAIN(KS_ERROR_BRACKET, isOpen ? "no step was begun" : "a step was begun and not ended");
    return isOpen ? KS_OK : admitBetween(recording);
}

/* --- Bodies --- */

void ksiSetRecordedState(dBodyID body, const ksRecordedState *state)
{
    const double *x = state->position, *v = state->velocity, *w = state->angularVelocity;
    dQuaternion q;
    ksiPutNumbers(state->quaternion, q, 4);
    dBodySetPosition(body, x[0], x[1], x[2]);
    dBodySetQuaternion(body, q);
    dBodySetLinearVel(body, v[0], v[1], v[2]);
    dBodySetAngularVel(body, w[0], w[1], w[2]);
}

static ksStatus addBody(ksRecording *recording, const ksRecordedBody *body, int *index)
{
    ksStatus status = ksiAdmitRecording(recording, false);
    if (status)
        return status;
    REQUIRE_POINTER(body);
    status = ksiCheckBody(body, recording->bodyCount);
    if (!status)
        status = ksiReserve(&ksiLibraryAllocator, &recording->body, &recording->bodyCapacity, recording->bodyCount + 1,
                            sizeof *recording->body);
    const dBodyID made = status ? NULL : dBodyCreate(recording->world);
    if (!made)
        return status ? status : KS_ERROR_NO_MEMORY;
    const double *I = body->inertia;
    if (!body->isDriven) {
        dMass mass;
        dMassSetParameters(&mass, body->mass, 0, 0, 0, I[0], I[4], I[8], I[1], I[2], I[5]);
        dBodySetMass(made, &mass);
    }
    if (body->isDriven)
        dBodySetKinematic(made);
    dBodySetGyroscopicMode(made, !body->lacksGyroscopic);
    ksiSetRecordedState(made, &body->state);
    if (index)
        *index = (int)recording->bodyCount;
    recording->body[recording->bodyCount++] = made;
    return KS_OK;
}

ksStatus ksRecordingAddBody(ksRecording *recording, const ksRecordedBody *body, int *index)
{
    ANSWER(addBody(recording, body, index));
}

/* --- Joints --- */

static ksStatus checkJoint(const ksRecording *recording, const ksRecordedJoint *joint)
{
    const ksStatus status = ksiCheckJoint(joint, recording->bodyCount);
    for (size_t i = 0; !status && i < recording->jointCount; i++)
        REQUIRE(!ksiIsAlike(joint, &recording->joint[i].as), "joint %zu was described so already", i);
    return status;
}

/* The engine keeps the length of some axes, as a factor. */
static void takeUnit(const double axis[3], double unit[3])
{
    const double length = ksiLength(axis);
    for (int k = 0; k < 3; k++)
        unit[k] = length > 0 ? axis[k] / length : axis[k];
}

static dJointID makeJoint(const ksRecording *recording, const ksRecordedJoint *joint)
{
    ksiJointPose pose;
    const dBodyID second = joint->body[1] < 0 ? NULL : recording->body[joint->body[1]];
    memcpy(pose.point, joint->anchor[0], sizeof pose.point);
    memcpy(pose.second, joint->anchor[1], sizeof pose.second);
    takeUnit(joint->axis[0], pose.x);
    takeUnit(joint->axis[1], pose.y);
    takeUnit(joint->axis[2], pose.z);
    return ksiCreateJoint(recording->world, (int)joint->type, recording->body[joint->body[0]], second, &pose);
}

/* In the file, and for the inspector: the same bytes. */
static ksStatus nameJoint(const ksRecording *recording, const ksiDescribed *joint)
{
    if (!joint->name[0])
        return KS_OK;
    const ksStatus status = ksiRecorderName(recording->recorder, joint->id, joint->name);
    return status || !recording->observer ? status : ksInspectorSetName(recording->observer, joint->id, joint->name);
}

static ksStatus addJoint(ksRecording *recording, const ksRecordedJoint *joint, int *index)
{
    ksStatus status = ksiAdmitRecording(recording, false);
    if (status)
        return status;
    REQUIRE_POINTER(joint);
    status = checkJoint(recording, joint);
    if (!status)
        status = ksiReserve(&ksiLibraryAllocator, &recording->joint, &recording->jointCapacity,
                            recording->jointCount + 1, sizeof *recording->joint);
    if (status)
        return status;
    ksiDescribed *made = &recording->joint[recording->jointCount];
    *made = (ksiDescribed){.id = makeJoint(recording, joint), .as = *joint};
    if (!made->id)
        return KS_ERROR_NO_MEMORY;
    made->as.name = NULL;
    snprintf(made->name, sizeof made->name, "%s", joint->name ? joint->name : "");
    status = nameJoint(recording, made);
    if (status) {
        (void)!ksiRecorderName(recording->recorder, made->id, NULL);
        dJointDestroy(made->id);
        return status;
    }
    if (index)
        *index = (int)recording->jointCount;
    recording->jointCount++;
    return KS_OK;
}

ksStatus ksRecordingAddJoint(ksRecording *recording, const ksRecordedJoint *joint, int *index)
{
    ANSWER(addJoint(recording, joint, index));
}

static ksStatus flush(ksRecording *recording)
{
    const ksStatus status = admitAny(recording);
    if (status)
        return status;
    return !recording->archive || ksiArchiveFlush(recording->archive) ? KS_OK : ksiFailRecording(recording);
}

ksStatus ksRecordingFlush(ksRecording *recording)
{
    ANSWER(flush(recording));
}

static ksStatus closeFile(ksRecording *recording)
{
    const ksiStepRecord end = ksiEndRecord(1, recording->steps);
    ksStatus status = recording->isBroken ? KS_ERROR_FILE : KS_OK;
    if (!status && recording->steps > 0)
        status = ksiArchiveAppend(recording->archive, 0, program_invocation_short_name, &end);
    ksiRemoveWriter(&recording->writer);
    return ksiArchiveClose(recording->archive) && !status ? KS_OK : EXPLAIN(KS_ERROR_FILE, "%s", recording->words);
}

static ksStatus closeRecording(ksRecording *recording)
{
    const ksStatus status = recording->archive ? closeFile(recording) : KS_OK;
    destroy(recording);
    return status;
}

ksStatus ksRecordingClose(ksRecording *recording)
{
    // of a child nothing reaches the file, and it keeps the memory
    if (!recording || isOfParent(recording))
        return KS_OK;
    if (recording->observer && ksInspectorFlush(recording->observer) == KS_ERROR_REENTRY)
        return ksErrorSet(KS_ERROR_REENTRY, __func__, "called from a callback of the recording's inspector");
    ksInspectorDestroy(recording->observer);
    ANSWER(closeRecording(recording));
}

/* --- The inspector --- */

/* Of a step that was begun its feedback is gone: such a step need not be ended. */
static void onDestroy(void *user)
{
    ksRecording *recording = (ksRecording *)(void *)((char *)user - offsetof(ksRecording, observer));
    recording->observer = NULL;
    if (recording->isOpen && recording->archive && !recording->lost)
        ksiRecorderSkip(recording->recorder, recording->stepSize);
    recording->lost = KS_ERROR_ENDED;
    ksiRecorderSetOwner(recording->recorder, KSI_FEEDBACK_OURS);
}

static ksStatus observe(ksRecording *recording, const ksInspectorOptions *options)
{
    ksStatus status = ksInspectorCreate(recording->world, options, &recording->observer);
    if (status)
        return EXPLAIN(status, "%s", ksErrorMessage());
    for (size_t i = 0; i < recording->jointCount && !status; i++)
        status = nameJoint(recording, &recording->joint[i]);
    if (!status)
        status = ksInspectorOnDestroy(recording->observer, onDestroy, &recording->observer);
    if (status) {
        ksInspectorDestroy(recording->observer);
        recording->observer = NULL;
        return status;
    }
    ksiRecorderSetOwner(recording->recorder, KSI_FEEDBACK_INSPECTORS);
    return KS_OK;
}

static ksStatus inspect(ksRecording *recording, const ksInspectorOptions *options, ksInspector **inspector)
{
    ksStatus status = ksiAdmitRecording(recording, false);
    if (status)
        return status;
    REQUIRE_POINTER(inspector);
    REQUIRE(!recording->observer || !options, "the inspector is there: options must be NULL");
    if (!recording->observer)
        status = observe(recording, options);
    if (!status)
        *inspector = recording->observer;
    return status;
}

ksStatus ksRecordingInspect(ksRecording *recording, const ksInspectorOptions *options, ksInspector **inspector)
{
    ANSWER(inspect(recording, options, inspector));
}

dBodyID ksRecordingGetBody(const ksRecording *recording, int index)
{
    return recording && index >= 0 && (size_t)index < recording->bodyCount ? recording->body[index] : NULL;
}

dJointID ksRecordingGetJoint(const ksRecording *recording, int index)
{
    return recording && index >= 0 && (size_t)index < recording->jointCount ? recording->joint[index].id : NULL;
}
