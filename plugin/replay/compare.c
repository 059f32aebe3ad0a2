/* compare.c  Finds the differences of two recorded steps.
 *
 * Objects are first compared in their order, which is the same in two runs of one program. If the
 * steps have different inputs or numbers of objects, their objects are matched instead: bodies by
 * number, and joints by type and number. Contacts are new in each step, and match by all their
 * data. The remaining joints match by type and bodies. */
#include "compare.h"

#include "match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct ksiComparer {
    ksiSide side[2];
    double tolerance;
    bool isInPlace; /* objects are compared in their order */
    bool isMatched; /* bodies match by number */
    ksiComparison *out;
} Comparer;

/* --- Causes --- */

/* The causes of some fields; all other fields have the cause of their part. KSI_CAUSES: the field
 * has no meaning in another run, and is not compared. */
static const struct Rule {
    ksiRecordPart part;
    const char *field;
    ksiCause cause;
} rules[] = {{KSI_STEP_PART, "bytes", KSI_CAUSES},
             {KSI_STEP_PART, "world", KSI_CAUSES},
             {KSI_STEP_PART, "step", KSI_CAUSES},
             {KSI_STEP_PART, "threads", KSI_OTHER_THREADS},
             {KSI_STEP_PART, "random_seed", KSI_OTHER_SEED},
             {KSI_STEP_PART, "bodies", KSI_CAUSES},
             {KSI_STEP_PART, "joints", KSI_CAUSES},
             {KSI_STEP_PART, "is_stepped", KSI_OTHER_RESULT},
             {KSI_STEP_PART, "is_extra", KSI_CAUSES},
             {KSI_STEP_PART, "wall_time", KSI_CAUSES},
             {KSI_STEP_PART, "geoms", KSI_CAUSES},
             {KSI_STEP_PART, "names", KSI_CAUSES},
             {KSI_BODY_PART, "identity", KSI_CAUSES},
             {KSI_BODY_PART, "number", KSI_CAUSES},
             {KSI_BODY_PART, "first_joint", KSI_OTHER_ORDER},
             {KSI_BODY_PART, "flags", KSI_OTHER_FLAGS},
             {KSI_BODY_PART, "mark", KSI_CAUSES},
             {KSI_BODY_PART, "position", KSI_OTHER_POSES},
             {KSI_BODY_PART, "rotation", KSI_OTHER_POSES},
             {KSI_BODY_PART, "quaternion", KSI_OTHER_POSES},
             {KSI_BODY_PART, "velocity", KSI_OTHER_VELOCITIES},
             {KSI_BODY_PART, "angular_velocity", KSI_OTHER_VELOCITIES},
             {KSI_BODY_PART, "mass", KSI_OTHER_MASSES},
             {KSI_BODY_PART, "mass_centre", KSI_OTHER_MASSES},
             {KSI_BODY_PART, "inertia", KSI_OTHER_MASSES},
             {KSI_BODY_PART, "inverse_mass", KSI_OTHER_MASSES},
             {KSI_BODY_PART, "inverse_inertia", KSI_OTHER_MASSES},
             {KSI_BODY_PART, "force", KSI_OTHER_FORCES},
             {KSI_BODY_PART, "torque", KSI_OTHER_FORCES},
             {KSI_JOINT_PART, "identity", KSI_CAUSES},
             {KSI_JOINT_PART, "number", KSI_CAUSES},
             {KSI_JOINT_PART, "ordinal", KSI_CAUSES},
             {KSI_JOINT_PART, "next_joint", KSI_OTHER_ORDER},
             {KSI_JOINT_PART, "mark", KSI_CAUSES},
             {KSI_JOINT_PART, "bodies", KSI_OTHER_JOINTS},
             {KSI_JOINT_PART, "type", KSI_OTHER_JOINTS},
             {KSI_BODY_RESULT_PART, "mark", KSI_CAUSES},
             {KSI_JOINT_RESULT_PART, "mark", KSI_CAUSES}};

