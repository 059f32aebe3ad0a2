/* report.c  Report: the results of a run, summed up; with libkinetostat-report. */
#include "native.h"

#ifdef KSP_HAVE_REPORT
#include <kinetostat/report.h>

#include <stdlib.h>
#include <string.h>

typedef struct Report {
    PyObject_HEAD ksReport *handle;
    unsigned long thread; /* thread that reads the report without the interpreter lock; 0: none */
} Report;

static PyTypeObject *reportType;

static Report *newReport(PyTypeObject *type, const ksReportOptions *options)
{
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Report *self = (Report *)alloc(type, 0);
    const ksStatus status = self ? ksReportCreate(options, &self->handle) : KS_OK;
    if (status) {
        Py_CLEAR(self);
        kspRaise(status);
    }
    return self;
}

static PyObject *create(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    ksReportOptions options;
    ksReportOptionsInit(&options);
    if (!PyArg_ParseTuple(args, ":Report") || !kspFieldsWrite("Report", &kspReportOptionsLayout, &options, keywords))
        return NULL;
    return (PyObject *)newReport(type, &options);
}

static void dealloc(PyObject *self)
{
    ksReportDestroy(((Report *)self)->handle);
    kspFree(self);
}

/* 1; 0 with an exception */
static int isFree(PyObject *self)
{
    const unsigned long thread = ((Report *)self)->thread;
    if (thread && thread != PyThread_get_thread_ident()) {
        kspRaiseWords(KS_ERROR_REENTRY, "kinetostat: another thread is using a view of this report");
        return 0;
    }
    return kspInspectorsCheckReport(self);
}

PyObject *kspReportEnter(PyObject *self)
{
    PyObject *entered = isFree(self) ? kspInspectorsEnter(self) : NULL;
    if (entered)
        ((Report *)self)->thread = PyThread_get_thread_ident();
    return entered;
}

void kspReportLeave(PyObject *self, PyObject *entered)
{
    ((Report *)self)->thread = 0;
    kspInspectorsLeave(entered);
}

ksReport *kspReportHandle(PyObject *object)
{
    if (PyObject_TypeCheck(object, reportType))
        return ((Report *)object)->handle;
    PyErr_Format(PyExc_TypeError, "a kinetostat.Report is expected, not %R", object);
    return NULL;
}

PyObject *kspReportOf(kspInspector *inspector)
{
    Report *self = newReport(reportType, NULL);
    const ksStatus status = self ? ksReportWatch(self->handle, inspector->handle, NULL) : KS_OK;
    if (status) {
        Py_CLEAR(self);
        kspRaise(status);
    }
    return (PyObject *)self;
}

static PyObject *watch(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"inspector", "world", NULL};
    PyObject *object;
    const char *world = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|z:watch", names, &object, &world))
        return NULL;
    kspInspector *inspector = kspInspectorOf(object);
    if (!inspector || !isFree(self) || PyList_Append(inspector->watchers, self))
        return NULL;
    return kspAnswer(ksReportWatch(((Report *)self)->handle, inspector->handle, world));
}

/* the format that the host gives, or that the end of the file name implies */
static int formatOf(PyObject *given, const char *path)
{
    static const struct {
        const char *end;
        ksReportFormat format;
    } known[] = {{".json", KS_REPORT_JSON},        {".xml", KS_REPORT_JUNIT}, {".html", KS_REPORT_HTML},
                 {".txt", KS_REPORT_TEXT},         {".data", KS_REPORT_DATA}, {".csv", KS_REPORT_RUNS},
                 {".supp", KS_REPORT_SUPPRESSIONS}};
    if (given != Py_None)
        return (int)PyLong_AsLong(given);
    const char *end = strrchr(path, '.');
    for (size_t i = 0; end && i < sizeof known / sizeof *known; i++)
        if (!strcmp(end, known[i].end))
            return (int)known[i].format;
    PyErr_Format(PyExc_ValueError,
                 "%s: .html, .json, .xml, .txt, .data, .csv and .supp are known; else format=REPORT_...", path);
    return -1;
}

PyObject *kspReportWriteTo(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"path", "format", NULL};
    PyObject *path, *format = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O&|O:write", names, PyUnicode_FSConverter, &path, &format))
        return NULL;
    const char *text = PyBytes_AsString(path);
    const int which = text ? formatOf(format, text) : -1;
    ksStatus status = KS_OK;
    if (!PyErr_Occurred() && isFree(self)) {
        status = ksReportWrite(((Report *)self)->handle, (ksReportFormat)which, text);
        if (status)
            kspRaise(status);
    }
    Py_DECREF(path);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

static PyObject *printed(PyObject *self, ksReportFormat format)
{
    char *text = NULL;
    size_t length = 0;
    if (!isFree(self))
        return NULL;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return PyErr_NoMemory();
    const ksStatus status = ksReportPrint(((Report *)self)->handle, format, stream);
    fclose(stream);
    PyObject *result = status ? kspRaise(status) : PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "replace");
    free(text);
    return result;
}

