/* calls.c  Records which thread is using which inspectors. While a thread uses an inspector, calls
 * of other threads are refused. */
#include "native.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

int kspInspectorCheck(kspInspector *self)
{
    if (!self->handle) {
        PyErr_SetString(PyExc_ValueError, "the inspector is closed");
        return 0;
    }
    if (self->depth && self->thread != PyThread_get_thread_ident()) {
        kspRaiseWords(KS_ERROR_REENTRY, "kinetostat: another thread is using this inspector");
        return 0;
    }
    return 1;
}

/* the inspectors with running calls */
static kspInspector *used;

static void begin(kspInspector *self)
{
    self->thread = PyThread_get_thread_ident();
    if (self->depth++)
        return;
    self->alsoUsed = used;
    used = self;
}

void kspInspectorEnd(kspInspector *self)
{
    kspInspector **at = &used;
    if (--self->depth)
        return;
    while (*at != self)
        at = &(*at)->alsoUsed;
    *at = self->alsoUsed;
}

/* the thread that ends the program; 0: none */
static unsigned long ending;

static int othersAreAtWork(void)
{
    for (const kspInspector *one = used; one; one = one->alsoUsed)
        if (one->thread != ending)
            return 1;
    return 0;
}

/* No thread may be in the engine while the process ends. A call that another thread begins now
 * never returns, like Python's own calls from 3.14 on. Waits up to ten seconds for running
 * calls. */
PyObject *kspEnd(PyObject *module, PyObject *unused)
{
    const struct timespec pause = {0, 1000000};
    (void)module, (void)unused;
    ending = PyThread_get_thread_ident();
    for (int i = 0; i < 10000 && othersAreAtWork(); i++) {
        PyThreadState *state = PyEval_SaveThread();
        nanosleep(&pause, NULL);
        PyEval_RestoreThread(state);
    }
    Py_RETURN_NONE;
}

static void stayOut(void)
{
    if (ending && ending != PyThread_get_thread_ident()) {
        (void)PyEval_SaveThread();
        for (;;)
            pause();
    }
}

int kspInspectorEnter(kspInspector *self)
{
    if (!kspInspectorCheck(self))
        return 0;
    stayOut();
    begin(self);
    return 1;
}

PyObject *kspInspectorLeave(kspInspector *self, ksStatus status)
{
    kspInspectorEnd(self);
    if (self->depth)
        return kspAnswer(status);
    if (!self->handle)
        kspSubscriptionsEnd(self);  // a callback has closed the inspector
    if (self->raised[0]) {
        PyErr_Restore(self->raised[0], self->raised[1], self->raised[2]);
        memset(self->raised, 0, sizeof self->raised);
        return NULL;
    }
    return kspAnswer(status);
}

void kspInspectorRelease(kspInspector *self, int hasStep)
{
    if (self->depth == 1 && !(hasStep && self->isHeld))
        self->released = PyEval_SaveThread();
}

void kspInspectorAcquire(kspInspector *self)
{
    PyThreadState *state = self->released;
    if (self->depth != 1 || !state)
        return;
    self->released = NULL;
    PyEval_RestoreThread(state);
}

const ksStepReport *kspInspectorWait(kspInspector *self)
{
    if (!self->isDeferred)
        return ksInspectorGetStepReport(self->handle);
    begin(self);
    kspInspectorRelease(self, 0);
    const ksStepReport *report = ksInspectorGetStepReport(self->handle);
    kspInspectorAcquire(self);
    kspInspectorEnd(self);
    return report;
}

/* --- reports */

/* all inspectors that exist */
static kspInspector *known;

void kspInspectorKnow(kspInspector *self)
{
    self->next = known;
    known = self;
}

void kspInspectorForget(kspInspector *self)
{
    kspInspector **at = &known;
    while (*at && *at != self)
        at = &(*at)->next;
    if (*at)
        *at = self->next;
}

static int isWatched(const kspInspector *self, const PyObject *report)
{
    int isIt = self->report == report;
    for (Py_ssize_t i = self->watchers ? PyList_Size(self->watchers) : 0; i-- > 0;)
        isIt |= PyList_GetItem(self->watchers, i) == report;
    return isIt;
}

int kspInspectorsCheckReport(PyObject *report)
{
    for (const kspInspector *one = used; one; one = one->alsoUsed)
        if (one->thread != PyThread_get_thread_ident() && isWatched(one, report)) {
            kspRaiseWords(KS_ERROR_REENTRY,
                          "kinetostat: another thread is using an inspector that this report watches");
            return 0;
        }
    return 1;
}

PyObject *kspInspectorsEnter(PyObject *report)
{
    stayOut();
    PyObject *entered = PyList_New(0);
    if (entered && !kspInspectorsCheckReport(report))
        Py_CLEAR(entered);
    for (kspInspector *one = known; entered && one; one = one->next)
        if (one->handle && isWatched(one, report) && PyList_Append(entered, (PyObject *)one))
            Py_CLEAR(entered);
    for (Py_ssize_t i = entered ? PyList_Size(entered) : 0; i-- > 0;)
        begin((kspInspector *)PyList_GetItem(entered, i));
    return entered;
}

void kspInspectorsLeave(PyObject *entered)
{
    for (Py_ssize_t i = PyList_Size(entered); i-- > 0;)
        kspInspectorEnd((kspInspector *)PyList_GetItem(entered, i));
    Py_DECREF(entered);
}
