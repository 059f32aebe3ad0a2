/* host_calls.h  While functions of the host run: callbacks, and what the engine calls while it steps for us. They may leave by an
 * exception or by longjmp, and what was under way is given up then: at once, or in the next call. */
#ifndef KSI_INSPECTOR_HOST_HOST_CALLS_H
#define KSI_INSPECTOR_HOST_HOST_CALLS_H

#include "../inspector.h"

/* The inspector whose host is called; NULL once that has ended. An exception that leaves the scope ends it, too, where the compiler knows
 * how to. */
typedef struct ksiHostScope {
    ksInspector *inspector;
} ksiHostScope;

ksiHostScope ksiEnterHost(ksInspector *inspector);
void ksiLeaveHost(ksiHostScope *scope);
void ksiHostHasLeft(ksiHostScope *scope);
#ifdef __GNUC__
#define KSI_HOST_SCOPE __attribute__((cleanup(ksiHostHasLeft))) ksiHostScope
#else
#define KSI_HOST_SCOPE ksiHostScope
#endif

/* Is this a call out of one of them? Gives up what was under way where the host has jumped out of it. */
bool ksiIsInHost(ksInspector *inspector);

#endif
