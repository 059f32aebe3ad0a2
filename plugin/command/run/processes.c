/* processes.c  Describes how a run's processes ended, and why some were not inspected. */
#include "processes.h"

#include "../../base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_KINDS = 256 };

typedef struct Kind {
    char program[96], why[KSI_FATE_WORDS];
    bool isPartly, isUnseen;
    unsigned count;
} Kind;

struct ksiProcesses {
    Kind *kind;
    size_t count, capacity;
    unsigned unseen, turnedAway;
};

static const char *whyNotStepped(const ksiSeen *place)
{
    if (!place->hasEnded)
        return "it ended, or became a program without the wrapper, before it made a visible step";
    return place->hasEngine ? "it loaded the engine, but never stepped a world, or stepped it by "
                              "functions that the wrapper does not replace"
                            : "it does not use ODE, or is linked with it statically";
}

/* For a process that stepped and was not refused: why it was not inspected to its end; NULL: it was
 * inspected to its end. */
static const char *whyNotToItsEnd(const ksiSeen *place, bool isMain, char words[KSI_FATE_WORDS])
{
    const ksiNotFinite *found = &place->notFinite;
    const bool isBad = place->hasNotFinite;
    const char *exact = place->last.isExact ? ", an exact step" : "";
    if (!place->isLeft)
        return "it kept running after the program had ended";
    if (isMain || (!isBad && (place->hasEnded || !place->isStepping)))
        return NULL;
    if (place->hasEnded || !place->isStepping)
        snprintf(words, KSI_FATE_WORDS, "the %s of body %u of world %u is not finite from step %llu on",
                 ksiQuantityName(found->quantity), found->body, found->world, (unsigned long long)found->step);
    else if (isBad)
        snprintf(words, KSI_FATE_WORDS, "it died in step %llu of world %u, at %g s%s: the %s of body %u is not finite",
                 (unsigned long long)place->last.step, place->last.world, place->last.time, exact,
                 ksiQuantityName(found->quantity), found->body);
    else
        snprintf(words, KSI_FATE_WORDS, "it died in step %llu of world %u, at %g s%s",
                 (unsigned long long)place->last.step, place->last.world, place->last.time, exact);
    return words;
}

/* Steps that nobody requested do not count as missing. */
ksiProcessFate ksiFateOf(const ksiSeen *place, const char *broken, uint64_t recorded, bool isMain,
                         char words[KSI_FATE_WORDS])
{
    const bool isPartly = recorded > 0;
    const ksiPlaceState state = place->state;
    if (broken)
        return (ksiProcessFate){broken, isPartly, true};
    if (state == KSI_PLACE_REFUSED)
        return (ksiProcessFate){place->words, isPartly, true};
    if (state != KSI_PLACE_STEPPING || place->steps == 0)
        return (ksiProcessFate){whyNotStepped(place), false, false};
    const char *why = whyNotToItsEnd(place, isMain, words);
    if (why)
        return (ksiProcessFate){why, isPartly, true};
    if (!isPartly && place->exact > 0)
        return (ksiProcessFate){"it steps by ksInspectorExactStep, which replaces the engine's steps", false, true};
    if (place->missed > 0) {
        snprintf(words, KSI_FATE_WORDS, "it has made %llu world%s with joints, and no step of %s was seen",
                 (unsigned long long)place->missed, place->missed > 1 ? "s" : "", place->missed > 1 ? "these" : "it");
        return (ksiProcessFate){words, isPartly, true};
    }
    const bool isTold = isMain && !place->hasEnded && place->isStepping;
    return (ksiProcessFate){isPartly || isTold ? NULL : "none of its steps was selected", isPartly, false};
}

ksiProcesses *ksiProcessesCreate(void)
{
    return calloc(1, sizeof(ksiProcesses));
}

void ksiProcessesDestroy(ksiProcesses *processes)
{
    if (!processes)
        return;
    ksiFree(&ksiLibraryAllocator, processes->kind);
    free(processes);
}

static Kind *findKind(ksiProcesses *processes, const char *program, const ksiProcessFate *fate)
{
    for (size_t i = 0; i < processes->count; i++) {
        Kind *kind = &processes->kind[i];
        if (kind->isPartly == fate->isPartly && kind->isUnseen == fate->isUnseen &&
            strncmp(kind->program, program, sizeof kind->program - 1) == 0 &&
            strncmp(kind->why, fate->why, sizeof kind->why - 1) == 0)
            return kind;
    }
    if (processes->count == MOST_KINDS || ksiReserve(&ksiLibraryAllocator, &processes->kind, &processes->capacity,
                                                     processes->count + 1, sizeof *processes->kind))
        return NULL;
    Kind *made = &processes->kind[processes->count++];
    *made = (Kind){.isPartly = fate->isPartly, .isUnseen = fate->isUnseen};
    snprintf(made->program, sizeof made->program, "%s", program);
    snprintf(made->why, sizeof made->why, "%s", fate->why);
    return made;
}

void ksiProcessesAdd(ksiProcesses *processes, const char *program, const ksiProcessFate *fate)
{
    processes->unseen += fate->isUnseen;
    if (!fate->why)
        return;
    Kind *kind = findKind(processes, program, fate);
    if (kind)
        kind->count++;
}

void ksiProcessesTurnAway(ksiProcesses *processes, int count)
{
    processes->turnedAway = count > 0 ? (unsigned)count : 0;
}

unsigned ksiProcessesUnseen(const ksiProcesses *processes)
{
    return processes->unseen + processes->turnedAway;
}

void ksiProcessesEach(const ksiProcesses *processes, bool isAnyInspected, void (*tell)(const char *words, void *user),
                      void *user)
{
    char words[640], times[40] = "";
    for (size_t i = 0; i < processes->count; i++) {
        const Kind *kind = &processes->kind[i];
        if (!kind->isUnseen && isAnyInspected)
            continue;
        times[0] = 0;
        if (kind->count > 1)
            snprintf(times, sizeof times, " (%u processes)", kind->count);
        snprintf(words, sizeof words, "%s%s was not inspected%s: %s", kind->program, times,
                 kind->isPartly ? " as a whole" : "", kind->why);
        tell(words, user);
    }
    if (processes->turnedAway == 0)
        return;
    snprintf(words, sizeof words, "%u %s not inspected: there is room for %d at a time", processes->turnedAway,
             processes->turnedAway > 1 ? "processes were" : "process was", KSI_CHANNEL_PLACES);
    tell(words, user);
}
