/* judges.c  Judges a live run in a separate process. */
#include "judges.h"

#include "../files/worker.h"

#include "../../base/clock.h"
#include "../../base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REPORT_TRIES = 3, MOST_NAMED = 1 << 16 };

/* Least interval between two standby copies, in units of the time that a copy and its page faults
 * take. */
static const double patience = 20;
enum { TRIES = 4, TRIED_PAGES = 4, PAGE = 4096 };

/* A message. A program's name or a record follows, of `bytes` bytes. The answer to a report is a
 * status. */
typedef enum Kind { PROCESS, RECORD, END, REPORT } Kind;
typedef struct Message {
    uint32_t kind, process;
    uint64_t bytes;
} Message;

/* A process's number and program. */
typedef struct Named {
    uint32_t process;
    char program[96];
} Named;

/* Shared by the judging process, its copies and the caller. */
typedef struct Shared {
    _Atomic uint64_t received;            /* number of records */
    _Atomic int isReceiving, isReporting; /* isReceiving: 1 while a message is incomplete;
                                             isReporting: attempts at a report that have not
                                             ended */
    char words[KSI_LOSS_WORDS];           /* buffer for ksiListen */
    ksiRun run;                           /* run of the requested report */
    ksiAsked asked;
    bool isAsked, isChecked;
    _Atomic uint32_t named; /* number of processes in `name`, which has the order of their first
                               messages */
    Named name[MOST_NAMED];
} Shared;

struct ksiJudges {
    const ksiOptions *options;
    ksiWorlds *worlds;
    ksiChannel *channel;
    ksiJudgesCalls calls;
    int line; /* socket to the other side; -1: none */
    bool isOver, hasTold;
    pid_t process;
    Shared *shared;
    // the following members belong to the judging process
    char *payload;
    size_t capacity;
    uint64_t received, lost; /* records, including lost ones; records that crashes lost */
    uint32_t named;          /* number of processes that it knows */
    unsigned breakdowns;     /* crashes that lost records */
    pid_t standby;
    double due;      /* s: when the next copy is due */
    double faulting; /* s: time of a write to a page that a copy shares */
    long faults;
    int word; /* pipe to the copy: a byte ends it */
    char why[KSI_LOSS_WORDS];
    double longestTrial;    /* s */
    uint64_t countedTrials; /* ns */
};

ksiJudges *ksiJudgesCreate(const ksiOptions *options, ksiWorlds *worlds, ksiChannel *channel,
                           const ksiJudgesCalls *calls)
{
    ksiJudges *made = calloc(1, sizeof *made);
    if (made)
        *made = (ksiJudges){.options = options,
                            .worlds = worlds,
                            .channel = channel,
                            .calls = *calls,
                            .line = -1,
                            .standby = -1,
                            .word = -1};
    return made;
}

bool ksiJudgesDestroy(ksiJudges *judges)
{
    int status = 0;
    if (!judges)
        return true;
    if (judges->line >= 0) {
        close(judges->line);
        (void)!waitpid(judges->process, &status, 0);
    }
    // another process may have replaced this one
    const bool isWhole = !judges->options->trace || status == 0;
    free(judges);
    return isWhole;
}

/* --- Time --- */

void ksiCountTime(ksiChannel *channel)
{
    static double counted;
    static pid_t process;
    const double now = ksiProcessorTime();
    // a child of fork() starts from zero
    counted = process == getpid() ? counted : 0;
    process = getpid();
    atomic_fetch_add(&channel->spent.command, (uint64_t)(1e9 * (now - counted)));
    counted = now;
}

/* Counts the time of a judgement, without trials. */
static void countJudgement(ksiJudges *judges, double begun)
{
    ksiSpent *spent = &judges->channel->spent;
    const uint64_t trials = atomic_load(&spent->trials), took = (uint64_t)(1e9 * (ksiProcessorTime() - begun));
    const uint64_t tried = trials - judges->countedTrials;
    judges->countedTrials = trials;
    atomic_fetch_add(&spent->judging, took > tried ? took - tried : 0);
    ksiCountTime(judges->channel);
    atomic_fetch_add(&spent->judged, 1);
}

/* Largest share of the allowed time for trials, each of which takes as long as a hundred steps. */
static const double shareOfTrials = 0.25;

