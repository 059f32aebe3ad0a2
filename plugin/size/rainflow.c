/* rainflow.c  Incremental rainflow counting.
 *
 * The standard compares the last range, `X`, with the range before it, `Y`, and marks a start, `S`.
 * Once X >= Y, the standard counts Y: as a half cycle if Y contains S, else as a cycle. Ranges
 * after S shrink, so in the second case the range `Z` before Y is larger than Y. This file counts Y
 * as a cycle if X >= Y and Z >= Y. At the end, the open ranges are exactly those that the standard
 * counts as half cycles or leaves over. (If Z equals Y, one cycle replaces two half cycles.) */
#include "rainflow.h"

#include <math.h>

static double range(const ksiTurn *turn)
{
    return fabs(turn[1].value - turn[0].value);
}

/* Makes room for one more turn. Of the first and the last open range, counts the smaller one early
 * and drops it: the first as a half cycle, the last as a cycle. */
static void makeRoom(ksiRainflow *flow)
{
    ksiTurn *open = flow->open;
    flow->early++;
    if (range(open) <= range(open + flow->openCount - 2)) {
        flow->count(flow->user, open[0], open[1], 1);
        flow->openCount--;
        for (int i = 0; i < flow->openCount; i++)
            open[i] = open[i + 1];
        return;
    }
    flow->openCount -= 2;
    flow->count(flow->user, open[flow->openCount], open[flow->openCount + 1], 2);
}

static void addTurn(ksiRainflow *flow, ksiTurn turn)
{
    if (flow->openCount == KSI_OPEN_TURNS)
        makeRoom(flow);
    flow->open[flow->openCount++] = turn;
    while (flow->openCount >= 4) {
        ksiTurn *z = flow->open + flow->openCount - 4, *y = z + 1, *x = z + 2;
        if (range(x) < range(y) || range(z) < range(y))
            return;
        flow->count(flow->user, y[0], y[1], 2);
        y[0] = x[1];
        flow->openCount -= 2;
    }
}

/* Skips values until one differs from the first by more than noise. @return the number of skipped
 * values */
static int begin(ksiRainflow *flow, int count, const double *value, const double *bar, const double *noise)
{
    int i = 0;
    if (!flow->isBegun && count > 0) {
        flow->last = (ksiTurn){value[0], bar[0]};
        flow->isBegun = true;
        addTurn(flow, flow->last);
        i++;
    }
    while (i < count && fabs(value[i] - flow->last.value) <= noise[i])
        i++;
    if (i < count)
        flow->direction = value[i] > flow->last.value ? 1 : -1;
    return i;
}

void ksiRainflowAdd(ksiRainflow *flow, int count, const double *value, const double *bar, const double *noise)
{
    int i = flow->direction ? 0 : begin(flow, count, value, bar, noise);
    int last = -1;
    double sign = flow->direction, most = sign * flow->last.value;
    for (; i < count; i++) {
        const double on = sign * value[i];
        if (on > most) {
            most = on;
            last = i;
        } else if (most - on > noise[i]) {
            addTurn(flow, last < 0 ? flow->last : (ksiTurn){value[last], bar[last]});
            sign = -sign;
            most = -on;
            last = i;
        }
    }
    if (last >= 0)
        flow->last = (ksiTurn){value[last], bar[last]};
    flow->direction = (int)sign;
}

/* Counts the open turns from the largest peak round to the same peak. All cycles close except the
 * largest one, which remains as two half cycles. */
static void countRepeated(const ksiRainflow *flow)
{
    ksiRainflow again = {.count = flow->count, .user = flow->user};
    const int count = flow->openCount;
    int peak = 0;
    for (int i = 1; i < count; i++)
        peak = flow->open[i].value > flow->open[peak].value ? i : peak;
    for (int i = 0; i <= count; i++) {
        static const double none;
        const ksiTurn *turn = &flow->open[(peak + i) % count];
        ksiRainflowAdd(&again, 1, &turn->value, &turn->bar, &none);
    }
    ksiRainflowEnd(&again, false);
}

void ksiRainflowEnd(ksiRainflow *flow, bool isRepeated)
{
    if (flow->direction)
        addTurn(flow, flow->last);
    if (isRepeated && flow->openCount > 1)
        countRepeated(flow);
    else
        for (int i = 0; i + 1 < flow->openCount; i++)
            flow->count(flow->user, flow->open[i], flow->open[i + 1], 1);
    flow->openCount = 0;
}
