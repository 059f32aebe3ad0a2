/* judge.c  Judges a recording as `kinetostat judge` does, and collects the errors of all joints in
 * all steps.
 *
 * An error is |d| / max(|a|, |b|, floor), d = a - b, by the project's measure |w|^2 = f^T f / m +
 * t^T I^-1 t over both bodies, in the determined part: orthogonal to the free directions. Forces
 * pass through zero, and vanish in flight, so there is a floor: a share of the largest physical
 * wrench of the step, or of the weight of a body of mean mass. */
#define _DEFAULT_SOURCE
#include "../bench_time.h"
#include "engines.h"

#include "plugin/report/recording/archive.h"
#include "plugin/report/recording/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double floorShare = 1e-2;

enum { BOTH = 12 };

typedef struct Errors {
    double *report, *motion;
    size_t count, all, capacity;
    double first; /* of the first step: FIRST_LOAD */
} Errors;

/* out = L^-1 v, I = L L^T: its length is (v^T I^-1 v)^(1/2) */
static void rootScale(const dMatrix3 I, const double v[3], double out[3])
{
    double L[3][3] = {{0}};
    for (int i = 0; i < 3; i++) {
        double rest = v[i];
        for (int j = 0; j <= i; j++) {
            double sum = I[4 * i + j];
            for (int k = 0; k < j; k++)
                sum -= L[i][k] * L[j][k];
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
        for (int j = 0; j < i; j++)
            rest -= L[i][j] * out[j];
        out[i] = rest / L[i][i];
    }
}

/* M^-1/2 w: force and torque on both bodies as one vector, whose length is the measure. */
static void scale(const ksReaction *reaction, const ksWrench on[2], double out[BOTH])
{
    memset(out, 0, BOTH * sizeof *out);
    for (int side = 0; side < 2; side++) {
        const double *R = reaction->rotation[side], *t = on[side].torque;
        const dBodyID body = reaction->body[side];
        double torque[3];
        dMass mass;
        if (!body || dBodyIsKinematic(body))
            continue;
        dBodyGetMass(body, &mass);
        for (int k = 0; k < 3; k++) {
            torque[k] = R[k] * t[0] + R[3 + k] * t[1] + R[6 + k] * t[2];
            out[6 * side + k] = on[side].force[k] / sqrt(mass.mass);
        }
        rootScale(mass.I, torque, out + 6 * side + 3);
    }
}

static double dot(const double a[BOTH], const double b[BOTH])
{
    double sum = 0;
    for (int k = 0; k < BOTH; k++)
        sum += a[k] * b[k];
    return sum;
}

/* The free directions on both bodies, orthonormal in the measure. */
static int makeBasis(const ksReaction *reaction, double basis[6][BOTH])
{
    int count = 0;
    for (int i = 0; i < reaction->freeCount; i++) {
        ksWrench on[2] = {reaction->freeDirection[i], {{0}, {0}}};
        double arm[3], turning[3], *made = basis[count];
        for (int k = 0; k < 3; k++)
            arm[k] = reaction->centre[0][k] - reaction->centre[1][k];
        engineCross(arm, on[0].force, turning);
        for (int k = 0; k < 3; k++) {
            on[1].force[k] = -on[0].force[k];
            on[1].torque[k] = -on[0].torque[k] - turning[k];
        }
        scale(reaction, on, made);
        const double whole = sqrt(dot(made, made));
        for (int other = 0; other < count; other++) {
            const double share = dot(made, basis[other]);
            for (int k = 0; k < BOTH; k++)
                made[k] -= share * basis[other][k];
        }
        const double size = sqrt(dot(made, made));
        for (int k = 0; k < BOTH; k++)
            made[k] /= size;
        count += size > 1e-9 * whole;
    }
    return count;
}

static void takeOut(int count, double basis[6][BOTH], double of[BOTH])
{
    for (int i = 0; i < count; i++) {
        const double share = dot(of, basis[i]);
        for (int k = 0; k < BOTH; k++)
            of[k] -= share * basis[i][k];
    }
}

static double errorOf(const double a[BOTH], const double b[BOTH], double least)
{
    double difference[BOTH];
    for (int k = 0; k < BOTH; k++)
        difference[k] = a[k] - b[k];
    const double size = fmax(fmax(sqrt(dot(a, a)), sqrt(dot(b, b))), least);
    return size > 0 ? sqrt(dot(difference, difference)) / size : 0;
}

/* Three values of a joint: reported, observed, physical. */
enum { REPORTED, OBSERVED, PHYSICAL, VALUES };
typedef double Values[VALUES][BOTH];

static void takeValues(const ksReaction *reaction, Values out)
{
    const ksWrench *on[VALUES] = {reaction->engine, reaction->observed, reaction->physical};
    double basis[6][BOTH];
    const int count = makeBasis(reaction, basis);
    for (int i = 0; i < VALUES; i++) {
        scale(reaction, on[i], out[i]);
        takeOut(count, basis, out[i]);
    }
}

static bool reserve(Errors *errors, size_t more)
{
    if (errors->count + more <= errors->capacity)
        return true;
    const size_t capacity = 2 * (errors->count + more);
    double *report = realloc(errors->report, capacity * sizeof *report);
    errors->report = report ? report : errors->report;
    double *motion = report ? realloc(errors->motion, capacity * sizeof *motion) : NULL;
    errors->motion = motion ? motion : errors->motion;
    errors->capacity = motion ? capacity : errors->capacity;
    return motion;
}

/* The weight of a body of mean mass, in the measure. */
static double meanWeight(const EngineScene *scene)
{
    double sum = 0;
    for (int i = 0; i < scene->bodyCount; i++)
        sum += scene->body[i].mass;
    return engineGravity * sqrt(sum / scene->bodyCount);
}

static bool addStep(const EngineScene *scene, const ksInspector *inspector, Errors *errors)
{
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    Values value[ENGINE_JOINTS];
    double least = meanWeight(scene);
    const bool isFirst = errors->all == 0;
    errors->all += (size_t)scene->jointCount;
    if (count > ENGINE_JOINTS || !reserve(errors, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        takeValues(&reaction[i], value[i]);
        const double size = sqrt(dot(value[i][PHYSICAL], value[i][PHYSICAL]));
        least = size > least ? size : least;
        errors->first += isFirst ? size * size : 0;
    }
    for (size_t i = 0; i < count; i++) {
        const double report = errorOf(value[i][REPORTED], value[i][PHYSICAL], floorShare * least);
        const double motion = errorOf(value[i][OBSERVED], value[i][PHYSICAL], floorShare * least);
        if (!isfinite(report) || !isfinite(motion))
            continue;
        errors->report[errors->count] = report;
        errors->motion[errors->count++] = motion;
    }
    return true;
}

static void fill(const Errors *errors, double figure[ENGINE_FIGURES])
{
    figure[FIRST_LOAD] = sqrt(errors->first);
    figure[JUDGED] = errors->all ? (double)errors->count / (double)errors->all : NAN;
    if (!errors->count)
        return;
    const size_t middle = errors->count / 2, high = errors->count * 95 / 100;
    benchSort(errors->report, errors->count);
    benchSort(errors->motion, errors->count);
    figure[REPORT_MEDIAN] = errors->report[middle];
    figure[REPORT_HIGH] = errors->report[high];
    figure[MOTION_MEDIAN] = errors->motion[middle];
    figure[MOTION_HIGH] = errors->motion[high];
}

static ksStatus judgeAll(const EngineScene *scene, ksiArchive *archive, ksReport *report, Errors *errors)
{
    ksiJudgeOptions options;
    ksiJudge *judge = NULL;
    size_t world;
    ksiJudgeOptionsInit(&options);
    options.adviseEvery = 0;
    options.inspector.estimateSweeps = 0;
    ksStatus status = ksiReportAddWorld(report, NULL, &world);
    status = status ? status : ksiJudgeCreate(&options, report, world, &judge);
    for (size_t i = 0; i < ksiArchiveCount(archive) && !status; i++) {
        unsigned process;
        const ksiStepRecord *record = NULL;
        status = ksiArchiveRead(archive, i, &record, &process);
        if (status || !record || ksiIsEnd(record))
            continue;
        status = ksiJudgeStep(judge, record);
        if (!status && !addStep(scene, ksiJudgeInspector(judge), errors))
            status = KS_ERROR_NO_MEMORY;
    }
    ksiJudgeDestroy(judge);
    return status;
}

bool engineJudge(const EngineCase *what, const char *path, double figure[ENGINE_FIGURES])
{
    char words[KSI_ARCHIVE_WORDS] = "";
    ksReportOptions options;
    ksReport *report = NULL;
    Errors errors = {.count = 0};
    ksReportOptionsInit(&options);
    ksiArchive *archive = ksiArchiveOpen(path, words);
    ksStatus status = archive ? ksReportCreate(&options, &report) : KS_ERROR_FILE;
    status = status ? status : judgeAll(what->scene, archive, report, &errors);
    if (status)
        fprintf(stderr, "engines: %s: the recording cannot be judged: %s\n", what->scene->name,
                words[0] ? words : ksiWhyNotJudged(status));
    else
        fill(&errors, figure);
    ksReportDestroy(report);
    if (archive)
        (void)ksiArchiveClose(archive);
    free(errors.report);
    free(errors.motion);
    return !status;
}

bool engineIsSame(const EngineCase *what, const EngineResult *result, double first)
{
    // the rounding of numbers in a model's text, and of a step
    const double usual = 1e-6, found = result->figure[FIRST_LOAD];
    const double same = what->engine->rounding > 0 ? what->engine->rounding : usual;
    const bool is = fabs(found - first) <= same * fmax(first, meanWeight(what->scene));
    if (!is)
        fprintf(stderr, "engines: %s is another scene in %s: %g, not %g N/kg^(1/2)\n", what->scene->name,
                what->engine->name, found, first);
    return is;
}
