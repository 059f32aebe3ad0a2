/* host_calls.h  Marks the scopes in which the host's callbacks are called. These include callbacks
 * that the engine calls while it steps for us. If a callback leaves by an exception or longjmp,
 * unfinished work is abandoned at once or in the next call. */
#ifndef KSI_INSPECTOR_HOST_HOST_CALLS_H
#define KSI_INSPECTOR_HOST_HOST_CALLS_H

#include "../inspector.h"

/* The inspector whose host is called; NULL after the call. Where the compiler supports it, an
 * exception ends the scope, too. */
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

/* Does a host function make this call? If the host has jumped out of the scope, abandons the
 * unfinished work. */
bool ksiIsInHost(ksInspector *inspector);

#endif
