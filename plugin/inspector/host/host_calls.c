/* host_calls.c  Callbacks of the host that leave by an exception or by longjmp.
 *
 * Stacks grow downwards: who calls from a frame above that of the scope, on the same stack, is not called by the host's function, which
 * has gone. Another stack (of a coroutine) tells nothing. */
#define _GNU_SOURCE
#include "host_calls.h"

#define FRAME() ((uintptr_t)__builtin_frame_address(0))

/* Of the calling thread, its first one or those that the system made for others; else 0, 0. */
static void findStack(uintptr_t *low, uintptr_t *high)
{
    *low = *high = 0;
#ifdef HAVE_PTHREAD_GETATTR_NP
    pthread_attr_t attributes;
    void *base;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes))
        return;
    if (!pthread_attr_getstack(&attributes, &base, &size)) {
        *low = (uintptr_t)base;
        *high = *low + size;
    }
    pthread_attr_destroy(&attributes);
#endif
}

__attribute__((noinline)) ksiHostScope ksiEnterHost(ksInspector *inspector)
{
    inspector->host.isCalled = true;
    inspector->host.frame = FRAME();
    inspector->host.thread = pthread_self();
    return (ksiHostScope){inspector};
}

void ksiLeaveHost(ksiHostScope *scope)
{
    scope->inspector->host.isCalled = false;
    scope->inspector = NULL;
}

void ksiHostHasLeft(ksiHostScope *scope)
{
    if (!scope->inspector)
        return;
    scope->inspector->host.isCalled = false;
    scope->inspector->host.giveUp(scope->inspector);
}

static bool hasJumped(const ksiHostCalls *host, uintptr_t here)
{
    uintptr_t low, high;
    if (!pthread_equal(host->thread, pthread_self()) || here < host->frame)
        return false;
    findStack(&low, &high);
    return low <= host->frame && here < high;
}

__attribute__((noinline)) bool ksiIsInHost(ksInspector *inspector)
{
    if (!inspector->host.isCalled || !hasJumped(&inspector->host, FRAME()))
        return inspector->host.isCalled;
    inspector->host.isCalled = false;
    inspector->host.giveUp(inspector);
    return false;
}
