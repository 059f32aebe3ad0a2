/* windows.c  Judges windows of recorded steps on several threads.
 *
 * The main thread fills windows. It adds the reports of judged windows to the whole report in the
 * order in which the windows began. */
#include "windows.h"

#include "../confine.h"

#include "../../base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Consecutive records. */
typedef struct Buffer {
    char *at;
    size_t used, capacity;
} Buffer;

/* Consecutive records of a world. */
typedef struct Window {
    struct Window *next;
    size_t world;
    const ksiNameList *names;
    uint64_t judged; /* steps judged before this window */
    ksiLead lead;    /* the last steps before this window */
    Buffer own;
    size_t count;
    ksReport *report; /* the report of this window alone, once it is judged */
    ksStatus status;
    bool isTaken, isDone;
} Window;

/* A world, and its open window, which further records fill. */
typedef struct Stream {
    uint64_t judged;
    ksiFill fill;
    bool isOpen, isOurs;
    Window *window;  /* NULL: the window is another shard's, or not begun, or records are judged at
                        once */
    ksiJudge *judge; /* judge of records that are judged at once */
    ksiLead lead;
} Stream;

struct ksiWindows {
    const ksiJudgeOptions *judge;
    const ksReportOptions *options;
    ksReport *report;
    Stream *stream; /* [streamCount] stream of each world */
    size_t streamCount, streamCapacity;
    size_t endedCount; /* streams without further records */
    ksiShard shard;
    uint64_t turn;        /* shard of the next window */
    uint64_t count;       /* windows judged here */
    Window *first, **end; /* windows that the threads have received, and whose reports are not yet
                             added */
    unsigned waiting;     /* number of these windows */
    ksStatus status;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool isOver;
    unsigned jobs;
    pthread_t thread[];
};

static bool append(Buffer *buffer, const void *bytes, size_t count)
{
    if (count == 0)
        return true;
    if (ksiReserve(&ksiLibraryAllocator, &buffer->at, &buffer->capacity, buffer->used + count, 1))
        return false;
    memcpy(buffer->at + buffer->used, bytes, count);
    buffer->used += count;
    return true;
}

static void freeBuffer(Buffer *buffer)
{
    ksiFree(&ksiLibraryAllocator, buffer->at);
    *buffer = (Buffer){NULL, 0, 0};
}

static void freeWindow(Window *window)
{
    if (!window)
        return;
    ksiLeadFree(&window->lead);
    freeBuffer(&window->own);
    ksReportDestroy(window->report);
    free(window);
}

/* --- The workers --- */

static ksStatus openWindow(const ksiWindows *windows, Window *window, ksiJudge **judge)
{
    ksiJudgeOptions options = *windows->judge;
    options.names = window->names;
    ksStatus status = ksReportCreate(windows->options, &window->report);
    size_t world = 0;
    if (!status)
        status = ksiReportAddWorld(window->report, NULL, &world);
    if (!status)
        status = ksiJudgeCreate(&options, window->report, world, judge);
    if (!status)
        status = ksiJudgeSeek(*judge, window->judged, &window->lead);
    return status;
}

static void judgeWindow(const ksiWindows *windows, Window *window)
{
    ksiJudge *judge = NULL;
    const char *at = window->own.at;
    window->status = openWindow(windows, window, &judge);
    for (size_t i = 0; i < window->count && !window->status; i++) {
        const ksiStepRecord *record = (const void *)at;
        ksiRenewTime();
        window->status = ksiJudgeStep(judge, record);
        at += record->bytes;
    }
    ksiJudgeDestroy(judge);
    freeBuffer(&window->own);
}

static Window *findWork(const ksiWindows *windows)
{
    Window *window = windows->first;
    while (window && window->isTaken)
        window = window->next;
    return window;
}

