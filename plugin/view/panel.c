/* panel.c  Time, verdicts, what the colours mean, the worst joint with its figures, the chart, the keys. */
#include "panel.h"

#include "font.h"
#include "palette.h"

#include <math.h>
#include <stdio.h>

static const char *const valueName[] = {"engine", "converged", "physical"};

/* Of letters and lines, for the size of the picture; pixels. */
typedef struct Layout {
    double scale, letter, line, margin;
} Layout;

static Layout layoutOf(const ksiPicture *picture)
{
    double scale = picture->width >= 1000 && picture->height >= 560 ? 2 : 1;
    return (Layout){scale, KSI_FONT_WIDTH * scale, KSI_FONT_HEIGHT * scale, 6 * scale};
}

static const char *stepperName(const ksInspector *inspector, char out[64])
{
    const ksStepReport *report = ksInspectorGetStepReport(inspector);
    if (report->stepper == KS_QUICK_STEP)
        snprintf(out, 64, "dWorldQuickStep(%d)", dWorldGetQuickStepNumIterations(ksInspectorGetWorld(inspector)));
    else
        snprintf(out, 64, "%s",
                 report->stepper == KS_WORLD_STEP     ? "dWorldStep"
                 : report->stepper == KS_FOREIGN_STEP ? "another engine"
                                                      : "ksInspectorExactStep");
    return out;
}

static double drawStep(const ksiPanel *panel, const Layout *layout, double x, double y, ksiPicture *picture)
{
    const ksStepReport *report = ksInspectorGetStepReport(panel->inspector);
    char name[64];
    ksiAddText(picture, x, y, layout->scale, KSI_INK, "%s", panel->title ? panel->title : "Kinetostat");
    y += layout->line;
    if (!report) {
        ksiAddText(picture, x, y, layout->scale, KSI_FAINT, "no step yet");
        return y + layout->line;
    }
    double h = ksInspectorGetStepSize(panel->inspector);
    double end = ksiAddText(picture, x, y, layout->scale, KSI_FAINT, "%.3f s, steps of %g ms, ",
                            panel->history->begin + report->time + h, 1000 * h);
    end = ksiAddText(picture, end, y, layout->scale, KSI_FAINT, "%s", stepperName(panel->inspector, name));
    if (panel->isPaused)
        ksiAddText(picture, end, y, layout->scale, KSI_INK, ", paused");
    else if (panel->speed != 1)
        ksiAddText(picture, end, y, layout->scale, KSI_INK, ", speed x %.3g", panel->speed);
    return y + layout->line;
}

static void drawVerdicts(const ksiPanel *panel, const Layout *layout, double x, double y, ksiPicture *picture)
{
    static const char *const name[] = {"not solved",   "unchecked",     "unexplained",
                                       "solver error", "indeterminate", "valid"};
    const ksStepReport *report = ksInspectorGetStepReport(panel->inspector);
    for (int verdict = KS_VALID; report && verdict >= 0; verdict--) {
        size_t count = report->verdictCount[verdict];
        if (count == 0)
            continue;
        double side = 0.7 * layout->line;
        ksiAddRectangle(picture, x, y + 0.05 * layout->line, side, side, ksiVerdictColour((ksVerdict)verdict), 1);
        ksiAddText(picture, x + 1.4 * side, y, layout->scale, KSI_INK, "%zu %s", count, name[verdict]);
        y += layout->line;
    }
}

static void drawEntry(const Layout *layout, double x, double y, ksiColour colour, const char *words,
                      ksiPicture *picture)
{
    double middle = y + 0.4 * layout->line, length = 3 * layout->letter;
    ksiAddStroke(picture, x, middle, x + length, middle, 2 * layout->scale, colour);
    for (int side = -1; side <= 1; side += 2)
        ksiAddStroke(picture, x + length, middle, x + length - 4 * layout->scale, middle + side * 3 * layout->scale,
                     2 * layout->scale, colour);
    ksiAddText(picture, x + length + layout->letter, y, layout->scale, KSI_INK, "%s", words);
}

/* Of a joint: an arrow that is drawn, or an arc. */
static bool isPale(const ksReaction *reaction, bool hasTorques)
{
    bool isForceUnique, isTorqueUnique;
    ksiJointIsUnique(reaction, &isForceUnique, &isTorqueUnique);
    return reaction->type != dJointTypeContact && (!isForceUnique || (!isTorqueUnique && hasTorques));
}

