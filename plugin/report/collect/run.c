/* run.c  The run of a program: its start, end and processes. */
#define _GNU_SOURCE
#include "run.h"

#include "../document/json.h"
#include "traps.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

ksiRun ksiRunOfHost(void)
{
    ksiRun own = {.argumentCount = 0};
    snprintf(own.program, sizeof own.program, "%s", program_invocation_name);
    (void)ksiRunTakeEnvironment(&own, environ);
    return own;
}

/* --- Text from programs --- */

/* Cleans the arguments. Omits the first argument that does not fit after cleaning, and all later
 * ones. */
static bool cleanArguments(const ksAllocator *allocator, ksiRun *run)
{
    char out[sizeof run->arguments];
    const char *at = run->arguments, *end = at + sizeof run->arguments;
    size_t used = 0;
    int32_t count = 0;
    for (int32_t i = 0; i < run->argumentCount && at < end; i++) {
        const size_t length = strnlen(at, (size_t)(end - at));
        char one[sizeof run->arguments];
        snprintf(one, sizeof one, "%.*s", (int)length, at);
        if (!ksiCleanInPlace(allocator, one, sizeof one))
            return false;
        at += length + 1;
        if (used + strlen(one) + 1 > sizeof out)
            break;
        memcpy(out + used, one, strlen(one) + 1);
        used += strlen(one) + 1;
        count++;
    }
    memset(out + used, 0, sizeof out - used);
    memcpy(run->arguments, out, sizeof out);
    run->argumentCount = count;
    return true;
}

/* Cleans the parameters. Omits those that are invalid, or do not fit after cleaning. */
static bool cleanParameters(const ksAllocator *allocator, ksiRun *run)
{
    ksiRun old;
    memcpy(old.parameters, run->parameters, sizeof old.parameters);
    old.parameters[sizeof old.parameters - 1] = 0;
    memset(run->parameters, 0, sizeof run->parameters);
    for (const char *at = NULL; (at = ksiRunNextParameter(&old, at)) != NULL;) {
        char one[sizeof old.parameters];
        snprintf(one, sizeof one, "%s", at);
        if (!ksiCleanInPlace(allocator, one, sizeof one))
            return false;
        (void)ksiRunSetParameter(run, one);
    }
    return true;
}

/* Cleans each line of the notes. */
static bool cleanNotes(const ksAllocator *allocator, ksiRun *run)
{
    run->notes[sizeof run->notes - 1] = 0;
    for (char *line = run->notes, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        if (!end)
            return ksiCleanInPlace(allocator, line, (size_t)(run->notes + sizeof run->notes - line));
        *end = 0;
        // cuts a line that cleaning makes longer, so that the others stay where they are
        const bool isClean = ksiCleanInPlace(allocator, line, (size_t)(end - line) + 1);
        memset(line + strlen(line), ' ', (size_t)(end - line) - strlen(line));
        *end = '\n';
        if (!isClean)
            return false;
    }
    return true;
}

bool ksiRunClean(const ksAllocator *allocator, ksiRun *run)
{
    return ksiCleanInPlace(allocator, run->program, sizeof run->program) &&
           ksiCleanInPlace(allocator, run->begun, sizeof run->begun) &&
           ksiCleanInPlace(allocator, run->file, sizeof run->file) &&
           ksiCleanInPlace(allocator, run->engine, sizeof run->engine) &&
           ksiCleanInPlace(allocator, run->built, sizeof run->built) && cleanArguments(allocator, run) &&
           cleanParameters(allocator, run) && cleanNotes(allocator, run);
}

ksStatus ksiReportSetRun(ksReport *report, size_t index, const ksiRun *run)
{
    const ksAllocator *allocator = &report->allocator;
    ksiRun own = *run;
    if (!ksiRunClean(allocator, &own) ||
        ksiReserve(allocator, &report->run, &report->runCapacity, index + 1, sizeof own))
        return KS_ERROR_NO_MEMORY;
    report->run[index] = own;
    if (report->runCount <= index)
        report->runCount = index + 1;
    return KS_OK;
}

/* --- Parts --- */

bool ksiRunHasShard(const ksiRun *run, uint32_t shard)
{
    return run->shard[shard / 64] >> shard % 64 & 1;
}

uint32_t ksiRunMissing(const ksiRun *run)
{
    uint32_t missing = 0;
    for (uint32_t i = 0; i < run->shards; i++)
        missing += !ksiRunHasShard(run, i);
    return missing;
}

