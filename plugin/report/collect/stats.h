/* stats.h  Statistics of worlds and joints in a report. The parts of a run add up to the whole:
 * sums are exact, and if several values are the largest, the report keeps the earliest of them. */
#ifndef KSI_REPORT_COLLECT_STATS_H
#define KSI_REPORT_COLLECT_STATS_H

#include "../files/joint_type.h"
#include "causes.h"
#include "collect.h"
#include "contact_shares.h"
#include "flickers.h"
#include "histogram.h"
#include "joint_selection.h"
#include "measure.h"
#include "motion.h"
#include "motors.h"
#include "naming.h"
#include "run.h"
#include "timeline.h"

#include <kinetostat/report.h>

enum {
    KSI_VERDICTS = KS_VALID + 1,
    KSI_REASONS = 39,
    KSI_STEPPERS = KS_FOREIGN_STEP + 1,
    KSI_COMPONENTS = 6,
    KSI_VALUES = 3,
    KSI_MOST_NUMBER = 20000, /* joints with a higher number within their type are only counted */
    KSI_WORLD_BUCKETS = 512,
    KSI_JOINT_BUCKETS = 256, /* buckets of a joint if there are few joints */
    KSI_LEAST_BUCKETS = 16,  /* least number of buckets of a joint */
    KSI_ALL_BUCKETS = 65536, /* approximate number of all joints' buckets in a world */
    KSI_MOST_MOTIONS = 64    /* only so many worlds, the first ones, have an animation */
};
_Static_assert(KS_REASON_FLICKER == UINT64_C(1) << (KSI_REASONS - 1), "the last reason is counted");

/* Errors of a joint: engine against converged; engine against physical, beyond its bar. See
 * ksiErrorOf. */
enum { KSI_SOLVER, KSI_MODEL, KSI_ERRORS };

/* Values of a force for sizing machines. KSI_OF_MOTION: observed, in steps of another engine.
 * KSI_OF_ELASTIC: the share of an elastic joint. KSI_OF_MEAN: the mean over a whole window.
 * KSI_OF_DEPARTURE: the largest expected distance of the mean from the mean of the ideal
 * mechanism. */
enum {
    KSI_OF_ENGINE,
    KSI_OF_SOLUTION,
    KSI_OF_MECHANISM,
    KSI_OF_MOTION,
    KSI_OF_ELASTIC,
    KSI_OF_MEAN,
    KSI_OF_DEPARTURE,
    KSI_LOADS
};

/* Magnitudes of a wrench. */
enum { KSI_FORCE, KSI_TORQUE, KSI_SIZES };

/* "engine", "converged", "physical", "observed", "shared", "mean", "departure" */
extern const char *const ksiLoadName[KSI_LOADS];

/* "force", N; "torque", N.m */
typedef struct ksiQuantity {
    const char *name, *unit;
} ksiQuantity;
extern const ksiQuantity ksiQuantities[KSI_SIZES];

/* Loads that limits apply to: the physical force in each step, as a threshold sees it, or the mean
 * force over a whole window. */
enum { KSI_IN_STEPS, KSI_IN_WINDOWS, KSI_SPANS };

/* The largest value of a quantity, and its step. Of errors: the one with the largest product of
 * error and load. */
typedef struct ksiMoment {
    bool isKnown;
    uint64_t step;
    double time, value, bar;
    double load;                  /* for an error: N, or N.m if the joint has no force; otherwise
                                     1 */
    double wrench[KSI_VALUES][6]; /* wrenches on body[0], about the anchor or mass centre, in world
                                     axes; NaN: unknown */
    bool isAtAnchor;
    /* numbers of bodies: for a contact, of its pair; for a net error, of its body alone */
    int body[2];
} ksiMoment;

/* The errors of all steps, and the worst one: the largest product of error and load. */
typedef struct ksiErrorStats {
    ksiHistogram size;
    ksiMoment worst;
} ksiErrorStats;

/* Components of a wrench that depend on free directions. */
typedef struct ksiUndetermined {
    int mostDirections;
    uint64_t steps[KSI_COMPONENTS]; /* number of steps by component of force and torque, along the
                                       axes of the joint frame */
} ksiUndetermined;

/* A magnitude and its bar in the step with the largest value. */
typedef struct ksiReach {
    bool isKnown;
    uint64_t step;
    double time, value, bar;
} ksiReach;

/* Three maxima over the steps with a unique value and a known bar: of value - bar (surely), of the
 * value (largest), and of value + bar (perhaps). untold: the number of other steps that were solved
 * or have a mean. */
typedef struct ksiBorne {
    ksiReach surely, largest, perhaps;
    uint64_t untold;
} ksiBorne;

/* Least and largest value; ignores NaN. */
typedef struct ksiRange {
    float least, largest;
    bool isKnown;
} ksiRange;

