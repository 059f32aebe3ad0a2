/* record.c  The fields of a record, and checks that it can be replayed. */
#include "record.h"

#include "geoms.h"

#include "../engine/layout.h"

#include <math.h>
#include <string.h>

_Static_assert(sizeof(double) == 8 && sizeof(uint64_t) == 8, "all members of a record are words");

/* --- Fields --- */

#define WORDS(part, member) sizeof(((part *)0)->member) / 8, offsetof(part, member), sizeof(((part *)0)->member)
#define FIELD(kind, part, member, name, unit, low, high)                                                               \
    {                                                                                                                  \
        name, unit, kind, WORDS(part, member), low, high, 0, 0, KSI_NO_PROOF, 0                                        \
    }
#define INTEGER(part, member, name, low, high) FIELD(KSI_INTEGER, part, member, name, "1", low, high)
#define NUMBER(part, member, name, unit) FIELD(KSI_ANY_REAL, part, member, name, unit, 0, 0)
#define MOST (INT64_C(1) << 53) /* largest count: a double can hold all whole numbers up to it */
/* The largest number of a body, or of a joint within its type. The numbers of later objects must
 * also fit an int. */
#define LAST_OF (INT64_C(1) << 30)

#define S(kind, member, name, ...) kind(ksiStepRecord, member, name, __VA_ARGS__)
static const ksiField step[] = {
    S(INTEGER, bytes, "bytes", sizeof(ksiStepRecord), MOST),
    S(INTEGER, world, "world", 1, INT32_MAX),
    S(INTEGER, stepper, "stepper", KS_WORLD_STEP, KS_FOREIGN_STEP),
    S(INTEGER, step, "step", 0, MOST),
    FIELD(KSI_REAL, ksiStepRecord, time, "time", "s", 0, 0),
    FIELD(KSI_REAL, ksiStepRecord, h, "step_size", "s", 0, 0),
    S(NUMBER, gravity, "gravity", "m/s2"),
    S(NUMBER, erp, "erp", "1"),
    S(NUMBER, cfm, "cfm", "CFM"),
    S(NUMBER, contactSpeed, "contact_max_correcting_velocity", "m/s"),
    S(NUMBER, contactDepth, "contact_surface_layer", "m"),
    S(NUMBER, overRelaxation, "quick_step_w", "1"),
    S(INTEGER, iterations, "quick_step_iterations", INT32_MIN, INT32_MAX),
    S(INTEGER, threads, "threads", 0, INT32_MAX),
    S(INTEGER, seed, "random_seed", 0, UINT32_MAX),
    S(INTEGER, bodyCount, "bodies", 0, INT32_MAX),
    S(INTEGER, jointCount, "joints", 0, INT32_MAX),
    S(INTEGER, isStepped, "is_stepped", 0, 1),
    S(INTEGER, isExtra, "is_extra", 0, 1),
    S(NUMBER, seconds, "wall_time", "s"),
    S(INTEGER, geomCount, "geoms", 0, KSI_MOST_GEOMS),
    S(INTEGER, nameCount, "names", 0, INT32_MAX),
};

#define STATE(part, base)                                                                                              \
    INTEGER(part, base flags, "flags", 0, KSI_BODY_FLAGS), INTEGER(part, base mark, "mark", INT32_MIN, INT32_MAX),     \
        NUMBER(part, base centre, "position", "m"), NUMBER(part, base rotation, "rotation", "1"),                      \
        NUMBER(part, base quaternion, "quaternion", "1"), NUMBER(part, base velocity, "velocity", "m/s"),              \
        NUMBER(part, base spin, "angular_velocity", "rad/s")