/* --- The end of a run --- */

bool ksiRunEndsWell(const ksiRun *run)
{
    return (run->isOver || ksiRunIsOfHost(run)) && run->status == 0 && run->signal == 0 && run->notFinite.body == 0;
}

bool ksiRunIsGood(const ksiRun *run)
{
    return ksiRunEndsWell(run) && run->unseen + run->lost + ksiRunMissing(run) == 0;
}

/* The name of a signal that ends programs; for any other signal its number, such as "signal 34". */
static const char *signalName(int number, char out[24])
{
    static const struct {
        int number;
        const char *name;
    } known[] = {{SIGABRT, "SIGABRT"}, {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
                 {SIGILL, "SIGILL"},   {SIGSYS, "SIGSYS"},   {SIGTRAP, "SIGTRAP"}, {SIGKILL, "SIGKILL"},
                 {SIGTERM, "SIGTERM"}, {SIGINT, "SIGINT"},   {SIGHUP, "SIGHUP"},   {SIGQUIT, "SIGQUIT"},
                 {SIGPIPE, "SIGPIPE"}, {SIGALRM, "SIGALRM"}, {SIGXCPU, "SIGXCPU"}, {SIGXFSZ, "SIGXFSZ"}};
    snprintf(out, 24, "signal %d", number);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].number == number)
            snprintf(out, 24, "%s", known[i].name);
    return out;
}

const char *ksiRunErrorType(const ksiRun *run)
{
    static _Thread_local char type[24];
    return run->signal > 0           ? signalName(run->signal, type)
           : ksiRunIsOfHost(run)     ? "not inspected"
           : !run->isOver            ? "not over"
           : run->status > 0         ? "exit status"
           : run->notFinite.body > 0 ? "not finite"
                                     : "not inspected";
}

static void writeWhere(const ksiRun *run, ksiText *out)
{
    if (run->world > 0)
        ksiTextAdd(out, " %s step %llu of world %u, at %g s%s", run->isInStep ? "in" : "after",
                   (unsigned long long)run->step, run->world, run->time, run->isExact ? ", an exact step" : "");
}

static void writeNotFinite(const ksiRun *run, ksiText *out)
{
    const ksiNotFinite *found = &run->notFinite;
    const bool isThere = run->world == found->world && run->step == found->step;
    if (found->body == 0)
        return;
    ksiTextAdd(out, ": the %s of body %u", ksiQuantityName(found->quantity), found->body);
    if (run->world != found->world)
        ksiTextAdd(out, " in world %u", found->world);
    ksiTextAdd(out, " is not finite");
    if (!isThere)
        ksiTextAdd(out, " from step %llu on, at %g s", (unsigned long long)found->step, found->time);
    if (found->more > 0)
        ksiTextAdd(out, ", and neither %s %u other %s", found->more > 1 ? "are" : "is", found->more,
                   found->more > 1 ? "bodies" : "body");
}

void ksiRunWriteEnd(const ksiRun *run, ksiText *out)
{
    char name[24];
    const bool hasBroken = run->signal > 0 || run->isInStep;
    if (run->signal > 0)
        ksiTextAdd(out, "killed by %s", signalName(run->signal, name));
    else if (ksiRunIsOfHost(run))
        ksiTextAdd(out, run->isOver ? "it has closed the recording" : "its end is not recorded");
    else if (!run->isOver)
        ksiTextAdd(out, "still running when this was written");
    else
        ksiTextAdd(out, "exit status %d", run->status);
    if (hasBroken)
        writeWhere(run, out);
    writeNotFinite(run, out);
}

/* Quotes a word for a shell. */
static void writeWord(const char *word, ksiText *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
    if (*word && !word[strspn(word, plain)]) {
        ksiTextAdd(out, "%s", word);
        return;
    }
    ksiTextAdd(out, "'");
    for (size_t length; *word; word += length + (word[length] == '\'')) {
        length = strcspn(word, "'");
        ksiTextAddBytes(out, word, length);
        ksiTextAddBytes(out, "'\\''", word[length] ? 4 : 0);
    }
    ksiTextAdd(out, "'");
}

void ksiRunWriteCall(const ksiRun *run, ksiText *out)
{
    const char *argument = run->arguments;
    writeWord(run->program, out);
    for (int32_t i = 0; i < run->argumentCount; i++) {
        ksiTextAdd(out, " ");
        writeWord(argument, out);
        argument += strlen(argument) + 1;
    }
}

