/* channel.c  Shared memory between the command and the programs that it inspects. */
#include "channel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const uint32_t magic = 0x6b73636e, version = 7;

void *ksiMapShared(int file, size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return at == MAP_FAILED ? NULL : at;
}

static void *mapOf(const char *path, size_t bytes)
{
    struct stat status;
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return NULL;
    void *at = fstat(file, &status) || status.st_size < (off_t)bytes ? NULL : ksiMapShared(file, bytes);
    close(file);
    return at;
}

void ksiNameShared(char out[64], int command, int file)
{
    snprintf(out, 64, "/proc/%d/fd/%d", command, file);
}

void ksiChannelBegin(ksiChannel *channel, const ksiSampling *sampling)
{
    channel->magic = magic;
    channel->version = version;
    channel->command = (int)getpid();
    channel->sampling = *sampling;
}

ksiChannel *ksiChannelOpen(const char *name)
{
    ksiChannel *channel = mapOf(name, sizeof *channel);
    if (channel && (channel->magic != magic || channel->version != version || atomic_load(&channel->isClosed))) {
        munmap(channel, sizeof *channel);
        return NULL;
    }
    return channel;
}

bool ksiIsAlive(int process)
{
    const int file = (int)syscall(SYS_pidfd_open, process, 0U);
    if (file < 0)
        return kill(process, 0) == 0 || errno != ESRCH;
    struct pollfd end = {.fd = file, .events = POLLIN};
    const bool hasEnded = poll(&end, 1, 0) > 0;
    close(file);
    return !hasEnded;
}

/* Claims a free place; of two processes that see it, only one succeeds. */
static bool takePlace(ksiPlace *place, int own)
{
    int nobody = 0;
    if (!atomic_compare_exchange_strong(&place->pid, &nobody, own))
        return false;
    atomic_store(&place->state, KSI_PLACE_LOADED);
    return true;
}

/* After exec the same process runs another program. Reuses the process's place if it has made no
 * step there, else marks the place as left. */
static ksiPlace *findOwn(ksiChannel *channel, int own)
{
    ksiPlace *found = NULL;
    for (int i = 0; i < KSI_CHANNEL_PLACES; i++) {
        ksiPlace *place = &channel->place[i];
        if (atomic_load(&place->pid) != own || atomic_load(&place->isLeft))
            continue;
        if (atomic_load(&place->state) == KSI_PLACE_LOADED)
            found = place;
        else
            atomic_store(&place->isLeft, 1);
    }
    return found;
}

ksiPlace *ksiChannelClaim(ksiChannel *channel)
{
    const int own = (int)getpid();
    ksiPlace *found = findOwn(channel, own);
    for (int i = 0; i < KSI_CHANNEL_PLACES && !found; i++)
        if (takePlace(&channel->place[i], own))
            found = &channel->place[i];
    return found;
}

static bool isLeft(const ksiPlace *place)
{
    return atomic_load(&place->isLeft) || !ksiIsAlive(atomic_load(&place->pid));
}

/* Is a place free, or will one be soon? */
static bool isAnyLeft(const ksiChannel *channel)
{
    for (int i = 0; i < KSI_CHANNEL_PLACES; i++)
        if (atomic_load(&channel->place[i].pid) == 0 || isLeft(&channel->place[i]))
            return true;
    return false;
}

ksiPlace *ksiChannelWait(ksiChannel *channel)
{
    const struct timespec pause = {0, 1000000};
    for (;;) {
        ksiPlace *place = ksiChannelClaim(channel);
        if (place)
            return place;
        if (atomic_load(&channel->isClosed) || !ksiIsAlive(channel->command) || !isAnyLeft(channel))
            break;
        nanosleep(&pause, NULL);
    }
    atomic_fetch_add(&channel->turnedAway, 1);
    return NULL;
}

bool ksiRingOpen(ksiRing *ring, const ksiChannel *channel, ksiPlace *place)
{
    char name[64];
    ksiNameShared(name, channel->command, place->file);
    *ring = (ksiRing){.place = place, .channel = channel, .bytes = channel->sampling.ringBytes};
    ring->data = mapOf(name, ring->bytes);
    return ring->data != NULL;
}

void ksiRingClose(ksiRing *ring)
{
    if (ring->data)
        munmap(ring->data, ring->bytes);
    ring->data = NULL;
}

/* Waits for room; false: there will be none. */
static bool waitFor(const ksiRing *ring, uint64_t written, uint64_t needed)
{
    const struct timespec pause = {0, 50000};
    while (written + needed - atomic_load_explicit(&ring->place->read, memory_order_acquire) > ring->bytes) {
        if (atomic_load(&ring->channel->isClosed) || !ksiIsAlive(ring->channel->command))
            return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

bool ksiRingWrite(ksiRing *ring, const ksiStepRecord *record)
{
    uint64_t written = atomic_load_explicit(&ring->place->written, memory_order_relaxed);
    const uint64_t place = written % ring->bytes, rest = ring->bytes - place;
    const uint64_t skipped = rest < record->bytes ? rest : 0;
    // a record of up to half a ring always fits: up to the ring's end, or else from the ring's
    // start on
    if (record->bytes > ring->bytes / 2 || !waitFor(ring, written, skipped + record->bytes))
        return false;
    if (skipped > 0)
        memcpy(ring->data + place, &(uint64_t){KSI_RING_WRAP}, sizeof(uint64_t));
    written += skipped;
    memcpy(ring->data + written % ring->bytes, record, record->bytes);
    atomic_store_explicit(&ring->place->written, written + record->bytes, memory_order_release);
    return true;
}