static void *work(void *user)
{
    ksiWindows *windows = user;
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
    pthread_mutex_lock(&windows->lock);
    for (;;) {
        Window *window = findWork(windows);
        if (!window && windows->isOver)
            break;
        if (!window) {
            pthread_cond_wait(&windows->changed, &windows->lock);
            continue;
        }
        window->isTaken = true;
        pthread_mutex_unlock(&windows->lock);
        judgeWindow(windows, window);
        pthread_mutex_lock(&windows->lock);
        window->isDone = true;
        pthread_cond_broadcast(&windows->changed);
    }
    pthread_mutex_unlock(&windows->lock);
    dCleanupODEAllDataForThread();
    return NULL;
}

/* --- The main thread --- */

static void note(ksiWindows *windows, ksStatus status)
{
    if (!windows->status)
        windows->status = status;
}

/* Removes the first window once it is judged. */
static Window *takeFirst(ksiWindows *windows)
{
    pthread_mutex_lock(&windows->lock);
    while (!windows->first->isDone)
        pthread_cond_wait(&windows->changed, &windows->lock);
    Window *window = windows->first;
    windows->first = window->next;
    if (!windows->first)
        windows->end = &windows->first;
    pthread_mutex_unlock(&windows->lock);
    windows->waiting--;
    return window;
}

static void addFirst(ksiWindows *windows)
{
    Window *window = takeFirst(windows);
    note(windows,
         window->status ? window->status : ksiReportMergeWorld(windows->report, window->world, window->report));
    freeWindow(window);
}

static void handOver(ksiWindows *windows, Stream *stream)
{
    Window *window = stream->window;
    stream->window = NULL;
    pthread_mutex_lock(&windows->lock);
    *windows->end = window;
    windows->end = &window->next;
    pthread_cond_broadcast(&windows->changed);
    pthread_mutex_unlock(&windows->lock);
    // the records of waiting windows occupy memory
    if (++windows->waiting > 2 * windows->jobs)
        addFirst(windows);
}

static Stream *streamOf(ksiWindows *windows, size_t world)
{
    if (ksiReserve(&ksiLibraryAllocator, &windows->stream, &windows->streamCapacity, world + 1,
                   sizeof *windows->stream))
        return NULL;
    while (windows->streamCount <= world)
        windows->stream[windows->streamCount++] = (Stream){.window = NULL};
    return &windows->stream[world];
}

/* NULL: out of memory. */
static Window *makeWindow(const Stream *stream, size_t world, const ksiNameList *names)
{
    Window *window = calloc(1, sizeof *window);
    if (!window)
        return NULL;
    window->world = world;
    window->judged = stream->judged;
    window->names = names;
    if (!ksiLeadCopy(&stream->lead, &window->lead))
        return window;
    freeWindow(window);
    return NULL;
}

/* The judge writes directly to the whole report, since there are no threads. */
static ksStatus makeJudge(const ksiWindows *windows, Stream *stream, size_t world, const ksiNameList *names)
{
    ksiJudgeOptions options = *windows->judge;
    options.names = names;
    ksStatus status = ksiJudgeCreate(&options, windows->report, world, &stream->judge);
    if (!status)
        status = ksiJudgeSeek(stream->judge, stream->judged, &stream->lead);
    return status;
}

static bool isTurn(const ksiWindows *windows)
{
    return windows->turn % windows->shard.count == windows->shard.index;
}

bool ksiWindowsIsOurs(const ksiWindows *windows, size_t world)
{
    const bool isOpen = world < windows->streamCount && windows->stream[world].isOpen;
    return isOpen ? windows->stream[world].isOurs : isTurn(windows);
}

static ksStatus openStream(ksiWindows *windows, Stream *stream, size_t world, const ksiNameList *names)
{
    ksStatus status = KS_OK;
    stream->isOpen = true;
    stream->isOurs = isTurn(windows);
    windows->turn++;
    windows->count += stream->isOurs;
    if (stream->isOurs && windows->jobs == 0)
        status = makeJudge(windows, stream, world, names);
    else if (stream->isOurs && !(stream->window = makeWindow(stream, world, names)))
        status = KS_ERROR_NO_MEMORY;
    return status;
}