/* Number of ranges in a joint's bucket: of force and torque of each value, of their bars, and of
 * the errors. */
enum { KSI_RANGES = 2 * KSI_SIZES * KSI_VALUES + KSI_ERRORS };
typedef struct ksiJointBucket {
    uint32_t count;
    union {
        struct {
            ksiRange size[KSI_SIZES][KSI_VALUES], bar[KSI_SIZES][KSI_VALUES], error[KSI_ERRORS];
        };
        ksiRange range[KSI_RANGES];
    };
} ksiJointBucket;

typedef struct ksiWorldBucket {
    double begin; /* s, time of the first step in the bucket */
    uint64_t steps, verdict[KSI_VERDICTS];
} ksiWorldBucket;

/* A list of structures that begin with a number of iterations, sorted by it. */
typedef struct ksiByIterations {
    void *at;
    size_t count, capacity;
} ksiByIterations;

/* Trials of a joint with this number of iterations. */
typedef struct ksiTried {
    int iterations;
    uint64_t steps[KSI_TRIALS], above[KSI_TRIALS]; /* compared steps; compared steps with a
                                                      KSI_SOLVER error above ksReportLimit::above */
} ksiTried;

/* A new quantity also needs a row in the table of metrics.c. */
typedef struct ksiJointStats {
    dJointType type;
    int number, body[2];
    char *given; /* the last name from the host, or NULL */
    uint64_t givenStep, firstStep, steps;
    uint64_t verdict[KSI_VERDICTS], reason[KSI_REASONS];
    /* Steps whose motion the forces do not explain; steps without a verdict on the error. Neither
       passes. */
    uint64_t unexplained, unknown[KSI_ERRORS];
    ksiErrorStats error[KSI_ERRORS];
    ksiUndetermined undetermined;
    ksiHistogram load[KSI_SIZES][KSI_LOADS]; /* torques are about the anchor or mass centre */
    ksiMoment peak[KSI_SIZES];               /* the largest force and torque of the mechanism, with
                                                their bars */
    ksiBorne borne[KSI_SPANS][KSI_SIZES];
    ksiGap gap[KSI_GAPS];
    ksiOpening opening;
    double massRatio;         /* largest mass ratio of the joint's two bodies, >= 1; 0: fewer than
                                 two move freely */
    ksiCompliance compliance; /* the largest shares of compliance */
    ksiMotorStats motor[KSI_MOTORS];
    ksiTimeline timeline;  /* ksiJointBucket */
    ksiByIterations tried; /* ksiTried */
} ksiJointStats;

/* A pair of ksInspectorPair. Forces: the mean, the physical one, the noise of single steps. Peaks
 * with bars, in this order: of the mean, of the physical force, of the ratio of friction to the
 * largest possible friction, and of the distance of the centre of pressure from the mass centre,
 * across the normal. */
enum { KSI_PAIR_FORCES = 3, KSI_PAIR_OF_FRICTION = 2, KSI_PAIR_PEAKS = 4, KSI_PAIR_REASONS = 42 };
_Static_assert(KS_REASON_REMEMBERED == UINT64_C(1) << (KSI_PAIR_REASONS - 1), "the last reason is counted");

typedef struct ksiPairStats {
    int body[2];                    /* numbers of the body that the forces act on, and of the other
                                       one; 0: the world */
    uint64_t steps, touching, next; /* measured steps; measured steps with a normal force in the
                                       window; the step after the last measured one */
    double window;                  /* s */
    uint64_t verdict[KSI_VERDICTS], reason[KSI_PAIR_REASONS];
    ksiHistogram force[KSI_PAIR_FORCES],
        size[KSI_PAIR_PEAKS - KSI_PAIR_OF_FRICTION]; /* N; ratio of friction to the largest
                                                        possible friction, and distance of the
                                                        centre of pressure, m */
    ksiBorne peak[KSI_PAIR_PEAKS];
} ksiPairStats;

/* Sorted by body. */
typedef struct ksiPairs {
    ksiPairStats *at; /* [count] */
    size_t count, capacity;
} ksiPairs;

/* All contacts of a world. */
typedef struct ksiContactStats {
    /* Number of steps with a contact; number of reactions, also by verdict and by reason. */
    uint64_t steps, count, verdict[KSI_VERDICTS], reason[KSI_REASONS];
    ksiErrorStats error;
} ksiContactStats;

/* Trial steps with this number of iterations. */
typedef struct ksiAdvice {
    int iterations;
    uint64_t steps;
    ksiHistogram error[KSI_ERRORS]; /* errors of all joints */
    ksiHistogram worst;             /* largest error of a joint in each KSI_ALONE trial */
    ksiHistogram inARow;            /* largest error of a joint in each KSI_IN_A_ROW trial */
    ksiHistogram net;               /* net errors of bodies */
} ksiAdvice;