#define B(kind, member, name, ...) kind(ksiBodyRecord, member, name, __VA_ARGS__)
static const ksiField body[] = {
    B(INTEGER, identity, "identity", 1, INT64_MAX),
    B(INTEGER, number, "number", 1, LAST_OF),
    B(INTEGER, first, "first_joint", -1, MOST),
    STATE(ksiBodyRecord, copy.state.),
    B(NUMBER, copy.mass, "mass", "kg"),
    B(NUMBER, copy.massCentre, "mass_centre", "m"),
    B(NUMBER, copy.inertia, "inertia", "kg.m2"),
    B(NUMBER, copy.inverseMass, "inverse_mass", "1/kg"),
    B(NUMBER, copy.inverse, "inverse_inertia", "1/(kg.m2)"),
    B(NUMBER, copy.force, "force", "N"),
    B(NUMBER, copy.torque, "torque", "N.m"),
    B(NUMBER, copy.finiteAxis, "finite_rotation_axis", "1"),
    B(NUMBER, copy.linearDamping, "linear_damping", "1"),
    B(NUMBER, copy.angularDamping, "angular_damping", "1"),
    B(NUMBER, copy.linearThreshold, "linear_damping_threshold", "m/s"),
    B(NUMBER, copy.angularThreshold, "angular_damping_threshold", "rad/s"),
    B(NUMBER, copy.maxAngularSpeed, "max_angular_speed", "rad/s"),
};

#define J(member, name, low, high) INTEGER(ksiJointRecord, member, name, low, high)
static const ksiField joint[] = {
    J(identity, "identity", 1, INT64_MAX),
    J(number, "number", 1, LAST_OF),
    J(ordinal, "ordinal", 0, MOST),
    J(type, "type", 0, INT32_MAX),
    J(body, "bodies", -1, INT32_MAX),
    J(next, "next_joint", -1, MOST),
    J(words, "words", 0, 1 << 10),
    J(state.flags, "flags", 0, KSI_JOINT_FLAGS),
    J(state.mark, "mark", INT32_MIN, INT32_MAX),
};

static const ksiField geom[] = {
    INTEGER(ksiGeomRecord, kind, "class", 0, INT32_MAX),
    INTEGER(ksiGeomRecord, body, "body", -1, INT32_MAX),
    FIELD(KSI_REAL, ksiGeomRecord, size, "size", "m", 0, 0),
    FIELD(KSI_REAL, ksiGeomRecord, place, "position", "m", 0, 0),
    FIELD(KSI_REAL, ksiGeomRecord, rotation, "rotation", "1", 0, 0),
};

static const ksiField name[] = {
    INTEGER(ksiNameRecord, joint, "joint", 0, INT32_MAX),
    FIELD(KSI_TEXT, ksiNameRecord, name, "name", "1", 0, 0),
};

static const ksiField bodyResult[] = {
    INTEGER(ksiBodyResult, isAlive, "is_alive", 0, 1),
    STATE(ksiBodyResult, state.),
};

#define R(member, name, unit) NUMBER(ksiJointResult, member, name, unit)
static const ksiField jointResult[] = {
    INTEGER(ksiJointResult, isAlive, "is_alive", 0, 1),
    INTEGER(ksiJointResult, mark, "mark", INT32_MIN, INT32_MAX),
    INTEGER(ksiJointResult, written, "written", 0, (1 << (KSI_WROTE_BITS + KSI_STOPS_BITS)) - 1),
    R(force1, "force1", "N"),
    R(torque1, "torque1", "N.m"),
    R(force2, "force2", "N"),
    R(torque2, "torque2", "N.m"),
};

#define PART(label, table)                                                                                             \
    {                                                                                                                  \
        label, table, sizeof table / sizeof *table                                                                     \
    }
static const ksiFields parts[KSI_RECORD_PARTS] = {PART("step", step),
                                                  PART("body", body),
                                                  PART("joint", joint),
                                                  PART("geom", geom),
                                                  PART("name", name),
                                                  PART("body_result", bodyResult),
                                                  PART("joint_result", jointResult)};

const ksiFields *ksiRecordFields(ksiRecordPart part)
{
    return &parts[part];
}

/* --- Soundness --- */

bool ksiIsRecordedKind(int kind)
{
    return kind == dSphereClass || kind == dBoxClass || kind == dCapsuleClass || kind == dCylinderClass ||
           kind == dPlaneClass || kind == KSI_TRIANGLE || ksiIsMesh(kind);
}

