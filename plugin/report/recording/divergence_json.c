/* divergence_json.c  Differences of two recordings as JSON. */
#include "divergence.h"

#include "../document/json.h"

static const char *const causeName[] = {
    "settings",        "bodies",   "joints", "masses", "poses",   "velocities", "flags",  "forces", "bodyParameters",
    "jointParameters", "contacts", "order",  "seed",   "threads", "result",     "engine", "unknown"};

static json_t *integer(uint64_t x)
{
    return json_integer((json_int_t)x);
}

static json_t *causesToJson(unsigned causes)
{
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof causeName / sizeof *causeName; i++)
        if (causes >> i & 1)
            ksiJsonAppend(list, json_string(causeName[i]));
    return list;
}

static json_t *valuesToJson(const ksiFinding *found, int which)
{
    const ksiField *field = found->field;
    json_t *list = json_array();
    for (size_t i = 0; i < (field ? field->count : 1); i++) {
        const uint64_t word = found->value[which][i];
        double real;
        memcpy(&real, &word, sizeof real);
        ksiJsonAppend(list, field && field->kind <= KSI_POSITIVE ? ksiJsonNumber(real) : integer(word));
    }
    return list;
}

static json_t *findingToJson(const ksiNamedFinding *named)
{
    const ksiFinding *found = &named->found;
    const bool isAlone = !found->field && (found->index[0] < 0 || found->index[1] < 0);
    json_t *made = json_object(), *who = json_array();
    for (int k = 0; k < 2; k++)
        if (named->changedBy >> k & 1)
            ksiJsonAppend(who, integer((uint64_t)k));
    ksiJsonPut(made, "cause", json_string(causeName[found->cause]));
    ksiJsonPut(made, "part", json_string(ksiRecordFields(found->part)->name));
    ksiJsonPut(made, "object", json_string(named->of[found->index[0] < 0]));
    ksiJsonPut(made, "field", json_string(found->field ? found->field->name : isAlone ? "is_there" : "place"));
    ksiJsonPut(made, "unit", json_string(found->field ? found->field->unit : "1"));
    ksiJsonPut(made, "a", valuesToJson(found, 0));
    ksiJsonPut(made, "b", valuesToJson(found, 1));
    ksiJsonPut(made, "component", integer(found->component));
    ksiJsonPut(made, "difference", ksiJsonNumber(found->size));
    ksiJsonPut(made, "objects", integer(found->count));
    ksiJsonPut(made, "changedIn", who);
    return made;
}

static json_t *againToJson(const ksiAgain again[2])
{
    json_t *list = json_array();
    for (int k = 0; k < 2; k++)
        ksiJsonAppend(list, again[k] == KSI_NOT_MADE_AGAIN ? json_null() : json_boolean(again[k] == KSI_COMES_AGAIN));
    return list;
}

static json_t *divergenceToJson(const ksiDivergence *divergence)
{
    if (!divergence->isThere)
        return json_null();
    json_t *made = json_object(), *findings = json_array();
    for (size_t i = 0; i < divergence->count; i++)
        ksiJsonAppend(findings, findingToJson(&divergence->finding[i]));
    ksiJsonPut(made, "step", integer(divergence->step));
    ksiJsonPut(made, "time", ksiJsonNumber(divergence->time));
    ksiJsonPut(made, "isInput", json_boolean(divergence->isInput));
    ksiJsonPut(made, "isAfterSame", json_boolean(divergence->isAfterSame));
    ksiJsonPut(made, "causes", causesToJson(divergence->causes));
    ksiJsonPut(made, "comesAgain", againToJson(divergence->again));
    ksiJsonPut(made, "findings", findings);
    return made;
}

static json_t *two(uint64_t a, uint64_t b)
{
    return json_pack("[o, o]", integer(a), integer(b));
}

static json_t *worldToJson(const ksiRecordingPair *pair, const ksiWorldPair *world)
{
    json_t *made = json_object(), *names = json_array();
    for (int k = 0; k < 2; k++)
        ksiJsonAppend(names, world->name[k][0] ? json_string(world->name[k]) : json_null());
    ksiJsonPut(made, "names", names);
    ksiJsonPut(made, "differs", json_boolean(ksiWorldDiffers(pair, world)));
    ksiJsonPut(made, "compared", integer(world->compared));
    ksiJsonPut(made, "steps", two(world->steps[0], world->steps[1]));
    ksiJsonPut(made, "inOneAlone", two(world->alone[0], world->alone[1]));
    ksiJsonPut(made, "damaged", two(world->damaged[0], world->damaged[1]));
    ksiJsonPut(made, "ofOtherLength", json_boolean(world->isShorter[0] || world->isShorter[1]));
    ksiJsonPut(made, "otherSeedsFrom", world->otherSeeds < 0 ? json_null() : json_integer(world->otherSeeds));
    ksiJsonPut(made, "first", divergenceToJson(&world->first));
    ksiJsonPut(made, "beyondTolerance", divergenceToJson(&world->beyond));
    return made;
}

static json_t *fileToJson(const ksiRecordingPair *pair, int which)
{
    const ksiRun *run = &pair->run[which];
    ksiText call = {.allocator = &ksiLibraryAllocator}, end = {.allocator = &ksiLibraryAllocator};
    json_t *made = json_object();
    ksiRunWriteCall(run, &call);
    ksiRunWriteEnd(run, &end);
    const bool isRun = !ksiRunIsOfHost(run) && !call.isShort && !end.isShort;
    char *path = ksiClean(&ksiLibraryAllocator, pair->path[which]);
    ksiJsonPut(made, "file", json_string(path));
    ksiJsonPut(made, "call", isRun ? json_string(call.at) : json_null());
    ksiJsonPut(made, "date", isRun ? json_string(run->begun) : json_null());
    ksiJsonPut(made, "end", isRun ? json_string(end.at) : json_null());
    ksiJsonPut(made, "engine", run->engine[0] ? json_string(run->engine) : json_null());
    ksiJsonPut(made, "configuration", json_string(run->built));
    ksiJsonPut(made, "records", integer(pair->records[which]));
    ksiFree(&ksiLibraryAllocator, path);
    ksiTextFree(&call);
    ksiTextFree(&end);
    return made;
}

json_t *ksiPairToJson(const ksiRecordingPair *pair)
{
    json_t *document = json_object(), *files = json_array(), *worlds = json_array();
    ksiJsonBegin();
    for (int k = 0; k < 2; k++)
        ksiJsonAppend(files, fileToJson(pair, k));
    for (size_t i = 0; i < pair->count; i++)
        ksiJsonAppend(worlds, worldToJson(pair, &pair->world[i]));
    ksiJsonPut(document, "schema", json_string("kinetostat-diff"));
    ksiJsonPut(document, "version", json_integer(1));
    ksiJsonPut(document, "kinetostat", json_string(PACKAGE_VERSION));
    ksiJsonPut(document, "status", json_integer(ksiPairStatus(pair)));
    ksiJsonPut(document, "tolerance", ksiJsonNumber(pair->tolerance));
    ksiJsonPut(document, "otherEngine", json_boolean(ksiIsOtherEngine(pair)));
    ksiJsonPut(document, "files", files);
    ksiJsonPut(document, "worlds", worlds);
    if (ksiJsonEnd())
        return document;
    json_decref(document);
    return NULL;
}
