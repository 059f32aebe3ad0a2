/* feedback.h  Replaces the host's feedback, and finds the joints that still exist. */
#ifndef KSI_INSPECTOR_HOST_FEEDBACK_H
#define KSI_INSPECTOR_HOST_FEEDBACK_H

#include "../step_view.h"

/* Restores the host's feedback pointer of one joint, or of all joints, with the numbers that the
 * engine wrote. Checks that the joint is still the same. */
void ksiTakeFeedbackOff(const ksiStep *step, size_t joint, dJointID seen, ksiJointReport *report);
void ksiGiveFeedbackBack(const ksiStep *step, ksiReport *out);

/* Is the bracket of another inspector, begun within this one, still open? */
bool ksiIsCovered(const ksiStep *step);

/* [joints] Is this joint of the step still in the world? isLate: the host may have stepped the
 * world since. */
void ksiFindAlive(const ksiStep *step, bool isLate, bool *isAlive);

#endif
