/* chart.c  The strip chart of one joint. */
#include "font.h"
#include "forces.h"
#include "history.h"
#include "palette.h"

#include <math.h>

/* The i-th step that is kept. */
static const ksiForceSample *momentAt(const ksiForceHistory *history, const ksiTrack *track, size_t i)
{
    unsigned long first = history->steps > KSI_STEPS ? history->steps - KSI_STEPS : 0;
    return &track->moment[(first + i) % KSI_STEPS];
}

static double timeAt(const ksiForceHistory *history, size_t i)
{
    unsigned long first = history->steps > KSI_STEPS ? history->steps - KSI_STEPS : 0;
    return history->time[(first + i) % KSI_STEPS];
}

/* The axis ends above most of the values, and blows are cut. */
static double axisEnd(const ksiForceHistory *history, const ksiTrack *track, const bool *shown, size_t count)
{
    double most = 0, sum = 0;
    size_t counted = 0;
    for (size_t i = 0; i < count; i++) {
        for (int value = 0; value <= KS_PHYSICAL; value++) {
            double force = (double)momentAt(history, track, i)->force[value];
            if (!shown[value] || !isfinite(force))
                continue;
            most = fmax(most, force);
            sum += force;
            counted++;
        }
    }
    double mean = counted > 0 ? sum / (double)counted : 0;
    return most > 0 ? ksiRound125(fmin(most, 8 * mean)) : 1;
}

static void drawLine(const ksiForceHistory *history, const ksiTrack *track, int value, size_t count,
                     const double box[4], double end, double scale, ksiPicture *picture)
{
    // physical over the others, and thinner
    const double thickness = (value == KS_PHYSICAL ? 1.0 : 1.7) * scale * 0.75;
    double lastX = NAN, lastY = NAN;
    for (size_t i = 0; i < count; i++) {
        const ksiForceSample *moment = momentAt(history, track, i);
        double force = (double)moment->force[value];
        double x = box[0] + box[2] * (double)i / (KSI_STEPS - 1);
        double y = box[1] + box[3] * (1 - fmin(force / end, 1));
        if (isfinite(force) && isfinite(lastY))
            ksiAddStroke(picture, lastX, lastY, x, y, thickness, ksiWrenchColour((ksValue)value, moment->isUnique));
        lastX = x;
        lastY = isfinite(force) ? y : NAN;
    }
}

void ksiHistoryDraw(const ksiForceHistory *history, const ksInspector *inspector, const bool shown[KS_PHYSICAL + 1],
                    double x, double y, double width, double height, double scale, ksiPicture *picture)
{
    const ksiTrack *track = ksiHistoryFind(history, history->chosen);
    char name[64];
    size_t count = history->steps < KSI_STEPS ? history->steps : KSI_STEPS;
    if (!track || count == 0)
        return;
    const double line = KSI_FONT_HEIGHT * scale, margin = 4 * scale;
    double end = axisEnd(history, track, shown, count);
    const double box[4] = {x + margin, y + margin + 1.2 * line, width - 2 * margin, height - 2 * margin - 2.4 * line};
    ksiHistoryName(history, inspector, track->joint, name);
    ksiAddRectangle(picture, x, y, width, height, KSI_PAPER, 0.85);
    ksiAddText(picture, x + margin, y + margin, scale, KSI_INK, "force in %s, up to %g N", name, end);
    ksiAddStroke(picture, box[0], box[1], box[0] + box[2], box[1], 1, 0xd0d7de);
    ksiAddStroke(picture, box[0], box[1] + box[3] / 2, box[0] + box[2], box[1] + box[3] / 2, 1, 0xd0d7de);
    ksiAddStroke(picture, box[0], box[1] + box[3], box[0] + box[2], box[1] + box[3], 1, KSI_FAINT);
    for (int value = 0; value <= KS_PHYSICAL; value++)
        if (shown[value])
            drawLine(history, track, value, count, box, end, scale, picture);
    // times below the first step and the last one, the last one where there is no room for both
    const double letter = KSI_FONT_WIDTH * scale, below = box[1] + box[3] + 0.2 * line;
    double last = box[0] + box[2] * (double)(count - 1) / (KSI_STEPS - 1) - 9 * letter;
    if (last > box[0] + 11 * letter)
        ksiAddText(picture, box[0], below, scale, KSI_FAINT, "%.3f s", timeAt(history, 0));
    ksiAddText(picture, fmax(last, box[0]), below, scale, KSI_FAINT, "%7.3f s", timeAt(history, count - 1));
}