static bool isIndex(int64_t index, uint64_t count)
{
    return index < (int64_t)count;
}

/* Do the body's flags of damping and of the speed cap match its numbers, as the engine's functions
 * ensure? */
static bool flagsFit(const ksiBodyCopy *copy)
{
    const uint64_t flags = copy->state.flags;
    return ((flags & KSI_BODY_LINEAR_DAMPING) != 0) == (copy->linearDamping != 0) &&
           ((flags & KSI_BODY_ANGULAR_DAMPING) != 0) == (copy->angularDamping != 0) &&
           ((flags & KSI_BODY_SPEED_CAP) != 0) == (copy->maxAngularSpeed < dInfinity);
}

static bool isSoundBody(const ksiStepRecord *record, const void *at)
{
    const ksiBodyRecord *one = at;
    return isIndex(one->first, 2 * record->jointCount) && flagsFit(&one->copy);
}

/* The engine aborts if a joint of these types has no second body. */
static bool needsTwo(int64_t type)
{
    return type == dJointTypeHinge2 || type == dJointTypeTransmission;
}

/* Is the joint of an unknown class, or else complete and with its bodies in the order of the
 * engine? */
static bool isSoundClass(const ksiJointRecord *head)
{
    const ksiFields *fields = ksiFieldsOfType((int)head->type);
    if (head->words == 0)
        return true;
    return fields && head->words == ksiFieldWords(fields) && (head->body[0] >= 0 || head->body[1] < 0) &&
           (!needsTwo(head->type) || (head->body[0] < 0) == (head->body[1] < 0));
}

static bool isSoundJoint(const ksiStepRecord *record, const void *at)
{
    const ksiJointRecord *head = at;
    for (int side = 0; side < 2; side++)
        if (!isIndex(head->body[side], record->bodyCount) || !isIndex(head->next[side], 2 * record->jointCount))
            return false;
    return (head->body[0] < 0 || head->body[0] != head->body[1]) && isSoundClass(head);
}

/* Is the geom of a known kind, with sizes that are not negative, and without a body if it is a
 * plane or a triangle? Meshes and triangles need a number. */
static bool isSoundGeom(const ksiStepRecord *record, const void *at)
{
    const ksiGeomRecord *shape = at;
    const bool isPlane = shape->kind == dPlaneClass, isTriangle = shape->kind == KSI_TRIANGLE;
    if ((isTriangle || ksiIsMesh(shape->kind)) && !(shape->size[3] >= 1 && shape->size[3] <= (double)MOST))
        return false;
    for (int i = 0; i < 3; i++)
        if (!isPlane && !(shape->size[i] >= 0))
            return false;
    return ksiIsRecordedKind((int)shape->kind) && isIndex(shape->body, record->bodyCount) &&
           !((isPlane || isTriangle) && shape->body >= 0);
}

static bool isSoundName(const ksiStepRecord *record, const void *at)
{
    const ksiNameRecord *given = at;
    return isIndex(given->joint, record->jointCount) && (given->name[0] & 0xff) != 0;
}

/* Reads `count` objects of a part. Returns NULL if the record is too short, or an object is not
 * sound. */
static const void *takeSound(const ksiStepRecord *record, ksiRecordReader *reader, ksiRecordPart part, size_t count,
                             bool (*isSound)(const ksiStepRecord *record, const void *at))
{
    const size_t words = ksiFieldWords(&parts[part]);
    const uint64_t *first = ksiTakeRecorded(reader, count * words * sizeof *first);
    for (size_t i = 0; first && i < count; i++) {
        const uint64_t *at = first + i * words;
        if (!ksiFieldsAreSound(&parts[part], at) || (isSound && !isSound(record, at)))
            return NULL;
    }
    return first;
}

static bool takeJoints(const ksiStepRecord *record, ksiRecordReader *reader)
{
    for (size_t i = 0; i < record->jointCount; i++) {
        const ksiJointRecord *head = takeSound(record, reader, KSI_JOINT_PART, 1, isSoundJoint);
        const uint64_t *words = head ? ksiTakeRecorded(reader, head->words * sizeof *words) : NULL;
        if (!words || (head->words > 0 && !ksiFieldsAreSound(ksiFieldsOfType((int)head->type), words)))
            return false;
    }
    return true;
}

