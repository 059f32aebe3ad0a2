/* feedback.c  Replaces the host's feedback during the engine's step, and finds the joints that
 * still exist after it. */
#include "feedback.h"
#include "../read/memory.h"

static bool isAlive(const ksiJointInput *joint, int mark, const ksiJoint *now)
{
    const ksiJoint before = {.type = joint->type, .body = {joint->body[0], joint->body[1]}, .mark = mark};
    return ksiIsSameJoint(&before, now);
}

/* Has a body of the joint moved since the step? Then another step may have removed the stepper's
 * mark from the joint. */
static bool hasMoved(const ksiStep *step, const ksiJointInput *joint)
{
    KSI_EACH_BODY (joint->bodyIndex, side, at) {
        double centre[3], rotation[9], velocity[6];
        ksiReadState(joint->body[side], centre, rotation, velocity);
        if (!ksiIsLeftAt(&step->motion[at].end, centre, rotation, velocity))
            return true;
    }
    return false;
}

/* Finds the joints of this step that still exist. */
void ksiFindAlive(const ksiStep *step, bool isLate, bool *alive)
{
    size_t expected = 0;
    for (size_t i = 0; i < step->jointCount; i++)
        alive[i] = false;
    for (dJointID j = ksiFirstJoint(&step->engine); j; j = ksiNextJoint(j)) {
        const int index = ksiJointAt(step->input, j, expected);
        if (index < 0)
            continue;
        expected = (size_t)index + 1;
        ksiJoint now;
        ksiReadJoint(&step->engine, j, step->joint[index].type, &now);
        const ksiJointInput *joint = &step->joint[index];
        alive[index] = isAlive(joint, step->report[index].mark, &now) ||
                       (isLate && isAlive(joint, 0, &now) && hasMoved(step, joint));
    }
}

/* Is another inspector's bracket, begun within this one, still open? Its feedback then replaces
 * ours. */
bool ksiIsCovered(const ksiStep *step)
{
    size_t expected = 0;
    for (dJointID j = ksiFirstJoint(&step->engine); j && step->jointCount > 0; j = ksiNextJoint(j)) {
        const int index = ksiJointAt(step->input, j, expected);
        if (index < 0 || !step->joint[index].isRead)
            continue;
        expected = (size_t)index + 1;
        const dJointFeedback *feedback = dJointGetFeedback(j);
        if (feedback == &step->feedback[index].own)
            return false;
        if (feedback && ksiFeedbackOfInspector(feedback))
            return true;
    }
    return false;
}

void ksiTakeFeedbackOff(const ksiStep *step, size_t index, dJointID seen, ksiJointReport *report)
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiJointFeedback *feedback = &step->feedback[index];
    ksiJoint now;
    ksiReadJoint(step->seen, seen, joint->type, &now);
    report->mark = now.mark;
    report->isAlive = isAlive(joint, now.mark, &now);
    // a joint made in the bracket at the address of an old one does not have our feedback
    if (joint->isRead && now.feedback == &feedback->own) {
        dJointSetFeedback(seen, feedback->host);
        ksiGiveWritten(&feedback->own, feedback->host);
    }
}

void ksiGiveFeedbackBack(const ksiStep *step, ksiReport *out)
{
    size_t expected = 0;
    for (dJointID j = ksiFirstJoint(step->seen); j && step->jointCount > 0; j = ksiNextJoint(j)) {
        const int index = ksiJointAt(step->input, ksiIdOfJoint(step->seen, j), expected);
        if (index < 0)
            continue;
        expected = (size_t)index + 1;
        ksiTakeFeedbackOff(step, (size_t)index, j, &out->joint[index]);
    }
}