static PyObject *textOf(PyObject *self, PyObject *args)
{
    int format = KS_REPORT_TEXT;
    return PyArg_ParseTuple(args, "|i:text", &format) ? printed(self, (ksReportFormat)format) : NULL;
}

static PyObject *asDict(PyObject *self, PyObject *unused)
{
    (void)unused;
    PyObject *text = printed(self, KS_REPORT_JSON);
    PyObject *json = text ? PyImport_ImportModule("json") : NULL;
    PyObject *result = json ? PyObject_CallMethod(json, "loads", "O", text) : NULL;
    Py_XDECREF(json);
    Py_XDECREF(text);
    return result;
}

static PyObject *check(PyObject *self, PyObject *args, PyObject *keywords)
{
    ksReportLimit limit;
    size_t failures;
    ksReportLimitInit(&limit);
    if (!PyArg_ParseTuple(args, ":check") || !kspFieldsWrite("Report.check", &kspReportLimitLayout, &limit, keywords) ||
        !isFree(self))
        return NULL;
    const ksStatus status = ksReportCheck(((Report *)self)->handle, &limit, &failures);
    return status ? kspRaise(status) : PyLong_FromSize_t(failures);
}

static PyObject *limits(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"joints", "percentile", "factor", NULL};
    const char *joints = NULL;
    double percentile = 99.9, factor = 3;
    ksThreshold found;
    ksThresholdInit(&found);
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|zdd:limits", names, &joints, &percentile, &factor) ||
        !isFree(self))
        return NULL;
    const ksStatus status = ksLimitsFromRun(((Report *)self)->handle, joints, percentile, factor, &found);
    return status ? kspRaise(status)
                  : Py_BuildValue("{s:d,s:d}", "force", found.forceMagnitude, "torque", found.torqueMagnitude);
}

static PyMethodDef methods[] = {
    {"watch", (PyCFunction)(void (*)(void))watch, METH_VARARGS | METH_KEYWORDS,
     "watch(inspector, world=None)\n\nAdds all later steps of this inspector; world: the name of its world in the "
     "report."},
    {"write", (PyCFunction)(void (*)(void))kspReportWriteTo, METH_VARARGS | METH_KEYWORDS,
     "write(path, format=None)\n\nNone: by the end of the name: .html, .json, .xml (JUnit), .txt, .data\n(for "
     "kinetostat merge), .csv (a line for each run), .supp\n(for kinetostat --suppress)."},
    {"text", textOf, METH_VARARGS, "text(format=REPORT_TEXT) -> str"},
    {"as_dict", asDict, METH_NOARGS, "as_dict() -> dict\n\nThe JSON document of docs/reports.md."},
    {"check", (PyCFunction)(void (*)(void))check, METH_VARARGS | METH_KEYWORDS, NULL},
    {"limits", (PyCFunction)(void (*)(void))limits, METH_VARARGS | METH_KEYWORDS,
     "limits(joints=None, percentile=99.9, factor=3) -> dict\n\nForce and torque for Inspector.on_threshold: factor "
     "times the load that this percentage of the steps did\n"
     "not exceed; inf: unknown. joints: a pattern of names; the largest load of several joints counts."},
    {NULL, NULL, 0, NULL}};

int kspAddReport(PyObject *module)
{
    char *doc = kspDescribe("Report(**options)\n\nThe results of a run.\n\nOptions, the default first:",
                            &kspReportOptionsLayout);
    const char *checked =
        kspDescribe("check(**limit) -> int\n\nReturns the number of joints that fail.\n\nLimit, the default first:",
                    &kspReportLimitLayout);
    if (!doc || !checked) {
        PyErr_NoMemory();
        return -1;
    }
    for (PyMethodDef *method = methods; method->ml_name; method++)
        if (!strcmp(method->ml_name, "check"))
            method->ml_doc = checked;
    PyType_Slot slots[] = {
        {Py_tp_dealloc, dealloc}, {Py_tp_new, create}, {Py_tp_methods, methods}, {Py_tp_doc, (void *)doc}, {0, NULL}};
    PyType_Spec spec = {"kinetostat.Report", sizeof(Report), 0, Py_TPFLAGS_DEFAULT, slots};
    reportType = kspAddType(module, &spec);
    free(doc);  // copied
    return reportType ? 0 : -1;
}

#else

PyObject *kspReportOf(kspInspector *inspector)
{
    (void)inspector;
    Py_RETURN_NONE;
}

PyObject *kspReportWriteTo(PyObject *report, PyObject *args, PyObject *keywords)
{
    (void)report, (void)args, (void)keywords;
    return NULL;  // nobody has a report
}

int kspAddReport(PyObject *module)
{
    (void)module;
    return 0;
}

#endif
