/* view.c  View: the worlds of a report in a browser; with libkinetostat-report. While a view
 * answers or waits, other Python threads can run. */
#include "native.h"

#ifdef KSP_HAVE_REPORT
#include <kinetostat/view.h>

#include <math.h>
#include <time.h>

typedef struct View {
    PyObject_HEAD ksView *handle; /* NULL: closed */
    PyObject *report;             /* kept as long as the view */
} View;

static PyObject *create(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"report", NULL};
    PyObject *report;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:View", names, &report))
        return NULL;
    const ksReport *handle = kspReportHandle(report);
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    View *self = handle ? (View *)alloc(type, 0) : NULL;
    if (!self)
        return NULL;
    self->report = Py_NewRef(report);
    const ksStatus status = ksViewCreate(handle, &self->handle);
    if (status) {
        Py_CLEAR(self);
        kspRaise(status);
    }
    return (PyObject *)self;
}

static void dealloc(PyObject *self)
{
    ksViewDestroy(((View *)self)->handle);
    Py_CLEAR(((View *)self)->report);
    kspFree(self);
}

static ksView *handleOf(PyObject *self)
{
    ksView *handle = ((View *)self)->handle;
    if (!handle)
        PyErr_SetString(PyExc_ValueError, "the view is closed");
    return handle;
}

static PyObject *poll(PyObject *self, PyObject *object)
{
    ksView *handle = handleOf(self);
    PyObject *report = ((View *)self)->report;
    int mayStep = 0;
    const double time = handle ? PyFloat_AsDouble(object) : 0;
    PyObject *entered = PyErr_Occurred() ? NULL : kspReportEnter(report);
    if (!entered)
        return NULL;
    PyThreadState *state = PyEval_SaveThread();
    const ksStatus status = ksViewPoll(handle, time, &mayStep);
    PyEval_RestoreThread(state);
    kspReportLeave(report, entered);
    return status ? kspRaise(status) : PyBool_FromLong(mayStep);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Waits until a page has all data, or for `patience` if no page connects. *took: time of the wait,
 * s. @return 1; 0 with an exception */
static int finishWithin(View *self, double patience, double *took)
{
    PyObject *entered = kspReportEnter(self->report);
    if (!entered)
        return 0;
    const double begun = now();
    PyThreadState *state = PyEval_SaveThread();
    const ksStatus status = ksViewFinish(self->handle, patience);
    PyEval_RestoreThread(state);
    *took = now() - begun;
    kspReportLeave(self->report, entered);
    if (status)
        kspRaise(status);
    return status == KS_OK;
}

/* Waits in short pieces, since the interpreter handles Ctrl-C only between calls. */
static PyObject *finish(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"patience", NULL};
    static const double piece = 0.2;  // s
    double patience = 10, took = 0;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|d:finish", names, &patience))
        return NULL;
    if (isnan(patience))
        return kspRaiseWords(KS_ERROR_BAD_ARGUMENT, "kinetostat: View.finish: patience is not a number");
    do {
        if (!handleOf(self) || !finishWithin((View *)self, patience < piece ? patience : piece, &took) ||
            PyErr_CheckSignals())
            return NULL;
        patience -= piece;
    } while (patience > 0 && took >= piece);
    Py_RETURN_NONE;
}

static PyObject *closeIt(PyObject *object, PyObject *unused)
{
    View *self = (View *)object;
    PyObject *entered = self->handle ? kspReportEnter(self->report) : NULL;
    (void)unused;
    if (!self->handle)
        Py_RETURN_NONE;
    if (!entered)
        return NULL;
    ksViewDestroy(self->handle);
    self->handle = NULL;
    kspReportLeave(self->report, entered);
    Py_RETURN_NONE;
}

static PyObject *enter(PyObject *self, PyObject *unused)
{
    (void)unused;
    return handleOf(self) ? Py_NewRef(self) : NULL;
}

static PyObject *getAddress(PyObject *self, void *closure)
{
    const ksView *handle = handleOf(self);
    (void)closure;
    return handle ? PyUnicode_FromString(ksViewGetAddress(handle)) : NULL;
}

static PyMethodDef methods[] = {
    {"poll", poll, METH_O,
     "poll(time) -> bool\n\nCall it before a step. Answers pages, and returns whether the step may be made: while not "
     "view.poll(time): pass. If\nnot, waits up to 10 ms. time: of the world that is stepped, s."},
    {"finish", (PyCFunction)(void (*)(void))finish, METH_VARARGS | METH_KEYWORDS,
     "finish(patience=10.0)\n\nCall it after the last step. Returns when a page has all data, or after `patience` "
     "seconds if no page connects."},
    {"close", closeIt, METH_NOARGS, "close()\n\nStops answering pages."},
    {"__enter__", enter, METH_NOARGS, NULL},
    {"__exit__", closeIt, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef attributes[] = {
    {"address", getAddress, NULL,
     "The address for a browser on this machine. Anyone who has it can watch the program and pause it.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

int kspAddView(PyObject *module)
{
    static char doc[] = "View(report)\n\nShows the worlds of a Report in a browser while they are stepped: its "
                        "HTML page, which grows. The page can\npause the program, slow it down, or make single steps. "
                        "Listens on 127.0.0.1.";
    PyType_Slot slots[] = {{Py_tp_dealloc, dealloc},   {Py_tp_new, create}, {Py_tp_methods, methods},
                           {Py_tp_getset, attributes}, {Py_tp_doc, doc},    {0, NULL}};
    PyType_Spec spec = {"kinetostat.View", sizeof(View), 0, Py_TPFLAGS_DEFAULT, slots};
    return kspAddType(module, &spec) ? 0 : -1;
}

#else

int kspAddView(PyObject *module)
{
    (void)module;
    return 0;
}

#endif
