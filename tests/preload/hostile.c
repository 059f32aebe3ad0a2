/* hostile.c  A program that makes 20 steps, and then writes data into the memory shared with the
 * command that no wrapper would write.
 * shrink: truncates the memory. positions N: overwrites the positions of its ring, and words of it,
 * with N random numbers. texts: without ends, and with control characters of terminals, before the
 * first step. files: the number of the ring among the command's files, and its size. spoil: records
 * of further steps, in one of which a body's rotation is NaN, on which the engine asserts in a
 * trial. */
#include "chain.h"

#include "plugin/preload/channel.h"
#include "tests/kits/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINKS = 3, STEPS = 20 };

static ksiPlace *findPlace(ksiChannel *channel)
{
    for (int i = 0; i < KSI_CHANNEL_PLACES; i++)
        if (atomic_load(&channel->place[i].pid) == (int)getpid())
            return &channel->place[i];
    exit(9);
}

static void shrink(const char *name, const ksiChannel *channel, const ksiPlace *place)
{
    char ring[64];
    snprintf(ring, sizeof ring, "/proc/%d/fd/%d", channel->command, place->file);
    printf("%d %d\n", truncate(ring, 0), truncate(name, 0));
    // so that there is something to read
    atomic_fetch_add(&((ksiPlace *)(uintptr_t)place)->written, sizeof(ksiStepRecord));
}

static void scatter(ksiRing *ring, uint64_t count)
{
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t at = drawBits(&state) % (ring->bytes / 8), word = drawBits(&state);
        memcpy(ring->data + 8 * at, &word, sizeof word);
        atomic_store(&ring->place->written, drawBits(&state) >> drawBits(&state) % 64);
        atomic_store(&ring->place->read, drawBits(&state) >> drawBits(&state) % 64);
        usleep(1000);
    }
}

static void fill(char *text, size_t size)
{
    static const char bad[] = "\033[31m\r\xff\xc3=";
    for (size_t i = 0; i < size; i++)
        text[i] = bad[i % (sizeof bad - 1)];
}

static void writeTexts(ksiPlace *place)
{
    fill(place->program, sizeof place->program);
    fill(place->engine, sizeof place->engine);
    fill(place->words, sizeof place->words);
    fill(place->built, sizeof place->built);
    atomic_store(&place->state, KSI_PLACE_REFUSED);
}

static void swapFiles(ksiChannel *channel)
{
    for (int i = 0; i < KSI_CHANNEL_PLACES; i++)
        channel->place[i].file = channel->place[0].file - 1 - i;
    channel->sampling.ringBytes = UINT64_C(1) << 62;
    channel->command = -1;
}

static void spoil(ksiRing *ring)
{
    uint64_t words[8192];
    ksiStepRecord *record = (void *)words;
    memcpy(words, ring->data, sizeof words);
    if (record->bytes > sizeof words)
        exit(9);
    for (int i = STEPS; i < 2 * STEPS; i++) {
        ksiBodyRecord *body = (void *)(record + 1);
        const double inverse = body->copy.inverse[0];
        record->step = (uint64_t)i;
        record->time = 0.005 * i;
        if (i == STEPS + STEPS / 2 + 1)
            body->copy.inverse[0] = (double)NAN;
        if (!ksiRingWrite(ring, record))
            exit(9);
        body->copy.inverse[0] = inverse;
    }
}

int main(int count, char *argument[])
{
    dInitODE2(0);
    dBodyID link[LINKS];
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -9.81);
    for (int i = 0; i < LINKS; i++)
        addLink(world, link, i);
    const char *name = getenv(KSI_CHANNEL_VARIABLE), *way = count > 1 ? argument[1] : "";
    for (int i = 0; i < STEPS && strcmp(way, "texts") != 0; i++)
        dWorldQuickStep(world, 0.005);
    ksiChannel *channel = name ? ksiChannelOpen(name) : NULL;
    ksiRing ring;
    if (!channel || !ksiRingOpen(&ring, channel, findPlace(channel)))
        return 9;
    // its steps are judged first
    while (atomic_load(&ring.place->read) != atomic_load(&ring.place->written))
        usleep(1000);
    if (strcmp(way, "shrink") == 0)
        shrink(name, channel, ring.place);
    else if (strcmp(way, "positions") == 0)
        scatter(&ring, count > 2 ? strtoull(argument[2], NULL, 10) : 100);
    else if (strcmp(way, "texts") == 0)
        writeTexts(ring.place);
    else if (strcmp(way, "files") == 0)
        swapFiles(channel);
    else if (strcmp(way, "spoil") == 0)
        spoil(&ring);
    _exit(0);
}