static const ksiCause causes[KSI_RECORD_PARTS] = {[KSI_STEP_PART] = KSI_OTHER_SETTINGS,
                                                  [KSI_BODY_PART] = KSI_OTHER_DAMPING,
                                                  [KSI_JOINT_PART] = KSI_OTHER_PARAMETERS,
                                                  [KSI_BODY_RESULT_PART] = KSI_OTHER_RESULT,
                                                  [KSI_JOINT_RESULT_PART] = KSI_OTHER_RESULT};

/* Does the step read the field? Only dWorldQuickStep has iterations and draws random numbers. */
static bool isRead(const Comparer *comparer, const ksiField *field)
{
    const bool isQuick =
        comparer->side[0].record->stepper == KS_QUICK_STEP || comparer->side[1].record->stepper == KS_QUICK_STEP;
    return isQuick || (strncmp(field->name, "quick_step", 10) != 0 && strcmp(field->name, "random_seed") != 0);
}

static ksiCause causeOf(const Comparer *comparer, ksiRecordPart part, const ksiField *field)
{
    ksiCause cause = causes[part];
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].part == part && strcmp(rules[i].field, field->name) == 0)
            cause = rules[i].cause;
    if (part == KSI_STEP_PART && !isRead(comparer, field))
        return KSI_CAUSES;
    // links contain indices, which depend on the places of objects; an order has no tolerance
    return cause == KSI_OTHER_ORDER && (!comparer->isInPlace || comparer->tolerance > 0) ? KSI_CAUSES : cause;
}

unsigned ksiCausesOf(const ksiComparison *comparison)
{
    unsigned all = 0;
    for (size_t i = 0; i < comparison->count; i++)
        all |= 1u << comparison->finding[i].cause;
    return all;
}

/* --- Findings --- */

static bool isReal(const ksiField *field)
{
    return field && field->kind <= KSI_POSITIVE;
}

static double realOf(uint64_t word)
{
    double real;
    memcpy(&real, &word, sizeof real);
    return real;
}

/* Returns 0 if the values count as equal, else their difference, which is infinite if one of them
 * is NaN or infinite. */
static double distance(const ksiField *field, uint64_t a, uint64_t b, double tolerance)
{
    if (a == b)
        return 0;
    if (!isReal(field))
        return fabs((double)(int64_t)a - (double)(int64_t)b);
    const double x = realOf(a), y = realOf(b), by = fabs(x - y);
    if (isnan(x) && isnan(y))
        return 0;
    if (!isfinite(by))
        return HUGE_VAL;
    return by <= tolerance * fmax(1, fmax(fabs(x), fabs(y))) ? 0 : by;
}

/* The finding to which an object is added; NULL: there is no room. */
static ksiFinding *findingOf(ksiComparison *out, ksiCause cause, ksiRecordPart part, const ksiField *field,
                             const long index[2])
{
    for (size_t i = 0; i < out->count; i++) {
        ksiFinding *known = &out->finding[i];
        if (known->cause == cause && known->part == part && known->field == field &&
            (known->index[0] < 0) == (index[0] < 0) && (known->index[1] < 0) == (index[1] < 0))
            return known;
    }
    if (out->count == KSI_MOST_FINDINGS)
        return NULL;
    ksiFinding *made = &out->finding[out->count++];
    *made = (ksiFinding){.cause = cause, .part = part, .field = field, .index = {index[0], index[1]}, .size = -1};
    return made;
}

/* Adds an object to a finding. a, b: all values of the field, or one value each if there is no
 * field. */
static void note(const Comparer *comparer, ksiCause cause, ksiRecordPart part, const ksiField *field,
                 const long index[2], const uint64_t *a, const uint64_t *b)
{
    size_t count = field ? field->count : 1, worst = 0;
    double size = -1;
    count = count < KSI_FINDING_WORDS ? count : KSI_FINDING_WORDS;
    for (size_t i = 0; i < count; i++) {
        const double by = distance(field, a[i], b[i], comparer->tolerance);
        worst = by > size ? i : worst;
        size = fmax(by, size);
    }
    ksiFinding *found = findingOf(comparer->out, cause, part, field, index);
    if (!found)
        return;
    found->count++;
    if (!(size > found->size))
        return;
    memcpy(found->index, index, sizeof found->index);
    memcpy(found->value[0], a, count * sizeof *a);
    memcpy(found->value[1], b, count * sizeof *b);
    found->component = worst;
    found->size = size;
}

