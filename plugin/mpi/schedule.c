/* schedule.c  Hands out the work part by part.
 *
 * A rank must read a whole recording to judge any part of it. So recordings are handed out whole at
 * first. Near the end they are divided, or else all ranks would wait for the rank with the last
 * recording. No part is larger than
 *
 *     bytes left / number of ranks
 *
 * or about one window, whichever is larger. Source: Polychronopoulos, Kuck, Guided self-scheduling,
 * IEEE Trans. Comput. C-36 (1987), 1425 */
#include "schedule.h"

#include "../report/collect/run.h"

/* About the size of one window of a small mechanism. */
enum { LEAST_BYTES = 1 << 20 };

ksiSchedule ksiScheduleBegin(char *const *file, unsigned takers, uint64_t bytes)
{
    return (ksiSchedule){.file = file, .takers = takers, .bytesLeft = bytes};
}

static uint32_t divide(const ksiSchedule *schedule)
{
    const uint64_t fair = schedule->bytesLeft / schedule->takers, least = LEAST_BYTES;
    const uint64_t most = fair > least ? fair : least;
    const uint64_t parts = (schedule->fileBytes + most - 1) / most;
    if (schedule->takers == 1 || parts < 2)
        return 1;
    return parts < KSI_MOST_SHARDS ? (uint32_t)parts : KSI_MOST_SHARDS;
}

/* A file may have changed since it was counted. */
static void beginFile(ksiSchedule *schedule)
{
    schedule->fileBytes = ksiFileBytes(schedule->file[schedule->next]);
    schedule->part = 0;
    schedule->parts = divide(schedule);
    schedule->bytesLeft -= schedule->fileBytes < schedule->bytesLeft ? schedule->fileBytes : schedule->bytesLeft;
}

ksiUnit ksiScheduleNext(ksiSchedule *schedule)
{
    if (!schedule->file[schedule->next])
        return (ksiUnit){.parts = 0};
    if (schedule->parts == 0)
        beginFile(schedule);
    const ksiUnit unit = {.file = schedule->next,
                          .part = schedule->part,
                          .parts = schedule->parts,
                          .bytes = schedule->fileBytes / schedule->parts};
    if (++schedule->part == schedule->parts) {
        schedule->parts = 0;
        schedule->next++;
    }
    return unit;
}