static void closeStream(ksiWindows *windows, Stream *stream)
{
    ksiJudgeDestroy(stream->judge);
    stream->judge = NULL;
    stream->isOpen = false;
    if (stream->window)
        handOver(windows, stream);
}

/* Adds a record to the stream's window. */
static ksStatus fill(ksiWindows *windows, Stream *stream, const ksiStepRecord *record)
{
    stream->judged += !record->isExtra;
    if (ksiFillWindow(&stream->fill, windows->judge->inspector.meanWindow, record->h, record->bytes))
        closeStream(windows, stream);
    return windows->status;
}

ksStatus ksiWindowsAdd(ksiWindows *windows, size_t world, const ksiNameList *names, const ksiStepRecord *record)
{
    Stream *stream = streamOf(windows, world);
    ksStatus status = !stream ? KS_ERROR_NO_MEMORY : stream->isOpen ? KS_OK : openStream(windows, stream, world, names);
    if (status)
        return status;
    if (stream->judge)
        status = ksiJudgeStep(stream->judge, record);
    else if (stream->window && !append(&stream->window->own, record, record->bytes))
        status = KS_ERROR_NO_MEMORY;
    else if (stream->window)
        stream->window->count++;
    if (!status)
        status = ksiLeadAdd(&stream->lead, windows->judge->inspector.meanWindow, record);
    return status ? status : fill(windows, stream, record);
}

/* An omitted record must not shift the ends of windows, and later records must not depend on it. */
ksStatus ksiWindowsLeaveOut(ksiWindows *windows, size_t world, const ksiStepRecord *record)
{
    Stream *stream = streamOf(windows, world);
    const ksStatus status = !stream          ? KS_ERROR_NO_MEMORY
                            : stream->isOpen ? KS_OK
                                             : openStream(windows, stream, world, NULL);
    if (stream)
        ksiLeadClear(&stream->lead);
    return status ? status : fill(windows, stream, record);
}

static void endStreams(ksiWindows *windows)
{
    for (; windows->endedCount < windows->streamCount; windows->endedCount++) {
        Stream *stream = &windows->stream[windows->endedCount];
        closeStream(windows, stream);
        ksiLeadFree(&stream->lead);
    }
}

ksStatus ksiWindowsBeginRun(ksiWindows *windows, uint32_t turn)
{
    endStreams(windows);
    windows->turn = turn;
    return windows->status;
}

uint64_t ksiWindowsCount(const ksiWindows *windows)
{
    return windows ? windows->count : 0;
}

ksStatus ksiWindowsFinish(ksiWindows *windows)
{
    if (!windows)
        return KS_OK;
    endStreams(windows);
    while (windows->first)
        addFirst(windows);
    pthread_mutex_lock(&windows->lock);
    windows->isOver = true;
    pthread_cond_broadcast(&windows->changed);
    pthread_mutex_unlock(&windows->lock);
    for (unsigned i = 0; i < windows->jobs; i++)
        pthread_join(windows->thread[i], NULL);
    const ksStatus status = windows->status;
    pthread_cond_destroy(&windows->changed);
    pthread_mutex_destroy(&windows->lock);
    ksiFree(&ksiLibraryAllocator, windows->stream);
    free(windows);
    return status;
}

ksiWindows *ksiWindowsCreate(const ksiJudgeOptions *judge, const ksReportOptions *options, ksReport *report,
                             unsigned jobs, ksiShard shard)
{
    ksiWindows *made = calloc(1, sizeof *made + jobs * sizeof *made->thread);
    if (!made)
        return NULL;
    made->judge = judge;
    made->options = options;
    made->report = report;
    made->shard = shard;
    made->end = &made->first;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->changed, NULL);
    // without threads, records are judged at once
    while (made->jobs < jobs && !pthread_create(&made->thread[made->jobs], NULL, work, made))
        made->jobs++;
    return made;
}