void ksiRunEachNote(const ksiRun *run, void (*add)(const char *note, void *user), void *user)
{
    size_t length;
    for (const char *rest = run->notes, *line; (line = ksiTextLine(&rest, &length)) != NULL;) {
        char note[KSI_RUN_NOTES];
        snprintf(note, sizeof note, "%.*s", (int)length, line);
        while (length > 0 && note[length - 1] == ' ')
            note[--length] = 0;
        add(note, user);
    }
    if (ksiRunMissing(run) > 0) {
        char note[80];
        snprintf(note, sizeof note, "%u of the %u parts in which it was judged are missing", ksiRunMissing(run),
                 run->shards);
        add(note, user);
    }
}

static void compareNote(const char *note, void *user)
{
    const char **wanted = user;
    if (*wanted && strcmp(note, *wanted) == 0)
        *wanted = NULL;
}

void ksiRunAddNote(ksiRun *run, const char *note)
{
    const char *wanted = note;
    const size_t used = strlen(run->notes);
    ksiRunEachNote(run, compareNote, &wanted);
    if (wanted && used + strlen(note) + 2 <= sizeof run->notes)
        snprintf(run->notes + used, sizeof run->notes - used, "%s\n", note);
}

/* --- JSON --- */

static json_t *argumentsToJson(const ksiRun *run)
{
    json_t *array = json_array();
    const char *argument = run->arguments;
    for (int32_t i = 0; i < run->argumentCount; i++) {
        json_array_append_new(array, json_string(argument));
        argument += strlen(argument) + 1;
    }
    return array;
}

/* Values are strings, because they need not be numbers. */
static json_t *parametersToJson(const ksiRun *run)
{
    json_t *object = json_object();
    for (const char *at = NULL; (at = ksiRunNextParameter(run, at)) != NULL;) {
        char name[sizeof run->parameters];
        const size_t length = strcspn(at, "=");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        json_object_set_new(object, name, json_string(at + length + 1));
    }
    return object;
}

static void appendNote(const char *note, void *user)
{
    json_array_append_new(user, json_string(note));
}

static json_t *lastStepToJson(const ksiRun *run)
{
    if (run->world == 0)
        return json_null();
    return json_pack("{s:i, s:I, s:o, s:b, s:b}", "world", (int)run->world, "step", (json_int_t)run->step, "time",
                     ksiJsonNumber(run->time), "ended", !run->isInStep, "exact", (int)run->isExact);
}

static json_t *notFiniteToJson(const ksiNotFinite *found)
{
    if (found->body == 0)
        return json_null();
    return json_pack("{s:i, s:I, s:o, s:i, s:s, s:i}", "world", (int)found->world, "step", (json_int_t)found->step,
                     "time", ksiJsonNumber(found->time), "body", (int)found->body, "quantity",
                     ksiQuantityName(found->quantity), "otherBodies", (int)found->more);
}

static json_t *trapsToJson(uint32_t traps)
{
    json_t *array = json_array();
    for (int i = 0; i < KSI_TRAPS; i++)
        if (traps >> i & 1u)
            json_array_append_new(array, json_string(ksiTrapName(i)));
    return array;
}

json_t *ksiRunToJson(const ksAllocator *allocator, const ksiRun *run)
{
    char name[24];
    ksiText end = {.allocator = allocator};
    json_t *notes = json_array();
    ksiRunEachNote(run, appendNote, notes);
    ksiRunWriteEnd(run, &end);
    const bool isByExit = run->isOver && !ksiRunIsOfHost(run) && run->signal == 0;
    json_t *made = json_pack(
        "{s:s, s:o, s:s, s:s, s:s, s:o, s:n, s:o, s:o, s:s?, s:o, s:o, s:o, s:i, s:o}", "program", run->program,
        "arguments", argumentsToJson(run), "date", run->begun, "engine", run->engine, "configuration", run->built,
        "parameters", parametersToJson(run), "good", "status", isByExit ? json_integer(run->status) : json_null(),
        "signal", run->signal > 0 ? json_string(signalName(run->signal, name)) : json_null(), "end", end.at, "lastStep",
        lastStepToJson(run), "notFinite", notFiniteToJson(&run->notFinite), "traps", trapsToJson(run->traps),
        "unseenProcesses", (int)(run->unseen + run->lost), "notes", notes);
    ksiTextFree(&end);
    return made;
}
