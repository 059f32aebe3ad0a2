/* json_runs.c  Many runs in a JSON document. */
#include "json.h"

#include "../findings/advice.h"

/* Appends the value if there is room, or if the list is empty. */
static void fit(json_t *list, json_t *value, size_t *room)
{
    const size_t size = *room == SIZE_MAX ? 0 : json_dumpb(value, NULL, 0, KSI_JSON_FLAGS);
    const bool fits = size <= *room || json_array_size(list) == 0;
    *room = !fits || size > *room ? 0 : *room == SIZE_MAX ? SIZE_MAX : *room - size;
    if (fits)
        ksiJsonAppend(list, value);
    else
        json_decref(value);
}

static json_t *peaks(const double load[KSI_LOADS])
{
    json_t *object = json_object();
    for (int i = 0; i < KSI_LOADS; i++)
        if (i != KSI_OF_MOTION || !isnan(load[i]))
            ksiJsonPut(object, ksiLoadName[i], ksiJsonNumber(load[i]));
    return object;
}

void ksiJsonPutSums(const ksiSums *sums, json_t *object)
{
    ksiJsonPut(object, "inspected", ksiJsonCount(sums->inspected));
    ksiJsonPut(object, "joints", ksiJsonCount(sums->joints));
    ksiJsonPut(object, "judged", ksiJsonCount(sums->judged));
    ksiJsonPut(object, "failed", ksiJsonCount(sums->failed));
    ksiJsonPut(object, "untold", ksiJsonCount(sums->untold));
}

static void putRun(const ksiRunView *run, json_t *object)
{
    const ksiWorldView *worst = run->worst;
    json_t *peak = json_object();
    ksiJsonPut(object, "file", json_string(run->run->file));
    ksiJsonPut(object, "worlds", ksiJsonCount(run->sums.worlds));
    ksiJsonPutSums(&run->sums, object);
    ksiJsonPut(object, "shareChecked", ksiJsonNumber(ksiShareChecked(run)));
    ksiJsonPut(object, "worstWorld", worst ? json_string(worst->name) : json_null());
    ksiJsonPut(object, "worstJoint",
               worst && worst->jointCount > 0 ? json_string(worst->worstFirst[0]->name) : json_null());
    ksiJsonPut(object, "worstError", worst ? ksiJsonNumber(worst->error) : json_null());
    for (int i = 0; i < KSI_SIZES; i++)
        ksiJsonPut(peak, ksiQuantities[i].name, peaks(run->load[i]));
    ksiJsonPut(object, "peak", peak);
}

/* Keeps only the members that a page shows for one of many runs. */
static void shorten(json_t *object)
{
    static const char *const unseen[] = {"engine", "configuration", "lastStep", "notFinite", "status", "signal"};
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++)
        json_object_del(object, unseen[i]);
}

json_t *ksiJsonRuns(const ksiView *view, size_t room)
{
    json_t *list = json_array();
    for (size_t i = 0; i < view->runCount && room > 0; i++) {
        const ksiRunView *run = view->badRunsFirst[i];
        json_t *object = ksiRunToJson(&view->report->allocator, run->run);
        // a run that was not inspected proves nothing
        ksiJsonPut(object, "good", json_boolean(ksiRunIsSeen(run) && run->sums.untold == 0));
        if (view->runCount > 1)
            putRun(run, object);
        if (room != SIZE_MAX && view->runCount > 1)
            shorten(object);
        fit(list, object, &room);
    }
    return list;
}

/* --- Joints over runs --- */

/* The smallest value that at least `percent` percent of the values do not exceed. */
static double quantile(const double *sorted, size_t count, double percent)
{
    const double rank = ceil(percent / 100 * (double)count * (1 - 1e-12));
    return count > 0 ? sorted[rank > 1 ? (size_t)rank - 1 : 0] : NAN;
}

static json_t *loads(double *const sorted[KSI_LOADS], const size_t count[KSI_LOADS])
{
    json_t *object = json_object();
    for (int i = 0; i < KSI_LOADS; i++) {
        if (i == KSI_OF_MOTION && count[i] == 0)
            continue;
        json_t *of = json_object();
        ksiJsonPut(of, "count", ksiJsonCount(count[i]));
        ksiJsonPut(of, "median", ksiJsonNumber(quantile(sorted[i], count[i], 50)));
        ksiJsonPut(of, "p95", ksiJsonNumber(quantile(sorted[i], count[i], KSI_PERCENTILE)));
        ksiJsonPut(of, "largest", ksiJsonNumber(quantile(sorted[i], count[i], 100)));
        ksiJsonPut(object, ksiLoadName[i], of);
    }
    return object;
}

typedef struct Pools {
    json_t *list;
    size_t room;
} Pools;

static void addPool(const ksiPool *pool, void *user)
{
    Pools *pools = user;
    json_t *object = json_object();
    ksiJsonPut(object, "name", json_string(pool->name));
    ksiJsonPut(object, "worlds", ksiJsonCount(pool->count));
    ksiJsonPut(object, "error", ksiJsonQuantiles(&pool->error[KSI_SOLVER]));
    ksiJsonPut(object, "physicalError", ksiJsonQuantiles(&pool->error[KSI_MODEL]));
    for (int i = 0; i < KSI_SIZES; i++)
        ksiJsonPut(object, ksiQuantities[i].name, loads(pool->load[i], pool->loadCount));
    fit(pools->list, object, &pools->room);
}

json_t *ksiJsonPooled(const ksiView *view, size_t room)
{
    Pools pools = {.list = json_array(), .room = room};
    if (ksiPoolJoints(view, addPool, &pools))
        return pools.list;
    // the caller passes NULL to ksiJsonPut, which notes that memory ran out
    json_decref(pools.list);
    return NULL;
}