/* Assumed ratio of the first trial's time to a step's. */
static const double guessedTrial = 150;

bool ksiJudgesMayTry(void *user, double stepSeconds)
{
    const ksiJudges *judges = user;
    const ksiSpent *spent = &judges->channel->spent;
    const double allowed = judges->options->sampling.overhead * 1e-9 * (double)atomic_load(&spent->program);
    const double trial = judges->longestTrial > 0 ? judges->longestTrial : guessedTrial * stepSeconds;
    return 1e-9 * (double)atomic_load(&spent->trials) + trial <= shareOfTrials * allowed;
}

void ksiJudgesHaveTried(void *user, double seconds)
{
    ksiJudges *judges = user;
    if (seconds > judges->longestTrial)
        judges->longestTrial = seconds;
    atomic_fetch_add(&judges->channel->spent.trials, (uint64_t)(1e9 * seconds));
}

/* --- In either process --- */

static ksStatus judge(ksiJudges *judges, unsigned process, const ksiStepRecord *record)
{
    const double begun = judges->options->sampling.overhead > 0 ? ksiProcessorTime() : 0;
    const ksStatus status = ksiWorldsJudge(judges->worlds, process, record);
    if (begun > 0)
        countJudgement(judges, begun);
    return status;
}

/* Makes the report, with the losses. */
static int makeReport(ksiJudges *judges, const ksiRun *run, const ksiAsked *asked, bool isChecked)
{
    ksiRun told = *run;
    const size_t used = strnlen(told.notes, sizeof told.notes);
    if (judges->lost > 0) {
        snprintf(told.notes + used, sizeof told.notes - used,
                 "%llu recorded steps were not judged: judging failed: %s\n", (unsigned long long)judges->lost,
                 judges->why);
        told.unseen++;
    }
    const int status = judges->calls.report(judges->calls.user, &told, asked, isChecked);
    return status == 0 && judges->lost > 0 ? KSI_UNSEEN : status;
}

/* --- The judging process --- */

/* false: the caller has ended. */
static bool receive(const ksiJudges *judges, void *out, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        const ssize_t now = read(judges->line, (char *)out + done, bytes - done);
        if (now == 0 || (now < 0 && errno != EINTR))
            return false;
        done += now > 0 ? (size_t)now : 0;
    }
    return true;
}

/* Ends this process and its standby copy. */
static _Noreturn void stop(const ksiJudges *judges)
{
    if (judges->standby > 0)
        (void)!write(judges->word, "", 1);
    ksiLeave(judges->calls.close(judges->calls.user) ? 0 : KSI_FAILED);
}

static void answerReport(ksiJudges *judges)
{
    Shared *shared = judges->shared;
    if (atomic_fetch_add(&shared->isReporting, 1) >= REPORT_TRIES)
        stop(judges);
    const int status = makeReport(judges, &shared->run, shared->isAsked ? &shared->asked : NULL, shared->isChecked);
    atomic_store(&shared->isReporting, 0);
    if (write(judges->line, &status, sizeof status) != sizeof status)
        stop(judges);
}

/* Number of page faults of this process. */
static long countFaults(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) ? 0 : usage.ru_minflt;
}

/* Time of a write to a page that a copy shares, s: the least of several trials, since other
 * programs may interrupt. */
static double timeFault(void)
{
    static volatile char page[TRIES][TRIED_PAGES][PAGE];
    double least = INFINITY;
    for (int k = 0; k < TRIES; k++) {
        const double begun = ksiWallTime();
        for (int i = 0; i < TRIED_PAGES; i++)
            page[k][i][0]++;
        least = fmin(least, (ksiWallTime() - begun) / TRIED_PAGES);
    }
    return least;
}

/* Is another copy due? Page faults delay it: they cost many times as much as the copy. */
static bool isCopyDue(ksiJudges *judges)
{
    if (judges->standby <= 0)
        return true;
    if (ksiWallTime() < judges->due)
        return false;
    const long faults = countFaults();
    judges->due += (1 + patience) * judges->faulting * (double)(faults - judges->faults);
    judges->faults = faults;
    return ksiWallTime() >= judges->due;
}

/* Makes a copy that waits for a byte or for the end of this process. Returns true in the copy,
 * after a crash. */