/* What the arrows are, and a bar as long as an arrow at the middle of the picture. */
static void drawLegend(const ksiPanel *panel, const Layout *layout, double y, ksiPicture *picture)
{
    const ksiShown *shown = panel->forces->shown;
    const double x = picture->width - layout->margin - 17 * layout->letter;
    size_t count = 0, contacts = 0, redundant = 0, pale = 0;
    const ksReaction *reaction = ksInspectorGetReactions(panel->inspector, &count);
    for (size_t i = 0; i < count; i++) {
        contacts += reaction[i].type == dJointTypeContact;
        redundant += reaction[i].freeCount > 0;
        pale += isPale(&reaction[i], shown->torques);
    }
    for (int value = 0; contacts < count && value <= KS_PHYSICAL; value++) {
        if (!shown->value[value])
            continue;
        drawEntry(layout, x, y, ksiValueColour((ksValue)value), valueName[value], picture);
        y += layout->line;
    }
    if (pale > 0 && (shown->value[KS_CONVERGED] || shown->value[KS_PHYSICAL])) {
        const ksValue value = shown->value[KS_PHYSICAL] ? KS_PHYSICAL : KS_CONVERGED;
        drawEntry(layout, x, y, ksiWrenchColour(value, false), "one of many", picture);
        y += layout->line;
    }
    if (shown->contacts && contacts > 0) {
        drawEntry(layout, x, y, KSI_CONTACT, "contact", picture);
        y += layout->line;
    }
    if (shown->selfStress && redundant > 0) {
        drawEntry(layout, x, y, KSI_SELF_STRESS, "self-stress", picture);
        y += layout->line;
    }
    const ksiForces *forces = panel->forces;
    if (!(forces->scale->force > 0))
        return;
    double pixels = forces->sizes.length / (KSI_CAMERA_HEIGHT * forces->camera->distance) * picture->height;
    double right = picture->width - layout->margin, middle = y + 0.6 * layout->line;
    ksiAddStroke(picture, right - pixels, middle, right, middle, layout->scale, KSI_INK);
    ksiAddStroke(picture, right - pixels, middle - 4, right - pixels, middle + 4, layout->scale, KSI_INK);
    ksiAddStroke(picture, right, middle - 4, right, middle + 4, layout->scale, KSI_INK);
    char words[32];
    int length = snprintf(words, sizeof words, "%g N", forces->scale->force);
    ksiAddText(picture, right - pixels / 2 - length * layout->letter / 2, y + 0.9 * layout->line, layout->scale,
               KSI_INK, "%s", words);
}

/* Where a point is in the picture, pixels; false: behind the eye. */
static bool project(const ksiCamera *camera, const ksiPicture *picture, const double place[3], double pixel[2])
{
    double clip[4];
    for (int i = 0; i < 4; i++) {
        clip[i] = camera->clip[i][3];
        for (int k = 0; k < 3; k++)
            clip[i] += camera->clip[i][k] * (place[k] - camera->target[k]);
    }
    if (!(clip[3] > 0))
        return false;
    pixel[0] = (clip[0] / clip[3] + 1) / 2 * picture->width;
    pixel[1] = (1 - clip[1] / clip[3]) / 2 * picture->height;
    return true;
}

enum { TEXT = 128 };

/* Sizes of the force and of the torque about the joint's place; what is nothing beside the others is 0. */
static int writeValue(const ksiPanel *panel, ksValue value, char out[TEXT])
{
    static const double nothing = 1e-6;
    const ksiScale *scale = panel->forces->scale;
    ksWrench wrench;
    // a contact has only the engine's
    if ((value != KS_ENGINE && panel->worst->type == dJointTypeContact) ||
        !ksiJointWrench(panel->worst, value, &wrench))
        return snprintf(out, TEXT, "%-9s   -", valueName[value]);
    double force = ksiLength3(wrench.force), torque = ksiLength3(wrench.torque);
    return snprintf(out, TEXT, "%-9s %8.4g N %8.4g N.m%s", valueName[value], force > nothing * scale->force ? force : 0,
                    torque > nothing * scale->torque ? torque : 0,
                    value != KS_ENGINE && isPale(panel->worst, true) ? ", one of many" : "");
}

