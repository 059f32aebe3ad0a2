/* trace.c  Trace: joint forces and verdicts of each step in a file; with libkinetostat-report. */
#include "native.h"

#ifdef KSP_HAVE_REPORT
#include <kinetostat/trace.h>

#include <stdlib.h>

typedef struct Trace {
    PyObject_HEAD ksTrace *handle; /* NULL: closed */
} Trace;

static PyObject *create(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *path;
    ksTraceOptions options;
    ksTraceOptionsInit(&options);
    if (!PyArg_ParseTuple(args, "O&:Trace", PyUnicode_FSConverter, &path))
        return NULL;
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Trace *self = NULL;
    if (kspFieldsWrite("Trace", &kspTraceOptionsLayout, &options, keywords))
        self = (Trace *)alloc(type, 0);
    const char *name = PyBytes_AsString(path);
    const ksStatus status = self ? ksTraceCreate(name, &options, &self->handle) : KS_OK;
    if (status) {
        Py_CLEAR(self);
        kspRaise(status);
    }
    Py_DECREF(path);
    return (PyObject *)self;
}

static void dealloc(PyObject *self)
{
    ksTraceClose(((Trace *)self)->handle);
    kspFree(self);
}

static ksTrace *handleOf(PyObject *self)
{
    ksTrace *handle = ((Trace *)self)->handle;
    if (!handle)
        PyErr_SetString(PyExc_ValueError, "the trace is closed");
    return handle;
}

static PyObject *watch(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"inspector", "world", NULL};
    PyObject *object;
    const char *world = NULL;
    ksTrace *handle = handleOf(self);
    if (!handle || !PyArg_ParseTupleAndKeywords(args, keywords, "O|z:watch", names, &object, &world))
        return NULL;
    kspInspector *inspector = kspInspectorOf(object);
    if (inspector && inspector->depth)
        return kspRaiseWords(KS_ERROR_REENTRY, "kinetostat: a trace cannot begin within a callback");
    if (!inspector || PyList_Append(inspector->watchers, self))
        return NULL;
    return kspAnswer(ksTraceWatch(handle, inspector->handle, world));
}

static PyObject *setParameter(PyObject *self, PyObject *args)
{
    const char *name, *value;
    ksTrace *handle = handleOf(self);
    if (!handle || !PyArg_ParseTuple(args, "ss:set_parameter", &name, &value))
        return NULL;
    return kspAnswer(ksTraceSetParameter(handle, name, value));
}

static PyObject *flush(PyObject *self, PyObject *unused)
{
    ksTrace *handle = handleOf(self);
    (void)unused;
    return handle ? kspAnswer(ksTraceFlush(handle)) : NULL;
}

static PyObject *closeIt(PyObject *self, PyObject *unused)
{
    ksTrace *handle = ((Trace *)self)->handle;
    (void)unused;
    ((Trace *)self)->handle = NULL;
    return kspAnswer(ksTraceClose(handle));
}

static PyObject *enter(PyObject *self, PyObject *unused)
{
    (void)unused;
    return handleOf(self) ? Py_NewRef(self) : NULL;
}

static PyMethodDef methods[] = {
    {"watch", (PyCFunction)(void (*)(void))watch, METH_VARARGS | METH_KEYWORDS,
     "watch(inspector, world=None)\n\nTraces all later steps of this inspector; world: the name of its world in the "
     "file."},
    {"set_parameter", setParameter, METH_VARARGS,
     "set_parameter(name, value)\n\nStores a parameter of this run, both str, in a recording (level=TRACE_RAW)."},
    {"flush", flush, METH_NOARGS, "flush()\n\nWrites the data in memory to the file. Also raises the error of a step."},
    {"close", closeIt, METH_NOARGS, "close()\n\nWrites and closes the file; raises as flush()."},
    {"__enter__", enter, METH_NOARGS, NULL},
    {"__exit__", closeIt, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};

int kspAddTrace(PyObject *module)
{
    char *doc = kspDescribe(
        "Trace(path, **options)\n\nWrites joint forces and verdicts of each step to a file: CSV or HDF5.\n\n"
        "Options, the default first:",
        &kspTraceOptionsLayout);
    if (!doc) {
        PyErr_NoMemory();
        return -1;
    }
    PyType_Slot slots[] = {
        {Py_tp_dealloc, dealloc}, {Py_tp_new, create}, {Py_tp_methods, methods}, {Py_tp_doc, (void *)doc}, {0, NULL}};
    PyType_Spec spec = {"kinetostat.Trace", sizeof(Trace), 0, Py_TPFLAGS_DEFAULT, slots};
    PyTypeObject *type = kspAddType(module, &spec);
    free(doc);  // copied
    return type ? 0 : -1;
}

#else

int kspAddTrace(PyObject *module)
{
    (void)module;
    return 0;
}

#endif
