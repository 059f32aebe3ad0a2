/* budget.c  Limits the share of a program's processor time that its inspection takes. */
#include "budget.h"

#include <pthread.h>
#include <time.h>

/* s of wall clock between readings of the processor clock, each of which is a system call */
static const double interval = 50e-6;

/* Share of the budget to use. The rest covers costs that no clock shows, such as cache misses. */
static const double share = 0.85;

static const double nanosecond = 1e-9;

/* This process's times at the last reading. */
static struct {
    pthread_mutex_t lock;
    double looked, computed, added; /* s. looked: time of the reading; computed: total processor
                                       time; added: `recording` at the reading */
    double recording;               /* s: total time of the recording so far */
} own = {.lock = PTHREAD_MUTEX_INITIALIZER};

static double readClock(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (double)t.tv_sec + nanosecond * (double)t.tv_nsec;
}

static void addTime(_Atomic uint64_t *sum, double seconds)
{
    if (seconds > 0)
        atomic_fetch_add(sum, (uint64_t)(seconds / nanosecond));
}

static double timeOf(const _Atomic uint64_t *sum)
{
    return nanosecond * (double)atomic_load(sum);
}

/* Adds the program's own time since the last reading. Needs the lock. */
static void look(ksiChannel *channel)
{
    const double now = readClock(CLOCK_MONOTONIC);
    if (now - own.looked < interval)
        return;
    const double computed = readClock(CLOCK_PROCESS_CPUTIME_ID);
    addTime(&channel->spent.program, computed - own.computed - (own.recording - own.added));
    own.looked = now;
    own.computed = computed;
    own.added = own.recording;
}

bool ksiBudgetAllows(ksiChannel *channel, double price)
{
    const ksiSpent *spent = &channel->spent;
    pthread_mutex_lock(&own.lock);
    look(channel);
    pthread_mutex_unlock(&own.lock);
    const uint64_t judged = atomic_load(&spent->judged), sent = atomic_load(&spent->sent);
    // the cost of a judgement is unknown until the first one ends
    if (judged == 0 && sent > 0)
        return false;
    const double judgement = judged > 0 ? timeOf(&spent->judging) / (double)judged : 0;
    const double due = (double)(sent - judged + 2) * judgement + 2 * price;
    return timeOf(&spent->recording) + timeOf(&spent->command) + due <=
           share * channel->sampling.overhead * timeOf(&spent->program);
}

double ksiBudgetBegin(void)
{
    return readClock(CLOCK_THREAD_CPUTIME_ID);
}

double ksiBudgetEnd(ksiChannel *channel, double begun)
{
    const double seconds = readClock(CLOCK_THREAD_CPUTIME_ID) - begun;
    pthread_mutex_lock(&own.lock);
    own.recording += seconds;
    pthread_mutex_unlock(&own.lock);
    addTime(&channel->spent.recording, seconds);
    return seconds;
}

void ksiBudgetRestart(void)
{
    pthread_mutex_init(&own.lock, NULL);
    own.looked = own.computed = own.added = own.recording = 0;
}