/* Sorts by cause, stably. */
static void sortFindings(ksiComparison *out)
{
    for (size_t i = 1; i < out->count; i++) {
        const ksiFinding moved = out->finding[i];
        size_t to = i;
        for (; to > 0 && out->finding[to - 1].cause > moved.cause; to--)
            out->finding[to] = out->finding[to - 1];
        out->finding[to] = moved;
    }
}

/* --- Fields --- */

static bool differs(const ksiField *field, const uint64_t *a, const uint64_t *b, double tolerance)
{
    bool isOther = false;
    for (size_t i = 0; i < field->count; i++)
        isOther |= distance(field, a[i], b[i], tolerance) > 0;
    return isOther;
}

/* own: the fields of the joint's class, which all have the cause `cause`; NULL: compares the fields
 * of the part. */
static void compareFields(const Comparer *comparer, ksiRecordPart part, const ksiFields *own, ksiCause cause,
                          const long index[2], const void *first, const void *second)
{
    const ksiFields *fields = own ? own : ksiRecordFields(part);
    const uint64_t *a = first, *b = second;
    for (size_t i = 0; i < fields->count; i++) {
        const ksiField *field = &fields->field[i];
        if (differs(field, a, b, comparer->tolerance)) {
            const ksiCause why = own ? cause : causeOf(comparer, part, field);
            if (why != KSI_CAUSES)
                note(comparer, why, part, field, index, a, b);
        }
        a += field->count;
        b += field->count;
    }
}

static void compareJoint(const Comparer *comparer, const long index[2])
{
    const ksiSide *side = comparer->side;
    const ksiJointRecord *a = side[0].joint[index[0]], *b = side[1].joint[index[1]];
    ksiJointRecord one = *a, two = *b;
    if (comparer->isMatched) {
        ksiJoinedNumbers(&side[0], a, one.body);
        ksiJoinedNumbers(&side[1], b, two.body);
    }
    compareFields(comparer, KSI_JOINT_PART, NULL, KSI_CAUSES, index, &one, &two);
    if (a->type == b->type && a->words == b->words && a->words > 0)
        compareFields(comparer, KSI_JOINT_PART, ksiFieldsOfType((int)a->type),
                      ksiIsContactRecord(a) ? KSI_OTHER_CONTACTS : KSI_OTHER_PARAMETERS, index, a + 1, b + 1);
    ksiJointResult first = side[0].report[index[0]], second = side[1].report[index[1]];
    if (!(ksiRecordedStops(&first) & ksiRecordedStops(&second) & KSI_STOPS_ARE_KNOWN)) {
        first.written &= KSI_WROTE_BOTH;
        second.written &= KSI_WROTE_BOTH;
    }
    compareFields(comparer, KSI_JOINT_RESULT_PART, NULL, KSI_CAUSES, index, &first, &second);
}

static void compareBody(const Comparer *comparer, const long index[2])
{
    const ksiSide *side = comparer->side;
    compareFields(comparer, KSI_BODY_PART, NULL, KSI_CAUSES, index, &side[0].body[index[0]], &side[1].body[index[1]]);
    compareFields(comparer, KSI_BODY_RESULT_PART, NULL, KSI_CAUSES, index, &side[0].end[index[0]],
                  &side[1].end[index[1]]);
}

/* --- Objects --- */

typedef struct Kind {
    ksiRecordPart part;
    void (*compare)(const Comparer *comparer, const long index[2]);
} Kind;
static const Kind bodies = {KSI_BODY_PART, compareBody}, joints = {KSI_JOINT_PART, compareJoint};

static size_t countOf(const ksiSide *side, const Kind *kind)
{
    return kind == &bodies ? side->record->bodyCount : side->record->jointCount;
}

static long *matchOf(const ksiSide *side, const Kind *kind)
{
    return kind == &bodies ? side->bodyMatch : side->jointMatch;
}

