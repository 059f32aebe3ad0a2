/* size.h  Sizes motors, bearings, pins and links of a trace. */
#ifndef KSI_SIZE_SIZE_H
#define KSI_SIZE_SIZE_H

#include "joint_size.h"

#include "../report/files/text.h"
#include "../report/trace/trace_read.h"

#include <jansson.h>
#include <kinetostat/kinetostat.h>

enum { KSI_SIZE_RULES = 64 };

/* Data for the joints that match the pattern `joints`. The last matching rule counts. */
typedef struct ksiBearingRule {
    const char *joints;
    ksiBearingData data;
} ksiBearingRule;

typedef struct ksiWoehlerRule {
    const char *joints;
    int component;
    ksiWoehler line;
} ksiWoehlerRule;

/* The point about which torques are taken. place: its position from the mass centre of body 0 or 1
 * of the joint, in the axes of this body, m. If the body is the world: from the origin of the
 * world. */
typedef struct ksiPointRule {
    const char *joints;
    int body;
    double place[3];
} ksiPointRule;

typedef struct ksiEnvelopeRule {
    const char *joints;
    ksiEnvelope envelope;
} ksiEnvelopeRule;

typedef struct ksiSizeOptions {
    const char *call; /* the file's name in messages and documents; NULL: its path */
    ksValue value;
    ksiPatterns joints;
    const char *world;   /* name of the only world; NULL: all worlds */
    double from, until;  /* s: from <= time < until */
    double timeConstant; /* s; 0: none */
    bool isRepeated;
    ksiBearingRule bearing[KSI_SIZE_RULES];
    size_t bearingCount;
    ksiWoehlerRule woehler[KSI_SIZE_RULES];
    size_t woehlerCount;
    ksiEnvelopeRule envelope[KSI_SIZE_RULES];
    size_t envelopeCount;
    ksiPointRule point[KSI_SIZE_RULES];
    size_t pointCount;
} ksiSizeOptions;

/* name: from ksiClean. */
typedef struct ksiSizedJoint {
    char *name, type[KSI_TRACED_TYPE];
    int64_t body[2];
    bool isChosen, isAnchored, isFull;
    const ksiPointRule *point; /* NULL: torques are about the anchor, or the mass centre */
    bool isPlaced;             /* for means about a point: `offset`, `moved` and `largest` are
                                  known */
    double offset[3];          /* m, from the point to the anchor or mass centre, in the axes of the
                                  joint, in the first step */
    double moved, largest;     /* largest values so far. moved: change of the offset, m; largest:
                                  the engine's force, N */
    ksiWaiting *waiting;       /* NULL: the joint has no chosen step */
    ksiWaiting *full;          /* the previous block; NULL if `waiting` is NULL. isFull: this block
                                  waits for the worker */
    ksiJointSize *size;        /* NULL: the joint has no chosen step */
} ksiSizedJoint;

typedef struct ksiSizedWorld {
    char *name;
    uint64_t steps;
    double begin, end; /* s */
    size_t jointCount;
    ksiSizedJoint *joint;
} ksiSizedWorld;

typedef struct ksiSizing {
    const char *path;
    char *cleanPath;
    const ksiSizeOptions *options;
    size_t worldCount;
    ksiSizedWorld *world;
} ksiSizing;

/* false: words [KSI_READ_WORDS] say why. Free `out` in either case. */
bool ksiSizeTrace(const char *path, const ksiSizeOptions *options, ksiSizing *out, char *words);
void ksiSizingFree(ksiSizing *sizing);

/* The number of chosen joints that have a chosen step. */
size_t ksiSizedCount(const ksiSizing *sizing);

/* The next functions write documents. If memory runs out, the text is cut short, or the result is
 * NULL. */
void ksiSizingToText(const ksiSizing *sizing, ksiText *out);
void ksiSizingToCsv(const ksiSizing *sizing, ksiText *out);     /* a line for each number */
void ksiSizingToSpectra(const ksiSizing *sizing, ksiText *out); /* CSV: a line for each class of
                                                                   cycles */
void ksiSizingToPage(const ksiSizing *sizing, ksiText *out);    /* HTML, with a picture of each
                                                                   motor */
json_t *ksiSizingToJson(const ksiSizing *sizing);

/* Does the motor of this axis push along it rather than turn about it? */
bool ksiIsAlong(const ksiSizedJoint *joint, int axis);

/* The point about which torques are taken: "anchor", "mass centre" or "point". */
const char *ksiSizedAbout(const ksiSizedJoint *joint);
/* Writes the word of ksiSizedAbout, with the place of the point and its body. */
void ksiTellAbout(const ksiSizedJoint *joint, ksiText *out);

/* Writes, between `before` and `after`, how much too small the means are because the joint's axes
 * turn. Writes nothing if they are too small by at most 1 %. */
void ksiTellMeanTurn(const ksiJointSize *joint, const char *before, const char *after, ksiText *out);

/* "engine", "mean" or "physical" */
const char *ksiSizeValueName(ksValue value);

#endif
