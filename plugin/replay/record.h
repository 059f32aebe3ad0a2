/* record.h  A recorded step with all data for its judgement, in this order:
 *
 *     ksiStepRecord
 *     ksiBodyRecord   [bodyCount]   before the step, in the order of the world's list
 *     ksiJointRecord  [jointCount]  likewise, each with the fields of its class (engine/fields.h)
 *     ksiGeomRecord   [geomCount]   before the step, if shapes are requested
 *     ksiNameRecord   [nameCount]   for joints that the host has named
 *     ksiBodyResult   [bodyCount]   after the step
 *     ksiJointResult  [jointCount]
 *
 * Each word has 64 bits: a double, an integer, or eight characters. The layout does not depend on
 * an engine's memory. docs/recordings.md gives the meaning of each word; ksiRecordFields gives it
 * to programs. */
#ifndef KSI_REPLAY_RECORD_H
#define KSI_REPLAY_RECORD_H

#include "../engine/copy.h"
#include "../engine/fields.h"

#include <stdbool.h>
#include <stdint.h>

#define KSI_RECORD_VERSION 1

typedef struct ksiStepRecord {
    uint64_t bytes;  /* size of the whole record */
    int64_t world;   /* number of the world in the process, from 1 */
    int64_t stepper; /* a ksStepper, but not KS_EXACT_STEP */
    uint64_t step;   /* number of the step in its world, from 0; unrecorded steps count */
    double time, h;  /* s */
    /* Settings of the world. overRelaxation, iterations: settings of dWorldQuickStep. threads:
     * number of the engine's threads. seed: seed of the engine's random numbers. */
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
    uint64_t identity; /* the same in all records of a body */
    uint64_t number;   /* number in order of creation, from 1 */
    int64_t first;     /* first entry of the body's list of joints: 2 * joint + side; -1: the list
                          is empty */
    ksiBodyCopy copy;
} ksiBodyRecord;

typedef struct ksiJointRecord {
    uint64_t identity;
    uint64_t number;  /* number in order of creation among the joints of its type */
    uint64_t ordinal; /* number in order of creation among all joints except contacts; 0 for a
                         contact */
    int64_t type;     /* dJointType */
    int64_t body[2];  /* indices of the bodies; -1: the world, or not attached */
    int64_t next[2];  /* next entry in the list of a body, in the form of ksiBodyRecord::first */
    uint64_t words;   /* number of words in the fields that follow; 0: the class is unknown */
    ksiJointState state;
} ksiJointRecord;

/* The shape of a body, or a fixed shape, for viewers. A convex geom or a mesh has the edges of a
 * box that contains it and whose centre is its origin, and the number of its surface. The triangles
 * of this surface follow all shapes, in this record or another one. */
typedef struct ksiGeomRecord {
    int64_t kind;       /* dSphereClass, dBoxClass, dCapsuleClass, dCylinderClass, dPlaneClass,
                           dConvexClass, dTriMeshClass, KSI_TRIANGLE */
    int64_t body;       /* index of the body; -1: none */
    double size[4];     /* m: radius of a sphere; edges of a box; radius and length of a capsule or
                           a cylinder; the four numbers of a plane; edges and number of a convex
                           geom or a mesh; 0, 0, 0 and number of a triangle */
    double place[3];    /* m: place of the geom in the body's axes; without a body: in the world */
    double rotation[9]; /* rotation of the geom relative to the body; for a triangle: its corners in
                           the geom's axes, m */
} ksiGeomRecord;

/* A kind of shape that is not a class of the engine. */
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

/* Bits of ksiJointResult::written: the engine has written force and torque on J1's body, and on
 * J2's body. The higher bits have the stops at which the engine found the axes (ksiStopsOf). */
enum { KSI_WROTE_FIRST = 1, KSI_WROTE_SECOND = 2, KSI_WROTE_BOTH = 3, KSI_WROTE_BITS = 2 };

typedef struct ksiJointResult {
    int64_t isAlive, mark;
    int64_t written; /* KSI_WROTE_... | stops << KSI_WROTE_BITS */
    double force1[3], torque1[3], force2[3], torque2[3];
} ksiJointResult;

static inline unsigned ksiRecordedStops(const ksiJointResult *result)
{
    return (unsigned)result->written >> KSI_WROTE_BITS;
}

/* The parts of a record, in order. After each joint come the fields of its class,
 * ksiFieldsOfType(type). */
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

/* Is the record complete, with all numbers in range and all indices valid? If so, it can be
 * replayed, whatever its origin. bytes: the number of readable bytes. */
bool ksiRecordIsSound(const ksiStepRecord *record, size_t bytes);

/* Turns a record into the most likely next record of its world: the bodies start in the state in
 * which they ended. */
void ksiExpectNext(uint64_t *words, size_t count);

/* ksiPackText converts a text to a field of kind KSI_TEXT, and cuts a long text; ksiUnpackText
 * converts it back. */
void ksiPackText(const char *text, uint64_t *words, size_t count);
void ksiUnpackText(const uint64_t *words, size_t count, char *text);

/* A record that is not a step: it ends a world, and has the total number of the world's steps. */
ksiStepRecord ksiEndRecord(unsigned world, uint64_t steps);

static inline bool ksiIsEnd(const ksiStepRecord *record)
{
    return record->isExtra && !record->isStepped && record->bodyCount == 0 && record->h == 0;
}

/* Can a geom of this kind be recorded? */
bool ksiIsRecordedKind(int kind);

/* Do triangles show a geom of this kind? */
static inline bool ksiIsMesh(int64_t kind)
{
    return kind == dConvexClass || kind == dTriMeshClass;
}

/* Reads a record, beginning with its bodies. ksiTakeRecorded returns NULL if the record ends before
 * `bytes` more bytes. */
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
