/* record.h  A recorded step with all data for its judgement, in this order:
 *
 *     ksiStepRecord
 *     ksiBodyRecord   [bodyCount]   before the step, in the order of the world's list
 *     ksiJointRecord  [jointCount]  likewise; the fields of its class follow each (engine/fields.h)
 *     ksiGeomRecord   [geomCount]   likewise, if shapes are requested
 *     ksiNameRecord   [nameCount]   of joints that the host has named
 *     ksiBodyResult   [bodyCount]   after the step
 *     ksiJointResult  [jointCount]
 *
 * Each word has 64 bits: a double, an integer, or eight characters. The layout does not depend on
 * an engine's memory. docs/recordings.md has the meaning of each word, ksiRecordFields has it for
 * programs. */
#ifndef KSI_REPLAY_RECORD_H
#define KSI_REPLAY_RECORD_H

#include "../engine/copy.h"
#include "../engine/fields.h"

#include <stdbool.h>
#include <stdint.h>

#define KSI_RECORD_VERSION 1

typedef struct ksiStepRecord {
    uint64_t bytes;  /* size of the whole record */
    int64_t world;   /* number in the process, from 1 */
    int64_t stepper; /* ksStepper, but for KS_EXACT_STEP */
    uint64_t step;   /* number in the world, from 0; unrecorded steps count */
    double time, h;  /* s */
    /* Settings of the world; iterations and over-relaxation of dWorldQuickStep; number of the
     * engine's threads; seed of its random numbers. */
    double gravity[3], erp, cfm, contactSpeed, contactDepth, overRelaxation;
    int64_t iterations;
    uint64_t threads;
    uint64_t seed;
    uint64_t bodyCount, jointCount;
    int64_t isStepped; /* 0: the engine refused the step */
    int64_t isExtra;   /* 1: recorded only as the predecessor of the next step */
    double seconds;    /* wall-clock time of the engine's own step */
    uint64_t geomCount, nameCount;
} ksiStepRecord;

typedef struct ksiBodyRecord {
    uint64_t identity; /* constant over the records of a body */
    uint64_t number;   /* number in order of creation, from 1 */
    int64_t first;     /* first of its list of joints: 2 joint + side, or -1 */
    ksiBodyCopy copy;
} ksiBodyRecord;

typedef struct ksiJointRecord {
    uint64_t identity;
    uint64_t number;  /* number in order of creation among the joints of its type */
    uint64_t ordinal; /* number in order of creation among all joints but contacts; 0 for a
                         contact */
    int64_t type;     /* dJointType */
    int64_t body[2];  /* -1: the world, or not attached */
    int64_t next[2];  /* next joint in the list of a body, as ksiBodyRecord::first */
    uint64_t words;   /* number of words in the fields that follow; 0: the class is unknown */
    ksiJointState state;
} ksiJointRecord;

/* The shape of a body, or a fixed one, for viewers. A convex geom or a mesh has the edges of a box
 * about its origin that contains it, and the number of its surface. The triangles of that surface
 * follow all shapes, in this or another record. */
typedef struct ksiGeomRecord {
    int64_t kind;       /* dSphereClass, dBoxClass, dCapsuleClass, dCylinderClass, dPlaneClass,
                           dConvexClass, dTriMeshClass, KSI_TRIANGLE */
    int64_t body;       /* -1: none */
    double size[4];     /* m: radius; edges; radius and length; a plane's numbers; edges and number;
                           0, 0, 0 and number */
    double place[3];    /* m: place of the geom in the body's axes; without a body: in the world */
    double rotation[9]; /* rotation of the geom relative to the body; of a triangle: its corners in
                           the geom's axes, m */
} ksiGeomRecord;

/* A kind of shape that is no class of the engine. */
enum { KSI_TRIANGLE = 1000 };

/* A joint's name, from ksInspectorSetName. */
enum { KSI_NAME_WORDS = 16, KSI_NAME_BYTES = 8 * KSI_NAME_WORDS };
typedef struct ksiNameRecord {
    int64_t joint;                 /* index of the joint */
    uint64_t name[KSI_NAME_WORDS]; /* KSI_TEXT */
} ksiNameRecord;