/* Of a joint, the engine's wrench against the converged one; of a contact, which has only the engine's, how far its own rows are from
 * solved. */
static int writeError(const ksReaction *worst, const char *name, char out[TEXT])
{
    const double percent = 100 * worst->error, least = 1e-3;
    const char *part = worst->freeCount > 0 ? " where told" : "";
    if (worst->type == dJointTypeContact)
        return snprintf(out, TEXT, "worst: %s, %.3g %% from solved", name, percent);
    if (percent < least)
        return snprintf(out, TEXT, "worst: %s, engine < %g %% off%s", name, least, part);
    return snprintf(out, TEXT, "worst: %s, engine %.3g %% off%s", name, percent, part);
}

/* The worst joint's figures, with a line that leads to it. Always in one place, to be read while they change, and where few bodies
 * are. */
static void drawWorst(const ksiPanel *panel, const Layout *layout, double bottom, ksiPicture *picture)
{
    enum { LINES = KS_PHYSICAL + 2 };
    char name[64], text[LINES][TEXT];
    int width = 0, length[LINES];
    if (!panel->worst)
        return;
    ksiHistoryName(panel->history, panel->inspector, panel->worst->joint, name);
    length[0] = writeError(panel->worst, name, text[0]);
    for (int value = 0; value <= KS_PHYSICAL; value++)
        length[1 + value] = writeValue(panel, (ksValue)value, text[1 + value]);
    for (int i = 0; i < LINES; i++)
        width = length[i] > width ? length[i] : width;

    double boxWidth = width * layout->letter + 2 * layout->margin, boxHeight = LINES * layout->line + layout->margin;
    double x = layout->margin, y = bottom - boxHeight, place[3], pixel[2];
    ksiJointPlace(panel->worst, place);
    if (project(panel->forces->camera, picture, place, pixel))
        ksiAddStroke(picture, x + boxWidth, y + boxHeight / 2, pixel[0], pixel[1], layout->scale / 2, KSI_INK);
    ksiAddRectangle(picture, x, y, boxWidth, boxHeight, KSI_PAPER, 0.85);
    ksiAddRectangle(picture, x, y, 2 * layout->scale, boxHeight, ksiVerdictColour(panel->worst->verdict), 1);
    for (int i = 0; i < LINES; i++)
        ksiAddText(picture, x + layout->margin, y + layout->margin / 2 + 2 + i * layout->line, layout->scale, KSI_INK,
                   "%s", text[i]);
}

/* The upper end of what is written. */
static double drawKeys(const ksiPanel *panel, const Layout *layout, ksiPicture *picture)
{
    static const char *const line[] = {"up down: iterations of QuickStep",   "space pause    . step    [ ] speed",
                                       "e engine  c converged  p physical",  "t torques  k contacts  s self-stress",
                                       "tab joint of the chart    w worst",  "mouse turns, moves, zooms    home",
                                       "l figures   h these keys   esc ends"};
    enum { LINES = sizeof line / sizeof *line };
    int first = panel->isPast;
    double height = (LINES - first) * layout->line + 1.5 * layout->margin;
    double y = picture->height - layout->margin - height;
    ksiAddRectangle(picture, layout->margin, y, 38 * layout->letter, height, KSI_PAPER, 0.85);
    for (int i = first; i < LINES; i++)
        ksiAddText(picture, 2 * layout->margin, y + layout->margin + (i - first) * layout->line, layout->scale,
                   KSI_FAINT, "%s", line[i]);
    return y;
}

void ksiPanelDraw(const ksiPanel *panel, ksiPicture *picture)
{
    const Layout layout = layoutOf(picture);
    if (panel->inspector) {
        double y = drawStep(panel, &layout, layout.margin, layout.margin, picture);
        drawVerdicts(panel, &layout, layout.margin, y + layout.margin, picture);
        drawLegend(panel, &layout, layout.margin, picture);
    }
    double bottom = panel->forces->shown->help ? drawKeys(panel, &layout, picture) : picture->height;
    if (panel->inspector && panel->forces->shown->figures) {
        drawWorst(panel, &layout, bottom - layout.margin, picture);
        double width = 0.36 * picture->width, height = 0.25 * picture->height;
        ksiHistoryDraw(panel->history, panel->inspector, panel->forces->shown->value,
                       picture->width - width - layout.margin, picture->height - height - layout.margin, width, height,
                       layout.scale, picture);
    }
}