typedef struct ksiUsedIterations {
    int iterations;
    uint64_t steps;
} ksiUsedIterations;

typedef struct ksiWorldStats {
    char *name;
    size_t run;     /* index of the world's run in the report, or KSI_NO_RUN */
    uint64_t place; /* the world's place in the run, by its first record */
    ksiJointStats **joint;
    size_t jointCount, jointCapacity;
    ksiMap jointIndex;
    uint64_t seen, inspected, leftOut, tooMany; /* numbers of steps; tooMany: number of reactions of
                                                   joints with too high a number */
    uint64_t firstStep, lastStep;               /* the first and last inspected step */
    double firstTime, lastTime;
    uint64_t stepper[KSI_STEPPERS], verdict[KSI_VERDICTS];
    ksiByIterations used, advice; /* ksiUsedIterations; ksiAdvice */
    ksiHistogram stepSize;
    double leastStepSize;
    double erp, cfm;   /* values of the last step; NaN: unknown */
    double meanWindow; /* s, window of the means; 0: nothing was inspected */
    uint64_t estimatedSteps;
    ksiContactStats contacts;
    ksiErrorStats net; /* errors of net forces on bodies */
    ksiContactShares contactShares;
    ksiFlickers flickers;
    ksiPairs pairs;
    ksiExcludedJoints excluded;
    ksiTimeline timeline; /* ksiWorldBucket */
    ksiEnergyStats energy;
    unsigned exponent; /* least exponent of the joints' timelines */
    ksiShownMotion motion;
} ksiWorldStats;

/* Did another engine make all of the steps? */
static inline bool ksiIsForeign(const ksiWorldStats *stats)
{
    return stats->inspected > 0 && stats->stepper[KS_FOREIGN_STEP] == stats->inspected;
}

typedef struct ksiWatcher ksiWatcher;

struct ksReport {
    ksAllocator allocator;
    ksReportOptions options; /* the report owns the patterns */
    ksiWorldStats **world;
    size_t worldCount, worldCapacity;
    ksiWatcher **watcher;
    size_t watcherCount, watcherCapacity;
    ksiRun *run; /* the runs of programs that the report is about */
    size_t runCount, runCapacity;
    ksiMap runIndex, worldIndex; /* indices for merging: by file and identity; by run and place */
    ksiMap metBodies;            /* bodies whose net error was already added in this step */
    ksiMap jointBodies;          /* workspace of ksiMotorConflictsAdd in this step */
    ksiScene scene;              /* the scene of the last shown record */
    const ksReport *older;       /* an earlier report for comparison, or NULL */
    double tolerance;
    const struct ksiMostLoad *load; /* limits of loads, or NULL */
    size_t loadCount;
    double meanLimited; /* s: limits and the comparison with `older` use means over this time; 0:
                           they use steps */
    const struct ksiSuppressions *suppressions; /* suppressed findings, or NULL */
    double proposal;                            /* factor of proposed limits on the joints' loads;
                                                   0: none */
    bool isComparisonAlone;
    bool isUnguarded; /* an error above the limit fails no JUnit test */
    bool isOfCommand; /* the reader of the report uses the command rather than the library */
};

/* Appends a world, and returns it; NULL: out of memory. name NULL: "world 1", "world 2" and so
 * on. */
ksiWorldStats *ksiWorldMake(ksReport *report, const char *name);
ksiWorldStats *ksiWorldAt(const ksReport *report, size_t index);
void ksiWorldFree(const ksAllocator *allocator, ksiWorldStats *world);

/* The joint's statistics, created if there are none; NULL: out of memory. */
ksiJointStats *ksiJointMake(const ksAllocator *allocator, ksiWorldStats *world, dJointType type, int number,
                            const int body[2]);
ksiJointStats *ksiJointFind(const ksiWorldStats *world, dJointType type, int number, const int body[2]);

/* Sets the joint's last name from the host; NULL: none. false: out of memory. */
bool ksiRename(const ksAllocator *allocator, ksiJointStats *joint, const char *given, uint64_t step);

/* Size limit of a world's animation in bytes; 0: no animation. */
size_t ksiMotionRoom(const ksReport *report, size_t world);

/* Sets the bucket sizes of all timelines for the steps [first, last] and the number of joints. */
void ksiFitTimelines(ksiWorldStats *world, uint64_t first, uint64_t last);

/* Each replaces the largest value by a larger one, or by an equal earlier one. A range also keeps
 * the least value. */
void ksiMomentNote(ksiMoment *largest, const ksiMoment *moment);
void ksiBorneNote(ksiBorne *borne, const ksiReach *reach);
void ksiRangeNote(ksiRange *range, double x);
void ksiComplianceNote(ksiCompliance *largest, const ksiCompliance *compliance);

#endif