static bool standBy(ksiJudges *judges)
{
    int word[2];
    char none;
    if (judges->standby > 0) {
        (void)!write(judges->word, "", 1);
        close(judges->word);
        (void)!waitpid(judges->standby, NULL, 0);
    }
    const double begun = ksiWallTime();
    judges->standby = -1;
    if (pipe2(word, O_CLOEXEC))
        return false;
    judges->standby = fork();
    close(word[judges->standby != 0 ? 0 : 1]);
    judges->word = word[1];
    if (judges->standby < 0)
        close(word[1]);
    if (judges->standby != 0) {
        judges->due = begun + (1 + patience) * (ksiWallTime() - begun);
        judges->faulting = timeFault();
        judges->faults = countFaults();
        return false;
    }
    if (read(word[0], &none, 1) != 0)
        ksiLeave(0);
    close(word[0]);
    judges->standby = -1;
    return true;
}

/* Notes a process, also for a copy that takes over. */
static ksStatus noteProcess(ksiJudges *judges, uint32_t process, const char *program)
{
    Shared *shared = judges->shared;
    if (judges->named == MOST_NAMED) {
        // the copy lacks this process, so a newer copy is due
        judges->due = -INFINITY;
        return ksiWorldsProcess(judges->worlds, process, program);
    }
    Named *named = &shared->name[judges->named++];
    named->process = process;
    snprintf(named->program, sizeof named->program, "%s", program);
    atomic_store(&shared->named, judges->named);
    return ksiWorldsProcess(judges->worlds, process, program);
}

static void learnProcesses(ksiJudges *judges)
{
    const uint32_t known = atomic_load(&judges->shared->named), count = known < MOST_NAMED ? known : MOST_NAMED;
    while (judges->named < count) {
        Named named = judges->shared->name[judges->named++];
        named.program[sizeof named.program - 1] = 0;
        if (ksiWorldsProcess(judges->worlds, named.process, named.program))
            ksiEndWith(ksiWhyNotJudged(KS_ERROR_NO_MEMORY));
    }
}

/* Takes over from a crashed process: the records since the copy are lost; the names of processes
 * are not. */
static void standIn(ksiJudges *judges)
{
    Shared *shared = judges->shared;
    const uint64_t received = atomic_load(&shared->received), lost = received - judges->received;
    if (atomic_load(&shared->isReceiving))
        stop(judges);
    learnProcesses(judges);
    judges->lost += lost;
    judges->received = received;
    ksiExplainEnd(shared->words, &judges->options->limits, judges->why);
    memset(shared->words, 0, sizeof shared->words);
    judges->breakdowns += lost > 0;
    // prints the first, second, fourth, eighth ... loss, since a run may have a million
    if (lost > 0 && (judges->breakdowns & (judges->breakdowns - 1)) == 0)
        fprintf(stderr, "kinetostat: by now %llu recorded steps are not judged: judging failed: %s\n",
                (unsigned long long)judges->lost, judges->why);
}

/* Makes a standby copy if one is due. A copy that takes over makes its own copy at once. */
static void mindCopies(ksiJudges *judges)
{
    if (judges->options->trace || !isCopyDue(judges))
        return;
    bool hasStoodIn = false;
    while (standBy(judges)) {
        standIn(judges);
        hasStoodIn = true;
    }
    if (hasStoodIn && atomic_load(&judges->shared->isReporting))
        answerReport(judges);
}

static void handle(ksiJudges *judges, const Message *message)
{
    ksStatus status = KS_OK;
    ksiRenewTime();
    if (message->kind == PROCESS)
        status = noteProcess(judges, message->process, judges->payload);
    else if (message->kind == RECORD)
        status = judge(judges, message->process, (const void *)judges->payload);
    else if (message->kind == END)
        ksiWorldsEnd(judges->worlds, message->process);
    else
        answerReport(judges);
    if (status)
        ksiEndWith(ksiWhyNotJudged(status));
}

/* Leaves signals of the terminal to the caller. */
static void ignoreSignals(void)
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGPIPE};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        signal(numbers[i], SIG_IGN);
}

