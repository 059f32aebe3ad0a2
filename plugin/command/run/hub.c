/* hub.c  The command's side of a channel. */
#include "hub.h"

#include "../../base/memory.h"
#include "../../report/files/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* --- The shared memory --- */

/* Makes a file of shared memory, whose untouched pages cost nothing. If another process could
 * shrink the file, the command would get SIGBUS. -1: errno is set. */
static int makeFile(size_t bytes)
{
    const int file = memfd_create("kinetostat", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file >= 0 &&
        (ftruncate(file, (off_t)bytes) || fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))) {
        close(file);
        return -1;
    }
    return file;
}

/* Halves the ring's size until the file size limit (ulimit -f) permits it. */
static int makeRing(uint64_t *bytes)
{
    int file;
    while ((file = makeFile(*bytes)) < 0 && errno == EFBIG && *bytes / 2 >= KSI_LEAST_RING)
        *bytes /= 2;
    return file;
}

bool ksiHubOpen(ksiHub *hub, char name[64], const ksiSampling *sampling)
{
    const int file = makeFile(sizeof(ksiChannel));
    ksiChannel *channel = file < 0 ? NULL : ksiMapShared(file, sizeof *channel);
    if (!channel)
        return false;
    ksiSampling own = *sampling;
    *hub = (ksiHub){.channel = channel};
    for (int i = 0; i < KSI_CHANNEL_PLACES; i++) {
        hub->file[i] = channel->place[i].file = makeRing(&own.ringBytes);
        if (hub->file[i] < 0)
            return false;
    }
    hub->ringBytes = own.ringBytes;
    ksiChannelBegin(channel, &own);
    ksiNameShared(name, (int)getpid(), file);
    return true;
}

/* --- Places --- */

static void copyText(char *text, const char *shared, size_t size)
{
    memcpy(text, shared, size);
    if (!ksiCleanInPlace(&ksiLibraryAllocator, text, size))
        text[0] = 0;
}

void ksiPlaceSee(const ksiPlace *place, ksiSeen *seen)
{
    const int state = atomic_load(&place->state);
    *seen = (ksiSeen){.pid = atomic_load(&place->pid),
                      .hasEngine = atomic_load(&place->hasEngine) != 0,
                      .hasEnded = atomic_load(&place->hasEnded) != 0,
                      .isStepping = atomic_load(&place->stepping) > 0,
                      .hasNotFinite = atomic_load(&place->hasNotFinite) != 0,
                      .traps = atomic_load(&place->traps),
                      .steps = atomic_load(&place->steps),
                      .worlds = atomic_load(&place->worlds),
                      .exact = atomic_load(&place->exact),
                      .missed = atomic_load(&place->missed)};
    seen->state = state >= KSI_PLACE_FREE && state <= KSI_PLACE_REFUSED ? (ksiPlaceState)state : KSI_PLACE_REFUSED;
    seen->isLeft = atomic_load(&place->isLeft) || !ksiIsAlive(seen->pid);
    copyText(seen->program, place->program, sizeof seen->program);
    copyText(seen->engine, place->engine, sizeof seen->engine);
    copyText(seen->words, place->words, sizeof seen->words);
    copyText(seen->built, place->built, sizeof seen->built);
    memcpy(&seen->last, &place->last, sizeof seen->last);
    memcpy(&seen->notFinite, &place->notFinite, sizeof seen->notFinite);
    seen->last.isExact = seen->last.isExact != 0;
}

/* Clears the process id after all else, because another process may then take the place at once. */
void ksiHubFree(const ksiHub *hub, int index)
{
    ksiPlace *place = &hub->channel->place[index];
    (void)!fallocate(hub->file[index], FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)hub->ringBytes);
    memset(place->program, 0, sizeof place->program);
    memset(place->engine, 0, sizeof place->engine);
    memset(place->words, 0, sizeof place->words);
    memset(place->built, 0, sizeof place->built);
    place->last = (ksiLastStep){0};
    place->notFinite = (ksiNotFinite){0};
    _Atomic int *flag[] = {&place->state,    &place->isLeft,   &place->hasEngine,
                           &place->hasEnded, &place->stepping, &place->hasNotFinite};
    for (size_t i = 0; i < sizeof flag / sizeof *flag; i++)
        atomic_store(flag[i], 0);
    _Atomic uint64_t *count[] = {&place->steps,  &place->worlds,  &place->exact,
                                 &place->missed, &place->written, &place->read};
    for (size_t i = 0; i < sizeof count / sizeof *count; i++)
        atomic_store(count[i], 0);
    atomic_store(&place->traps, 0);
    atomic_store(&place->pid, 0);
}

/* --- Rings --- */

bool ksiReaderOpen(ksiReader *reader, const ksiHub *hub, int place)
{
    *reader = (ksiReader){.place = &hub->channel->place[place], .bytes = hub->ringBytes};
    reader->data = ksiMapShared(hub->file[place], reader->bytes);
    return reader->data != NULL;
}

void ksiReaderClose(ksiReader *reader)
{
    if (reader->data)
        munmap((void *)(uintptr_t)reader->data, reader->bytes);
    ksiFree(&ksiLibraryAllocator, reader->copy);
    *reader = (ksiReader){NULL, NULL, 0, 0, NULL, 0};
}

bool ksiReaderHasMore(const ksiReader *reader)
{
    return atomic_load_explicit(&reader->place->written, memory_order_acquire) != reader->read;
}

static void leave(ksiReader *reader, uint64_t read)
{
    reader->read = read;
    atomic_store_explicit(&reader->place->read, read, memory_order_release);
}

void ksiReaderDrain(ksiReader *reader)
{
    leave(reader, atomic_load_explicit(&reader->place->written, memory_order_acquire));
}

/* The first word of an entry: its size in bytes, or KSI_RING_WRAP. */
static uint64_t sizeAt(const ksiReader *reader, uint64_t at)
{
    const _Atomic uint64_t *word = (const void *)(reader->data + at % reader->bytes);
    return atomic_load_explicit(word, memory_order_relaxed);
}

ksiTaken ksiReaderTake(ksiReader *reader, const ksiStepRecord **record)
{
    const uint64_t written = atomic_load_explicit(&reader->place->written, memory_order_acquire);
    uint64_t at = reader->read;
    if (written == at)
        return KSI_TAKEN_NOTHING;
    if (written - at > reader->bytes || written % sizeof written != 0)
        return KSI_TAKEN_NONSENSE;
    uint64_t bytes = sizeAt(reader, at);
    if (bytes == KSI_RING_WRAP) {
        at += reader->bytes - at % reader->bytes;
        bytes = written - at <= reader->bytes && written != at ? sizeAt(reader, at) : 0;
    }
    if (bytes < sizeof **record || bytes % sizeof bytes != 0 || bytes > written - at ||
        bytes > reader->bytes - at % reader->bytes)
        return KSI_TAKEN_NONSENSE;
    if (ksiReserve(&ksiLibraryAllocator, &reader->copy, &reader->capacity, bytes, 1))
        return KSI_TAKEN_NO_MEMORY;
    memcpy(reader->copy, reader->data + at % reader->bytes, bytes);
    leave(reader, at + bytes);
    *record = reader->copy;
    return ksiRecordIsSound(*record, bytes) && (*record)->bytes == bytes ? KSI_TAKEN_RECORD : KSI_TAKEN_NONSENSE;
}
