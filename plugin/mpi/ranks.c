/* ranks.c  The processes of an MPI job.
 *
 * A rank that has finished its unit sends the outcome to rank 0 and asks for another unit; rank 0
 * judges too. No rank blocks in MPI, since a blocked rank would take processor time from the
 * judging processes. Instead, each rank polls for messages and sleeps in between.
 *
 * At the end the reports are merged in rounds, for s = 1, 2, 4, ... In a round, each rank that is
 * an odd multiple of `s` sends its report to the rank that is lower by s. So ceil(log2(ranks))
 * rounds merge all reports. */
#include "ranks.h"

#include "progress.h"

#include "../command/files/worker.h"
#include "../report/runs/data.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

enum { TAG_ASK = 1, TAG_UNIT, TAG_READY, TAG_SIZE, TAG_REPORT };

/* Largest number of bytes of a report in one message, because MPI counts bytes in an int. */
enum { PIECE = 1 << 28 };

int ksiRank(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int ksiRanks(void)
{
    int count;
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    return count;
}

bool ksiRanksAgree(bool isGood)
{
    int is = isGood, all = 0;
    MPI_Allreduce(&is, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    return all;
}

static void rest(void)
{
    const struct timespec pause = {0, 1000000};
    nanosleep(&pause, NULL);
}

void ksiRanksWait(void)
{
    MPI_Request request;
    int isThere = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    while (MPI_Test(&request, &isThere, MPI_STATUS_IGNORE) == MPI_SUCCESS && !isThere)
        rest();
}

/* Aborts all ranks: the others would wait for a rank that cannot continue. */
static _Noreturn void giveUp(void)
{
    MPI_Abort(MPI_COMM_WORLD, KSI_FAILED);
    abort();
}

/* --- Units --- */

typedef struct Ranks {
    const ksiOptions *options;
    ksReport *report;
    ksiUnits *units;
    bool isJudging;
    ksiSchedule schedule; /* only rank 0 uses it and the following members */
    ksiProgressLine line;
    int asking; /* other ranks that do not yet know that the work is done */
} Ranks;

/* Each rank counts the bytes of its share of the files. */
static uint64_t countBytes(char *const *file)
{
    const int rank = ksiRank(), count = ksiRanks();
    uint64_t own = 0, all = 0;
    for (int i = 0; file[i]; i++)
        if (i % count == rank)
            own += ksiFileBytes(file[i]);
    MPI_Allreduce(&own, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static void begin(Ranks *ranks, const ksiUnit *unit)
{
    ranks->isJudging = unit->parts > 0;
    if (ranks->isJudging && !ksiUnitBegin(ranks->units, unit))
        giveUp();
}

/* Has the unit ended? */
static bool poll(Ranks *ranks, ksiFound *found)
{
    bool isDone;
    if (!ksiUnitPoll(ranks->units, ranks->report, &isDone, found))
        giveUp();
    ranks->isJudging &= !isDone;
    return isDone;
}

static bool answer(Ranks *ranks)
{
    int isThere;
    MPI_Status status;
    ksiFound found;
    MPI_Iprobe(MPI_ANY_SOURCE, TAG_ASK, MPI_COMM_WORLD, &isThere, &status);
    if (!isThere)
        return false;
    MPI_Recv(&found, sizeof found, MPI_BYTE, status.MPI_SOURCE, TAG_ASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    ksiProgressNote(&ranks->line, &found);
    const ksiUnit unit = ksiScheduleNext(&ranks->schedule);
    MPI_Send(&unit, sizeof unit, MPI_BYTE, status.MPI_SOURCE, TAG_UNIT, MPI_COMM_WORLD);
    ranks->asking -= unit.parts == 0;
    return true;
}

static void handOut(Ranks *ranks)
{
    ksiFound found;
    ksiUnit unit = ksiScheduleNext(&ranks->schedule);
    begin(ranks, &unit);
    while (ranks->isJudging || ranks->asking > 0) {
        if (ranks->isJudging && poll(ranks, &found)) {
            ksiProgressNote(&ranks->line, &found);
            unit = ksiScheduleNext(&ranks->schedule);
            begin(ranks, &unit);
        } else if (!answer(ranks)) {
            ksiProgressShow(&ranks->line);
            rest();
        }
    }
}

static void await(int source, int tag)
{
    int isThere = 0;
    while (MPI_Iprobe(source, tag, MPI_COMM_WORLD, &isThere, MPI_STATUS_IGNORE) == MPI_SUCCESS && !isThere)
        rest();
}

static void askFor(Ranks *ranks)
{
    ksiFound found = {.worst = NAN};
    do {
        ksiUnit unit;
        MPI_Send(&found, sizeof found, MPI_BYTE, 0, TAG_ASK, MPI_COMM_WORLD);
        await(0, TAG_UNIT);
        MPI_Recv(&unit, sizeof unit, MPI_BYTE, 0, TAG_UNIT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        begin(ranks, &unit);
        while (ranks->isJudging && !poll(ranks, &found))
            rest();
        if (unit.parts == 0)
            return;
    } while (true);
}

/* --- The tree --- */

static void sendReport(const ksReport *report, int to)
{
    ksiText data = {.allocator = &ksiLibraryAllocator};
    ksiWriteData(report, &data);
    const uint64_t bytes = data.length;
    if (data.isShort) {
        fputs("kinetostat: out of memory\n", stderr);
        giveUp();
    }
    await(to, TAG_READY);
    MPI_Recv(NULL, 0, MPI_BYTE, to, TAG_READY, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&bytes, 1, MPI_UINT64_T, to, TAG_SIZE, MPI_COMM_WORLD);
    for (uint64_t at = 0; at < bytes; at += PIECE)
        MPI_Send(data.at + at, (int)(bytes - at < PIECE ? bytes - at : PIECE), MPI_BYTE, to, TAG_REPORT,
                 MPI_COMM_WORLD);
    ksiTextFree(&data);
}

static void mergeReport(ksReport *report, int from)
{
    uint64_t bytes;
    ksReport *other = NULL;
    MPI_Send(NULL, 0, MPI_BYTE, from, TAG_READY, MPI_COMM_WORLD);
    await(from, TAG_SIZE);
    MPI_Recv(&bytes, 1, MPI_UINT64_T, from, TAG_SIZE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    char *data = malloc(bytes);
    for (uint64_t at = 0; data && at < bytes; at += PIECE)
        MPI_Recv(data + at, (int)(bytes - at < PIECE ? bytes - at : PIECE), MPI_BYTE, from, TAG_REPORT, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (!data || ksiReadData(NULL, data, bytes, &other) || ksiReportMerge(report, other)) {
        fprintf(stderr, "kinetostat: the reports cannot be merged: %s\n", data ? ksErrorMessage() : "out of memory");
        giveUp();
    }
    free(data);
    ksReportDestroy(other);
}

static void merge(ksReport *report)
{
    const int rank = ksiRank(), count = ksiRanks();
    for (int step = 1; step < count; step *= 2) {
        if (rank & step) {
            sendReport(report, rank - step);
            return;
        }
        if (rank + step < count)
            mergeReport(report, rank + step);
    }
}

bool ksiRanksJudge(const ksiOptions *options, ksReport *report, ksiFound *sum)
{
    const uint64_t bytes = countBytes(options->program);
    Ranks ranks = {.options = options, .report = report, .units = ksiUnitsCreate(options), .asking = ksiRanks() - 1};
    if (!ksiRanksAgree(ranks.units != NULL)) {
        ksiUnitsDestroy(ranks.units);
        return false;
    }
    if (ksiRank() == 0) {
        ranks.schedule = ksiScheduleBegin(options->program, (unsigned)ksiRanks(), bytes);
        ranks.line = ksiProgressBegin(bytes, !options->isQuiet);
        handOut(&ranks);
        ksiProgressEnd(&ranks.line);
        *sum = ranks.line.sum;
    } else {
        askFor(&ranks);
    }
    ksiUnitsDestroy(ranks.units);
    merge(report);
    return true;
}