static void noteAlone(const Comparer *comparer, const Kind *kind, int which)
{
    static const uint64_t none = 0, one = 1;
    const ksiSide *side = &comparer->side[which];
    for (long i = 0; i < (long)countOf(side, kind); i++) {
        const long index[2] = {which ? KSI_NO_MATCH : i, which ? i : KSI_NO_MATCH};
        if (matchOf(side, kind)[i] != KSI_NO_MATCH)
            continue;
        const ksiCause cause = kind == &bodies                      ? KSI_OTHER_BODIES
                               : ksiIsContactRecord(side->joint[i]) ? KSI_OTHER_CONTACTS
                                                                    : KSI_OTHER_JOINTS;
        note(comparer, cause, kind->part, NULL, index, which ? &none : &one, which ? &one : &none);
    }
}

/* Index of the first matched object at or after `from`; the number of objects if there is none. */
static long nextMatched(const ksiSide *side, const Kind *kind, long from)
{
    while (from < (long)countOf(side, kind) && matchOf(side, kind)[from] == KSI_NO_MATCH)
        from++;
    return from;
}

/* Notes matched objects whose order differs. An object's place is its number in the list of its
 * record. */
static void noteOrder(const Comparer *comparer, const Kind *kind)
{
    const ksiSide *side = comparer->side;
    long j = nextMatched(&side[1], kind, 0);
    for (long i = nextMatched(&side[0], kind, 0); i < (long)countOf(&side[0], kind);
         i = nextMatched(&side[0], kind, i + 1), j = nextMatched(&side[1], kind, j + 1)) {
        const long index[2] = {i, matchOf(&side[0], kind)[i]};
        const uint64_t place[2] = {(uint64_t)index[0] + 1, (uint64_t)index[1] + 1};
        if (index[1] != j)
            note(comparer, KSI_OTHER_ORDER, kind->part, NULL, index, &place[0], &place[1]);
    }
}

static void compareObjects(const Comparer *comparer, const Kind *kind)
{
    const ksiSide *side = comparer->side;
    for (long i = 0; i < (long)countOf(&side[0], kind); i++) {
        const long index[2] = {i, comparer->isInPlace ? i : matchOf(&side[0], kind)[i]};
        if (index[1] != KSI_NO_MATCH)
            kind->compare(comparer, index);
    }
    if (comparer->isInPlace)
        return;
    noteAlone(comparer, kind, 0);
    noteAlone(comparer, kind, 1);
    if (comparer->tolerance == 0)
        noteOrder(comparer, kind);
}

static void compareAll(Comparer *comparer)
{
    static const long none[2] = {0, 0};
    comparer->out->count = 0;
    compareFields(comparer, KSI_STEP_PART, NULL, KSI_CAUSES, none, comparer->side[0].record, comparer->side[1].record);
    compareObjects(comparer, &bodies);
    compareObjects(comparer, &joints);
}

/* --- Records --- */

static bool isMatchedInPlace(const ksiSide side[2])
{
    bool isIt = side[0].record->bodyCount == side[1].record->bodyCount &&
                side[0].record->jointCount == side[1].record->jointCount;
    for (size_t i = 0; isIt && i < side[0].record->bodyCount; i++)
        isIt = side[0].bodyMatch[i] == (long)i;
    for (size_t i = 0; isIt && i < side[0].record->jointCount; i++)
        isIt = side[0].jointMatch[i] == (long)i;
    return isIt;
}

static ksStatus takeApart(Comparer *comparer, const ksiStepRecord *a, const ksiStepRecord *b)
{
    const ksStatus status = ksiTakeApart(&comparer->side[0], a);
    comparer->isMatched = false;
    comparer->isInPlace = a->bodyCount == b->bodyCount && a->jointCount == b->jointCount;
    return status ? status : ksiTakeApart(&comparer->side[1], b);
}

