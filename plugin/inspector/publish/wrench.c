/* wrench.c  The wrench of a reaction, or of a copy of it, in a frame and about a point. */
#include "wrench.h"

#include "../../base/fpguard.h"
#include "../../engine/vector.h"

#include <math.h>
#include <string.h>

static bool known(const ksWrench *w)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += w->force[k] + w->torque[k];
    return isfinite(sum);
}

void ksiMoveWrench(ksWrench *w, const double from[3], const double to[3])
{
    double r[3], moment[3];
    ksiSubtract(r, to, from);
    ksiCross(moment, r, w->force);
    ksiAddScaled(w->torque, -1, moment);
}

void ksiTurnWrench(ksWrench *w, const double axes[9])
{
    ksiTransform(w->force, axes, w->force);
    ksiTransform(w->torque, axes, w->torque);
}

void ksiNormaliseWrench(ksWrench *w)
{
    const double perUnit = ksiPerUnit(ksiDot(w->force, w->force), ksiDot(w->torque, w->torque));
    for (int k = 0; k < 3; k++) {
        w->force[k] *= perUnit;
        w->torque[k] *= perUnit;
    }
}

void ksiFrameAxes(const ksReaction *reaction, int body, ksFrame frame, double axes[9])
{
    static const double world[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    memcpy(axes, frame == KS_FRAME_JOINT ? reaction->axes : world, sizeof world);
    if (frame != KS_FRAME_BODY || !reaction->body[body])
        return;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            axes[3 * i + k] = reaction->rotation[body][3 * k + i];
    }
}

const ksWrench *ksiWrenchesOf(const ksReaction *reaction, ksValue value)
{
    const ksWrench *const of[] = {reaction->engine, reaction->converged, reaction->physical, reaction->observed,
                                  reaction->shared};
    const ksWrench *both = of[value];
    return reaction->body[0] && known(&both[0]) ? both : NULL;
}

ksStatus ksiExplainNoValue(const ksReaction *reaction, ksValue value)
{
    static const char *const name[] = {"engine", "converged", "physical", "observed", "shared", "mean"};
    return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE, "the reaction (%s) has no %s value: see its reasons",
                       ksVerdictName(reaction->verdict), name[value]);
}

/* Returns KS_OK, KS_ERROR_NO_ANCHOR, or KS_ERROR_UNAVAILABLE (the world has no mass centre). */
static ksStatus viewReaction(const ksReaction *reaction, int body, ksFrame frame, ksPoint point, ksiWrenchFrame *view)
{
    if (point == KS_POINT_ANCHOR && !isfinite(reaction->anchor[0][0]))
        return KS_ERROR_NO_ANCHOR;
    if (point != KS_POINT_ANCHOR && !reaction->body[body])
        return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE, "body %d is the world, which has no mass centre: %s", body,
                           isfinite(reaction->anchor[0][0])
                               ? "request the wrench about the anchor"
                               : "and the joint has no anchor; request the wrench on body 0");
    // for the world, the anchor of the other body
    const double *anchor = reaction->anchor[reaction->body[body] ? body : 0];
    view->body = body;
    memcpy(view->point, point == KS_POINT_ANCHOR ? anchor : reaction->centre[body], sizeof view->point);
    ksiFrameAxes(reaction, body, frame, view->axes);
    return KS_OK;
}

ksStatus ksiViewAnyhow(const ksReaction *reaction, int body, ksFrame frame, ksPoint *point, ksiWrenchFrame *view)
{
    if (!isfinite(reaction->anchor[0][0]))
        *point = KS_POINT_MASS_CENTRE;
    return viewReaction(reaction, body, frame, *point, view);
}

void ksiViewWrench(const ksReaction *reaction, const ksiWrenchFrame *view, const ksWrench both[2], ksWrench *out)
{
    // the wrench on the world is the opposite of the wrench on the body
    int side = reaction->body[view->body] ? view->body : 0;
    ksWrench w = both[side];
    ksiMoveWrench(&w, reaction->centre[side], view->point);
    for (int k = 0; k < 3 && side != view->body; k++) {
        w.force[k] = -w.force[k];
        w.torque[k] = -w.torque[k];
    }
    ksiTurnWrench(&w, view->axes);
    *out = w;
}

/* Axes and anchors move within the window. So the mean exists only about the points and in the axes
 * for which ksiMeanSums has sums. */
static ksStatus getMean(const ksReaction *reaction, int body, ksFrame frame, ksPoint point, ksWrench *out)
{
    const bool isAnchored = isfinite(reaction->anchor[0][0]), isWorld = !reaction->body[body];
    if (point == KS_POINT_ANCHOR && !isAnchored)
        return KS_ERROR_NO_ANCHOR;
    if ((point == KS_POINT_ANCHOR) != isAnchored || (isWorld && !isAnchored))
        return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE, "the mean of this joint is about %s: %s",
                           isAnchored ? "its anchor" : "the mass centres of its bodies",
                           isAnchored ? "request KS_POINT_ANCHOR" : "request the wrench on a body");
    if (frame == KS_FRAME_BODY && !isWorld)
        return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE, "KS_FRAME_BODY has no mean: request KS_FRAME_WORLD or KS_FRAME_JOINT");
    const ksWrench *mean = frame == KS_FRAME_JOINT ? reaction->meanInJoint : reaction->mean;
    if (!reaction->body[0] || !known(&mean[0]))
        return ksiExplainNoValue(reaction, KS_MEAN);
    *out = mean[isWorld ? 0 : body];
    for (int k = 0; k < 3 && isWorld; k++) {
        out->force[k] = -out->force[k];
        out->torque[k] = -out->torque[k];
    }
    return KS_OK;
}

static ksStatus getWrench(const ksReaction *reaction, ksValue value, int body, ksFrame frame, ksPoint point,
                          ksWrench *out)
{
    KSI_REQUIRE_POINTER(reaction);
    KSI_REQUIRE(value <= KS_MEAN, "value is %d, not one of ksValue", (int)value);
    KSI_REQUIRE(body == 0 || body == 1, "body is %d, must be 0 or 1", body);
    KSI_REQUIRE(frame <= KS_FRAME_JOINT, "frame is %d, not one of ksFrame", (int)frame);
    KSI_REQUIRE(point <= KS_POINT_ANCHOR, "point is %d, not one of ksPoint", (int)point);
    KSI_REQUIRE_POINTER(out);
    ksiWrenchFrame view;
    if (value == KS_MEAN)
        return getMean(reaction, body, frame, point, out);
    KSI_TRY(viewReaction(reaction, body, frame, point, &view));
    const ksWrench *both = ksiWrenchesOf(reaction, value);
    if (!both)
        return ksiExplainNoValue(reaction, value);
    ksiViewWrench(reaction, &view, both, out);
    return KS_OK;
}

ksStatus ksReactionGetWrench(const ksReaction *reaction, ksValue value, int body, ksFrame frame, ksPoint point,
                             ksWrench *out)
{
    KSI_RETURN_GUARDED(getWrench(reaction, value, body, frame, point, out));
}
