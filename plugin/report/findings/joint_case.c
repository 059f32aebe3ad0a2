/* joint_case.c  The result of a joint in the checks of a report. */
#include "joint_case.h"

void ksiCasesTell(ksiCases *cases, const char *world, const char *joint, ksiCaseOutcome outcome, ksiText *words)
{
    // the words may quote patterns that the user wrote in options
    char *clean = words->at ? ksiClean(words->allocator, words->at) : NULL;
    const ksiCase one = {world, joint, clean ? clean : "", outcome};
    cases->isShort |= words->isShort || (words->at && !clean);
    cases->count[outcome]++;
    if (cases->each)
        cases->each(&one, cases->user);
    ksiFree(words->allocator, clean);
    ksiTextFree(words);
}