ksStatus ksiCompareRecords(const ksiStepRecord *a, const ksiStepRecord *b, double tolerance, ksiComparison *out)
{
    if (!out->room)
        out->room = calloc(1, sizeof *out->room);
    Comparer *comparer = out->room;
    if (!comparer || takeApart(comparer, a, b))
        return KS_ERROR_NO_MEMORY;
    comparer->tolerance = tolerance;
    comparer->out = out;
    if (comparer->isInPlace)
        compareAll(comparer);
    if (!comparer->isInPlace || (ksiCausesOf(out) & KSI_INPUT_CAUSES) != 0) {
        if (ksiMatchSides(comparer->side))
            return KS_ERROR_NO_MEMORY;
        comparer->isMatched = true;
        comparer->isInPlace = isMatchedInPlace(comparer->side);
        compareAll(comparer);
    }
    sortFindings(out);
    return KS_OK;
}

void ksiComparisonFree(ksiComparison *comparison)
{
    for (int i = 0; comparison->room && i < 2; i++)
        ksiSideFree(&comparison->room->side[i]);
    free(comparison->room);
    *comparison = (ksiComparison){.count = 0};
}

/* --- Changes by the host --- */

/* The next joint of the record, or the end of its joints. */
static const ksiJointRecord *nextJoint(const ksiJointRecord *joint)
{
    return (const void *)((const uint64_t *)(const void *)(joint + 1) + joint->words);
}

const ksiJointRecord *ksiRecordedJoint(const ksiStepRecord *record, long index)
{
    const ksiJointRecord *joint = (const void *)((const ksiBodyRecord *)(const void *)(record + 1) + record->bodyCount);
    for (; index > 0; index--)
        joint = nextJoint(joint);
    return joint;
}

/* The body with this number; NULL: no body has it. */
static const void *findBody(const ksiStepRecord *record, uint64_t number)
{
    const ksiBodyRecord *body = (const void *)(record + 1);
    for (size_t i = 0; i < record->bodyCount; i++)
        if (body[i].number == number)
            return &body[i];
    return NULL;
}

static const ksiJointRecord *findJoint(const ksiStepRecord *record, const ksiJointRecord *like)
{
    const ksiJointRecord *joint = ksiRecordedJoint(record, 0);
    for (size_t i = 0; i < record->jointCount; i++, joint = nextJoint(joint))
        if (joint->type == like->type && joint->number == like->number && joint->words == like->words)
            return joint;
    return NULL;
}

/* The words of `field` in an object with these fields; NULL: `field` is not one of them. */
static const uint64_t *wordsOf(const ksiFields *fields, const ksiField *field, const void *object)
{
    const uint64_t *at = object;
    for (size_t i = 0; fields && i < fields->count; i++) {
        if (&fields->field[i] == field)
            return at;
        at += fields->field[i].count;
    }
    return NULL;
}

static const uint64_t *expectedWords(const ksiFinding *finding, const ksiStepRecord *a, const ksiStepRecord *expected)
{
    const ksiFields *fields = ksiRecordFields(finding->part);
    const void *object = NULL;
    if (finding->part == KSI_STEP_PART)
        object = expected;
    else if (finding->part == KSI_BODY_PART)
        object = findBody(expected, ((const ksiBodyRecord *)(const void *)(a + 1))[finding->index[0]].number);
    else if (finding->part == KSI_JOINT_PART)
        object = findJoint(expected, ksiRecordedJoint(a, finding->index[0]));
    const uint64_t *words = object ? wordsOf(fields, finding->field, object) : NULL;
    if (words || !object || finding->part != KSI_JOINT_PART)
        return words;
    const ksiJointRecord *joint = object;
    return wordsOf(ksiFieldsOfType((int)joint->type), finding->field, joint + 1);
}

unsigned ksiChangedBy(const ksiFinding *finding, const ksiStepRecord *a, const ksiStepRecord *expected)
{
    const bool isOfHost =
        finding->field && finding->cause <= KSI_OTHER_PARAMETERS && finding->cause != KSI_OTHER_JOINTS;
    const uint64_t *words = isOfHost ? expectedWords(finding, a, expected) : NULL;
    unsigned who = 0;
    for (unsigned k = 0; words && k < 2; k++)
        who |= differs(finding->field, words, finding->value[k], 0) ? 1u << k : 0;
    return who;
}
