/* module.c  The contents of the module, and exceptions from statuses. */
#include "native.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#ifdef dSINGLE
#define PRECISION "single"
#define OTHER_PRECISION "double"
#else
#define PRECISION "double"
#define OTHER_PRECISION "single"
#endif

static PyObject *theModule;
static PyObject *error, *badArgument, *noMemory;

PyObject *kspModule(void)
{
    return theModule;
}

PyTypeObject *kspAddType(PyObject *module, PyType_Spec *spec)
{
    PyTypeObject *type = (PyTypeObject *)PyType_FromSpec(spec);
    if (type && PyModule_AddType(module, type))
        Py_CLEAR(type);
    return type;
}

void kspFree(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

PyObject *kspRaiseWords(ksStatus status, const char *words)
{
    PyObject *type = status == KS_ERROR_BAD_ARGUMENT ? badArgument : status == KS_ERROR_NO_MEMORY ? noMemory : error;
    PyObject *text = PyUnicode_DecodeUTF8(words, (Py_ssize_t)strlen(words), "replace");
    PyObject *raised = text ? PyObject_CallFunctionObjArgs(type, text, NULL) : NULL;
    PyObject *number = raised ? kspMember(KSP_STATUS, status) : NULL;
    if (number && PyObject_SetAttrString(raised, "status", number) == 0)
        PyErr_SetObject(type, raised);
    Py_XDECREF(text);
    Py_XDECREF(raised);
    Py_XDECREF(number);
    return NULL;
}

/* A message of the library with Python's names of structures and fields: limits->forceMagnitude
 * becomes limits.force_magnitude. The caller frees it; NULL: no memory. */
static char *asInPython(const char *words)
{
    static const char *const structures[] = {"options", "limits", "report", "sensor", "spec", "body", "joint"};
    char *text = malloc(2 * strlen(words) + 1), *to = text;
    for (const char *from = words; text && *from; from++) {
        int isField = 0;
        for (size_t i = 0; *from == '-' && from[1] == '>' && i < sizeof structures / sizeof *structures; i++) {
            const size_t length = strlen(structures[i]);
            isField |= (size_t)(from - words) >= length && !strncmp(from - length, structures[i], length);
        }
        if (!isField) {
            *to++ = *from;
            continue;
        }
        *to++ = '.';
        for (from += 2; isalnum((unsigned char)*from); from++) {
            if (isupper((unsigned char)*from))
                *to++ = '_';
            *to++ = (char)tolower((unsigned char)*from);
        }
        from--;
    }
    if (text)
        *to = 0;
    return text;
}

PyObject *kspRaise(ksStatus status)
{
    char *words = asInPython(ksErrorMessage());
    kspRaiseWords(status, words ? words : ksErrorMessage());
    free(words);
    return NULL;
}

PyObject *kspAnswer(ksStatus status)
{
    return status == KS_OK ? Py_NewRef(Py_None) : kspRaise(status);
}

/* Adds an exception, which can also be one of Python's. */
static PyObject *addException(PyObject *module, const char *name, const char *doc, PyObject *base, PyObject *other)
{
    PyObject *bases = other ? PyTuple_Pack(2, base, other) : PyTuple_Pack(1, base);
    PyObject *status = PyDict_New();
    PyObject *exception = NULL;
    if (bases && status && (other || PyDict_SetItemString(status, "status", Py_None) == 0))
        exception = PyErr_NewExceptionWithDoc(name, doc, bases, status);
    if (exception && PyModule_AddObjectRef(module, strchr(name, '.') + 1, exception))
        Py_CLEAR(exception);
    Py_XDECREF(bases);
    Py_XDECREF(status);
    return exception;
}

static int addExceptions(PyObject *module)
{
    error = addException(module, "kinetostat.Error", "A call failed. The text says why; `status` is the Status.",
                         PyExc_RuntimeError, NULL);
    badArgument = error ? addException(module, "kinetostat.BadArgument",
                                       "ERROR_BAD_ARGUMENT. The text names the argument, and says why it is bad.",
                                       error, PyExc_ValueError)
                        : NULL;
    noMemory = badArgument ? addException(module, "kinetostat.NoMemory", "ERROR_NO_MEMORY. Nothing has changed.", error,
                                          PyExc_MemoryError)
                           : NULL;
    return noMemory ? 0 : -1;
}

static PyMethodDef functions[] = {
    {"address", kspAddress, METH_O,
     "address(object) -> int\n\nThe engine's handle of a World, Body or Joint of pyode."},
    {"disable", kspDisable, METH_O,
     "disable(joint)\n\nThe engine leaves the joint out (dJointDisable): pyode has no call for it."},
    {"enable", kspEnable, METH_O, "enable(joint)\n\nUndoes disable (dJointEnable)."},
    {"probe_force", kspProbeForceFunction, METH_VARARGS,
     "probe_force(centre, point, axis) -> six numbers\n\nA unit force along the axis at the point, for a rigid "
     "block of System."},
    {"probe_couple", kspProbeCoupleFunction, METH_O,
     "probe_couple(axis) -> six numbers\n\nA unit couple about the axis, for a rigid block of System."},
    {"_layouts", kspLayouts, METH_NOARGS, NULL},
    {"_end", kspEnd, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};

static int fill(PyObject *module)
{
    if (!dCheckConfiguration("ODE_" PRECISION "_precision")) {
        PyErr_SetString(PyExc_ImportError, "kinetostat: this process has an ODE of " OTHER_PRECISION
                                           " precision, and this binary is for " PRECISION " precision");
        return -1;
    }
    // types and caches belong to one interpreter
    if (theModule) {
        PyErr_SetString(PyExc_ImportError, "kinetostat can be loaded once in a process");
        return -1;
    }
    if (addExceptions(module) || kspAddConstants(module) || kspAddRecords(module) || kspAddArray(module) ||
        kspAddBracket(module) || kspAddSubscription(module) || kspAddInspector(module) || kspAddSystem(module) ||
        kspAddReport(module) || kspAddTrace(module) || kspAddRecording(module) || kspAddView(module))
        return -1;
    theModule = module;
    return 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, fill}, {0, NULL}};
static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "kinetostat._native", NULL, 0, functions, slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__native(void);
PyMODINIT_FUNC PyInit__native(void)
{
    return PyModuleDef_Init(&definition);
}
