/* feedback.c  Our feedback in place of the host's while the engine steps, and which joints are still there after it. */
#include "inspector_private.h"

#include <string.h>

/* What the engine wrote, into the host's own feedback. */
static void copyWritten(const ksiJointState *joint)
{
    const dJointFeedback *from = &joint->feedback;
    dJointFeedback *to = joint->hostFeedback;
    if (!to)
        return;
    if (ksiFeedbackWritten(from, 0)) {
        memcpy(to->f1, from->f1, 3 * sizeof(dReal));
        memcpy(to->t1, from->t1, 3 * sizeof(dReal));
    }
    if (ksiFeedbackWritten(from, 1)) {
        memcpy(to->f2, from->f2, 3 * sizeof(dReal));
        memcpy(to->t2, from->t2, 3 * sizeof(dReal));
    }
}

/* A joint whose mark is gone was made since, at the address of the one that had it. */
static bool isAlive(const ksiJointState *joint, const ksiJoint *now)
{
    return now->type == joint->type && now->body[0] == joint->body[0] && now->body[1] == joint->body[1] &&
           (!joint->mark || now->mark);
}

/* The joints of this step that are in the world now, and are the same. */
void ksiFindAlive(ksInspector *inspector)
{
    size_t expected = 0;
    for (size_t i = 0; i < inspector->jointCount; i++)
        inspector->joint[i].alive = false;
    for (dJointID j = ksiFirstJoint(&inspector->engine); j; j = ksiNextJoint(j)) {
        int index = ksiJointAt(inspector, j, expected);
        if (index < 0)
            continue;
        expected = (size_t)index + 1;
        ksiJointState *joint = &inspector->joint[index];
        ksiJoint now;
        ksiReadJoint(&inspector->engine, j, joint->type, &now);
        joint->alive = isAlive(joint, &now);
    }
}

/* Is the bracket of another inspector open that was begun within this one? Its feedback is in place of ours then. */
bool ksiIsCovered(const ksInspector *inspector)
{
    size_t expected = 0;
    for (dJointID j = ksiFirstJoint(&inspector->engine); j && inspector->jointCount > 0; j = ksiNextJoint(j)) {
        const int index = ksiJointAt(inspector, j, expected);
        if (index < 0 || !inspector->joint[index].read)
            continue;
        expected = (size_t)index + 1;
        const dJointFeedback *feedback = dJointGetFeedback(j);
        if (feedback == &inspector->joint[index].feedback)
            return false;
        if (feedback && ksiFeedbackOfInspector(feedback))
            return true;
    }
    return false;
}

void ksiTakeFeedbackOff(ksInspector *inspector, ksiJointState *joint, dJointID id)
{
    ksiJoint now;
    ksiReadJoint(&inspector->engine, id, joint->type, &now);
    joint->mark = now.mark;
    joint->alive = isAlive(joint, &now);
    // a joint made in the bracket at the address of an old one has not our feedback
    if (joint->read && now.feedback == &joint->feedback) {
        dJointSetFeedback(id, joint->hostFeedback);
        copyWritten(joint);
    }
}

void ksiGiveFeedbackBack(ksInspector *inspector)
{
    size_t expected = 0;
    for (dJointID j = ksiFirstJoint(&inspector->engine); j && inspector->jointCount > 0; j = ksiNextJoint(j)) {
        const int index = ksiJointAt(inspector, j, expected);
        if (index < 0)
            continue;
        expected = (size_t)index + 1;
        ksiTakeFeedbackOff(inspector, &inspector->joint[index], j);
    }
}