typedef struct ksiBodyResult {
    int64_t isAlive;
    ksiBodyState state;
} ksiBodyResult;

/* Bits of the results that the engine has written: force and torque on J1's body, on J2's body.
 * Then the stops at which it has found the axes (ksiStopsOf). */
enum { KSI_WROTE_FIRST = 1, KSI_WROTE_SECOND = 2, KSI_WROTE_BOTH = 3, KSI_WROTE_BITS = 2 };

typedef struct ksiJointResult {
    int64_t isAlive, mark;
    int64_t written; /* KSI_WROTE_...; stops << KSI_WROTE_BITS */
    double force1[3], torque1[3], force2[3], torque2[3];
} ksiJointResult;

static inline unsigned ksiRecordedStops(const ksiJointResult *result)
{
    return (unsigned)result->written >> KSI_WROTE_BITS;
}

/* The parts of a record, in order; ksiFieldsOfType(type) follow each joint. */
typedef enum ksiRecordPart {
    KSI_STEP_PART,
    KSI_BODY_PART,
    KSI_JOINT_PART,
    KSI_GEOM_PART,
    KSI_NAME_PART,
    KSI_BODY_RESULT_PART,
    KSI_JOINT_RESULT_PART,
    KSI_RECORD_PARTS
} ksiRecordPart;
const ksiFields *ksiRecordFields(ksiRecordPart part);

/* Is the record complete, with all numbers in range and all indices valid? Then it can be replayed,
 * whatever its origin. `bytes` are readable. */
bool ksiRecordIsSound(const ksiStepRecord *record, size_t bytes);

/* Turns a record into the most likely next one of its world: bodies start as they ended. */
void ksiExpectNext(uint64_t *words, size_t count);

/* Converts fields of KSI_TEXT; a long text is cut. */
void ksiPackText(const char *text, uint64_t *words, size_t count);
void ksiUnpackText(const uint64_t *words, size_t count, char *text);

/* A record that is no step: it ends a world, and has the total number of its steps. */
ksiStepRecord ksiEndRecord(unsigned world, uint64_t steps);

static inline bool ksiIsEnd(const ksiStepRecord *record)
{
    return record->isExtra && !record->isStepped && record->bodyCount == 0 && record->h == 0;
}

/* Can a geom of this kind be recorded? */
bool ksiIsRecordedKind(int kind);

/* Is a geom of this kind shown by its triangles? */
static inline bool ksiIsMesh(int64_t kind)
{
    return kind == dConvexClass || kind == dTriMeshClass;
}

/* Reads a record from its bodies on. ksiTakeRecorded returns NULL beyond the end. */
typedef struct ksiRecordReader {
    const char *at, *end;
} ksiRecordReader;

static inline ksiRecordReader ksiReadRecord(const ksiStepRecord *record)
{
    const char *at = (const char *)record;
    return (ksiRecordReader){at + sizeof *record, at + record->bytes};
}

static inline const void *ksiTakeRecorded(ksiRecordReader *reader, size_t bytes)
{
    const char *at = reader->at;
    if (bytes > (size_t)(reader->end - at))
        return NULL;
    reader->at += bytes;
    return at;
}

/* The results of the joints in a sound record. */
static inline const ksiJointResult *ksiRecordedReports(const ksiStepRecord *record)
{
    return (const ksiJointResult *)(const void *)((const char *)record + record->bytes) - record->jointCount;
}

static inline const ksiBodyResult *ksiRecordedEnds(const ksiStepRecord *record)
{
    return (const ksiBodyResult *)(const void *)ksiRecordedReports(record) - record->bodyCount;
}

static inline const ksiNameRecord *ksiRecordedNames(const ksiStepRecord *record)
{
    return (const ksiNameRecord *)(const void *)ksiRecordedEnds(record) - record->nameCount;
}

static inline const ksiGeomRecord *ksiRecordedGeoms(const ksiStepRecord *record)
{
    return (const ksiGeomRecord *)(const void *)ksiRecordedNames(record) - record->geomCount;
}

#endif
