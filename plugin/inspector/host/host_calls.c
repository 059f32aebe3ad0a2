/* host_calls.c  Detects callbacks of the host that leave by an exception or by longjmp.
 *
 * Stacks grow downwards. So a call from a frame above the scope's frame, on the same stack, shows
 * that the host's function has left. A call on another stack, such as a coroutine's, shows
 * nothing. */
#define _GNU_SOURCE
#include "host_calls.h"

#define FRAME() ((uintptr_t)__builtin_frame_address(0))

/* The bounds of the calling thread's own stack; 0, 0 on any other stack. */
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