static _Noreturn void serve(ksiJudges *judges)
{
    Message message;
    ignoreSignals();
    ksiListen(judges->shared->words);
    if (!judges->calls.open(judges->calls.user))
        ksiLeave(KSI_FAILED);
    ksiLimitProcess(&judges->options->limits);
    ksiConfineProcess(&judges->options->limits, true);
    const bool isOpen = judges->calls.read(judges->calls.user);
    if (!isOpen || write(judges->line, &isOpen, sizeof isOpen) != sizeof isOpen)
        ksiLeave(KSI_FAILED);
    for (;;) {
        mindCopies(judges);
        if (!receive(judges, &message, sizeof message))
            stop(judges);
        atomic_store(&judges->shared->isReceiving, 1);
        if (ksiReserve(&ksiLibraryAllocator, &judges->payload, &judges->capacity, message.bytes + 1, 1) ||
            !receive(judges, judges->payload, message.bytes))
            stop(judges);
        judges->payload[message.bytes] = 0;
        judges->received += message.kind == RECORD;
        atomic_store(&judges->shared->received, judges->received);
        atomic_store(&judges->shared->isReceiving, 0);
        handle(judges, &message);
    }
}

/* --- The caller's side --- */

bool ksiJudgesStart(ksiJudges *judges)
{
    int line[2];
    bool isOpen;
    judges->shared = mmap(NULL, sizeof *judges->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (judges->shared == MAP_FAILED || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line) ||
        (judges->process = fork()) < 0) {
        fprintf(stderr, "kinetostat: cannot start a judging process: %s\n", strerror(errno));
        return false;
    }
    judges->line = line[judges->process == 0];
    close(line[judges->process != 0]);
    if (judges->process == 0)
        serve(judges);
    return receive(judges, &isOpen, sizeof isOpen);
}

static const char *tell(ksiJudges *judges, Kind kind, unsigned process, const void *payload, size_t bytes)
{
    const Message message = {kind, process, bytes};
    const struct {
        const char *at;
        size_t bytes;
    } part[2] = {{(const char *)&message, sizeof message}, {payload, bytes}};
    for (int i = 0; i < 2; i++)
        for (size_t done = 0; done < part[i].bytes && !judges->isOver;) {
            const ssize_t now = send(judges->line, part[i].at + done, part[i].bytes - done, MSG_NOSIGNAL);
            judges->isOver = now < 0 && errno != EINTR;
            done += now > 0 ? (size_t)now : 0;
        }
    return judges->isOver ? "judging failed" : NULL;
}

static const char *wordsOf(ksStatus status)
{
    return status ? ksiWhyNotJudged(status) : NULL;
}

const char *ksiJudgesProcess(ksiJudges *judges, unsigned process, const char *program)
{
    return judges->line < 0 ? wordsOf(ksiWorldsProcess(judges->worlds, process, program))
                            : tell(judges, PROCESS, process, program, strlen(program));
}

const char *ksiJudgesJudge(ksiJudges *judges, unsigned process, const ksiStepRecord *record)
{
    return judges->line < 0 ? wordsOf(judge(judges, process, record))
                            : tell(judges, RECORD, process, record, record->bytes);
}

const char *ksiJudgesEnd(ksiJudges *judges, unsigned process)
{
    if (judges->line >= 0)
        return tell(judges, END, process, NULL, 0);
    ksiWorldsEnd(judges->worlds, process);
    return NULL;
}

static int tellEnd(ksiJudges *judges)
{
    char why[KSI_LOSS_WORDS];
    ksiExplainEnd(judges->shared->words, &judges->options->limits, why);
    if (!judges->hasTold)
        fprintf(stderr, "kinetostat: judging failed: %s: there is no report of what came later\n", why);
    judges->hasTold = true;
    return -1;
}

int ksiJudgesReport(ksiJudges *judges, const ksiRun *run, const ksiAsked *asked, bool isChecked)
{
    int status;
    if (judges->line < 0)
        return makeReport(judges, run, asked, isChecked);
    judges->shared->run = *run;
    judges->shared->isAsked = asked != NULL;
    if (asked)
        judges->shared->asked = *asked;
    judges->shared->isChecked = isChecked;
    return !tell(judges, REPORT, 0, NULL, 0) && receive(judges, &status, sizeof status) ? status : tellEnd(judges);
}
