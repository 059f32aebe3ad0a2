/* trace_kit.h  Traced scenes, and the expected contents of their traces. */
#ifndef TESTS_KITS_REPORT_TRACE_KIT_H
#define TESTS_KITS_REPORT_TRACE_KIT_H

#include "plugin/report/collect/naming.h"
#include "tests/kits/support.h"

#include <kinetostat/trace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_SIZE = 256, MOST_REACTIONS = 20000 };

static const double stepSize = 0.005;

/* A folder of its own for each test. */
static char folder[PATH_SIZE];

static inline void makeFolder(void)
{
    strcpy(folder, "check_trace.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static inline void removeFolder(void)
{
    char command[PATH_SIZE + 16];
    snprintf(command, sizeof command, "rm -rf ./%s", folder);
    ck_assert_int_eq(system(command), 0);
}

/* The path of a file in the folder; static storage for eight paths. */
static inline const char *in(const char *name)
{
    static char path[8][PATH_SIZE];
    static int next;
    char *made = path[next++ % 8];
    snprintf(made, PATH_SIZE, "%.100s/%.100s", folder, name);
    return made;
}

/* A car on the ground: four hinges of two axes, and contacts that come and go. */
static inline Scene *car(void)
{
    dRandSetSeed(1);
    return sceneDrivingCar(&sceneCar, &sceneSurface[SURFACE_APPROX1]);
}

/* Nothing is flushed by the wall clock, so a slow machine writes the same file. */
static inline ksTraceOptions traceOptions(void)
{
    ksTraceOptions options;
    ksTraceOptionsInit(&options);
    options.flushSeconds = INFINITY;
    return options;
}

static inline ksTrace *traceInto(const char *path, const ksTraceOptions *options)
{
    ksTrace *trace = NULL;
    CHECK_OK(ksTraceCreate(path, options, &trace));
    return trace;
}

static inline void runScene(Scene *scene, ksInspector *inspector, int steps)
{
    for (int i = 0; i < steps; i++) {
        sceneBeforeStep(scene);
        CHECK_OK(ksInspectorQuickStep(inspector, stepSize));
        sceneAfterStep(scene);
    }
}

/* A scene, its inspector, and a trace into a file of the test's folder. */
typedef struct Traced {
    Scene *scene;
    ksInspector *inspector;
    ksTrace *trace;
} Traced;

/* options, world NULL: the default ones */
static inline Traced traceScene(Scene *scene, const char *file, const ksTraceOptions *options, const char *world)
{
    const Traced t = {scene, inspect(scene->world), traceInto(in(file), options)};
    CHECK_OK(ksTraceWatch(t.trace, t.inspector, world));
    return t;
}

static inline void runTraced(const Traced *t, int steps)
{
    runScene(t->scene, t->inspector, steps);
}

/* Destroys everything except the trace. */
static inline void dropScene(Traced *t)
{
    ksInspectorDestroy(t->inspector);
    sceneDestroy(t->scene);
}

/* Creates a trace, makes the steps, and closes it. */
static inline void traceSteps(Scene *scene, const char *file, const ksTraceOptions *options, const char *world,
                              int steps)
{
    Traced t = traceScene(scene, file, options, world);
    runTraced(&t, steps);
    CHECK_OK(ksTraceClose(t.trace));
    dropScene(&t);
}

/* Limits the size of files in bytes, beyond which the kernel ends the host by SIGXFSZ. INFINITY
 * removes the limit, since Check writes files, too. */
static inline void limitFiles(double bytes)
{
    const struct rlimit limit = {isinf(bytes) ? RLIM_INFINITY : (rlim_t)bytes, RLIM_INFINITY};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* Waits for a child that should succeed. */
static inline void waitForChild(pid_t child)
{
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}

/* All reactions and reports of a run, in order. */
typedef struct Record {
    ksInspector *inspector;
    ksiNaming *naming;
    size_t count, steps;
    ksReaction reaction[MOST_REACTIONS];
    char name[MOST_REACTIONS][64];
    ksStepReport report[2000];
    size_t first[2000];
    ksSubscription pair; /* 0: none */
    ksMean mean[2000];
} Record;

static inline void recordStep(const ksStepReport *report, void *user)
{
    Record *record = user;
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(record->inspector, &count);
    CHECK_OK(ksiNamingUpdate(record->naming, record->inspector));
    ck_assert_uint_le(record->count + count, MOST_REACTIONS);
    record->first[record->steps] = record->count;
    if (record->pair)
        CHECK_OK(ksInspectorGetMean(record->inspector, record->pair, &record->mean[record->steps]));
    record->report[record->steps++] = *report;
    for (size_t i = 0; i < count; i++) {
        snprintf(record->name[record->count], sizeof record->name[0], "%s",
                 ksiIdentify(record->naming, &reaction[i])->name);
        record->reaction[record->count++] = reaction[i];
    }
}

static inline Record *record(ksInspector *inspector)
{
    Record *made = calloc(1, sizeof *made);
    made->inspector = inspector;
    made->naming = ksiNamingCreate(NULL);
    CHECK_OK(ksInspectorOnStep(inspector, recordStep, made));
    return made;
}

/* The columns of a table of pairs that come from ksMean: name in HDF5, and stem in CSV, without
 * units. */
typedef struct PairColumn {
    const char *name, *stem;
    size_t offset;
    int width;
    const char *unit;
} PairColumn;

#define PAIR_VECTOR(name, stem, member, unit)                                                                          \
    {                                                                                                                  \
        name, stem, offsetof(ksMean, member), 3, unit                                                                  \
    }
#define PAIR_NUMBER(name, member, unit)                                                                                \
    {                                                                                                                  \
        name, name, offsetof(ksMean, member), 1, unit                                                                  \
    }
static const PairColumn pairColumn[] = {
    PAIR_VECTOR("mean_force", "mean_f", wrench.force, "[N]"),
    PAIR_VECTOR("mean_torque", "mean_t", wrench.torque, "[N.m]"),
    PAIR_VECTOR("mean_bar_force", "mean_bar_f", bar.force, "[N]"),
    PAIR_VECTOR("mean_bar_torque", "mean_bar_t", bar.torque, "[N.m]"),
    PAIR_VECTOR("deviation_force", "deviation_f", deviation.force, "[N]"),
    PAIR_VECTOR("deviation_torque", "deviation_t", deviation.torque, "[N.m]"),
    PAIR_VECTOR("normal", "normal_", normal, ""),
    PAIR_VECTOR("centre", "centre_", centre, "[m]"),
    PAIR_VECTOR("centre_bar", "centre_bar_", centreBar, "[m]"),
    PAIR_VECTOR("physical_force", "physical_f", physical.force, "[N]"),
    PAIR_VECTOR("physical_torque", "physical_t", physical.torque, "[N.m]"),
    PAIR_VECTOR("physical_bar_force", "physical_bar_f", physicalBar.force, "[N]"),
    PAIR_VECTOR("physical_bar_torque", "physical_bar_t", physicalBar.torque, "[N.m]"),
    PAIR_VECTOR("physical_open_force", "physical_open_f", physicalOpen.force, "[N]"),
    PAIR_VECTOR("physical_open_torque", "physical_open_t", physicalOpen.torque, "[N.m]"),
    PAIR_NUMBER("mean_time", time, "[s]"),
    PAIR_NUMBER("contact_share", contactShare, ""),
    PAIR_NUMBER("friction", friction, ""),
    PAIR_NUMBER("friction_bar", frictionBar, ""),
    PAIR_NUMBER("friction_use", frictionUse, ""),
    PAIR_NUMBER("friction_use_bar", frictionUseBar, ""),
};
enum { PAIR_COLUMNS = sizeof pairColumn / sizeof *pairColumn };

static inline double pairValue(const ksMean *mean, const PairColumn *column, int component)
{
    double value;
    memcpy(&value, (const char *)mean + column->offset + sizeof value * (size_t)component, sizeof value);
    return value;
}

/* "mean_fx", "friction"; static storage. */
static inline const char *pairHeading(const PairColumn *column, int component, bool hasUnit)
{
    static char heading[64];
    const char axis[2] = {column->width > 1 ? (char)('x' + component) : 0, 0};
    snprintf(heading, sizeof heading, "%s%s%s", column->stem, axis, hasUnit ? column->unit : "");
    return heading;
}

/* A car with everything that a trace can contain: estimates, contacts that come and go, a wheel and
 * the ground as a pair. It is recorded, and then traced. */
static inline Traced tracedCar(const char *file, const ksTraceOptions *options, const char *world, Record **wanted)
{
    ksInspectorOptions given = defaultOptions();
    given.estimateSweeps = 4;
    given.contactPhysical = 1;
    Scene *scene = car();
    const Traced t = {scene, inspectWith(scene->world, &given), traceInto(in(file), options)};
    *wanted = record(t.inspector);
    CHECK_OK(ksInspectorPair(t.inspector, scene->body[1], NULL, 0.15, &(*wanted)->pair));
    CHECK_OK(ksTraceWatch(t.trace, t.inspector, world));
    return t;
}

static inline void freeRecord(Record *record)
{
    ksiNamingDestroy(record->naming);
    free(record);
}

/* Traces of a car in files with this ending: a missing folder, an unsupported level, a full
 * disk. */
static inline void faultsAreTold(const char *ending)
{
    ksTrace *trace = NULL;
    ksTraceOptions options = traceOptions();
    char name[64];
    snprintf(name, sizeof name, "/nowhere/car.%s", ending);
    CHECK_STATUS(ksTraceCreate(name, NULL, &trace), KS_ERROR_FILE);
    options.level = KS_TRACE_RAW;
    snprintf(name, sizeof name, "raw.%s", ending);
    CHECK_STATUS(ksTraceCreate(in(name), &options, &trace), KS_ERROR_BAD_ARGUMENT);
    snprintf(name, sizeof name, "full.%s", ending);
    Traced t = traceScene(car(), name, NULL, NULL);
    limitFiles(5000);
    runTraced(&t, 60);
    const ksStatus status = ksTraceClose(t.trace);
    limitFiles(INFINITY);
    CHECK_STATUS(status, KS_ERROR_FILE);
    dropScene(&t);
}

/* Equal to the bit, or both NaN. */
static inline bool sameReal(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

#endif