/* Are the stops of the joints sound? The joints of the record must be sound. */
static bool areSoundResults(const ksiStepRecord *record, const ksiJointResult *result)
{
    ksiRecordReader reader = ksiReadRecord(record);
    ksiTakeRecorded(&reader, record->bodyCount * sizeof(ksiBodyRecord));
    for (size_t i = 0; i < record->jointCount; i++) {
        const ksiJointRecord *head = ksiTakeRecorded(&reader, sizeof *head);
        ksiTakeRecorded(&reader, head->words * sizeof(uint64_t));
        if (!ksiStopsAreSound((int)head->type, ksiRecordedStops(&result[i])))
            return false;
    }
    return true;
}

static bool takeResults(const ksiStepRecord *record, ksiRecordReader *reader)
{
    const ksiJointResult *result = takeSound(record, reader, KSI_JOINT_RESULT_PART, record->jointCount, NULL);
    return result && areSoundResults(record, result);
}

bool ksiRecordIsSound(const ksiStepRecord *record, size_t bytes)
{
    if (bytes < sizeof *record || !ksiFieldsAreSound(&parts[KSI_STEP_PART], (const void *)record) ||
        record->bytes > bytes || record->bytes % 8 != 0 || record->stepper == KS_EXACT_STEP ||
        (record->isStepped && !(record->h > 0)))
        return false;
    ksiRecordReader reader = ksiReadRecord(record);
    return takeSound(record, &reader, KSI_BODY_PART, record->bodyCount, isSoundBody) && takeJoints(record, &reader) &&
           takeSound(record, &reader, KSI_GEOM_PART, record->geomCount, isSoundGeom) &&
           takeSound(record, &reader, KSI_NAME_PART, record->nameCount, isSoundName) &&
           takeSound(record, &reader, KSI_BODY_RESULT_PART, record->bodyCount, NULL) && takeResults(record, &reader) &&
           reader.at == reader.end;
}

/* --- Expected next record --- */

#define WORDS_OF(type) (sizeof(type) / sizeof(uint64_t))

void ksiExpectNext(uint64_t *words, size_t count)
{
    const ksiStepRecord *head = (const void *)words;
    if (count < WORDS_OF(ksiStepRecord) || head->bodyCount > count || head->jointCount > count)
        return;
    const size_t bodies = head->bodyCount;
    const size_t results = bodies * WORDS_OF(ksiBodyResult) + head->jointCount * WORDS_OF(ksiJointResult);
    if (WORDS_OF(ksiStepRecord) + bodies * WORDS_OF(ksiBodyRecord) + results > count)
        return;
    uint64_t *begin = words + WORDS_OF(ksiStepRecord) + offsetof(ksiBodyRecord, copy.state) / sizeof *words;
    const uint64_t *end = words + count - results + offsetof(ksiBodyResult, state) / sizeof *words;
    for (size_t i = 0; i < bodies; i++)
        memcpy(begin + i * WORDS_OF(ksiBodyRecord), end + i * WORDS_OF(ksiBodyResult), sizeof(ksiBodyState));
}

/* --- Texts and ends --- */

void ksiPackText(const char *text, uint64_t *words, size_t count)
{
    memset(words, 0, count * sizeof *words);
    for (size_t i = 0; text[i] && i + 1 < 8 * count; i++)
        words[i / 8] |= (uint64_t)(unsigned char)text[i] << i % 8 * 8;
}

void ksiUnpackText(const uint64_t *words, size_t count, char *text)
{
    for (size_t i = 0; i < 8 * count; i++)
        text[i] = (char)(words[i / 8] >> i % 8 * 8 & 0xff);
    text[8 * count - 1] = 0;
}

ksiStepRecord ksiEndRecord(unsigned world, uint64_t steps)
{
    return (ksiStepRecord){.bytes = sizeof(ksiStepRecord), .world = world, .step = steps, .isExtra = 1};
}
