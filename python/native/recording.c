/* recording.c  Recording: steps of another engine, written to a file, inspected at once, or both;
 * with libkinetostat-report. */
#include "native.h"

#ifdef KSP_HAVE_REPORT
#include <kinetostat/recording.h>

#include <limits.h>
#include <stdlib.h>

enum { STATE = sizeof(ksRecordedState) / sizeof(double), WRENCH = sizeof(ksWrench) / sizeof(double) };
_Static_assert(sizeof(ksRecordedState) == 13 * sizeof(double) && sizeof(ksWrench) == 6 * sizeof(double),
               "lines of numbers");

typedef struct Recording {
    PyObject_HEAD ksRecording *handle; /* NULL: closed */
    kspInspector *inspector;           /* the recording's own inspector, which may be closed; or
                                          NULL */
    int bodies, joints;
    int reading; /* numbers are being read, perhaps by code of the host, so the recording must not
                    change */
} Recording;

/* --- life */

static PyObject *create(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *path = Py_None, *name = NULL;
    ksRecordingOptions options;
    ksRecordingOptionsInit(&options);
    if (!PyArg_ParseTuple(args, "|O:Recording", &path) || (path != Py_None && !PyUnicode_FSConverter(path, &name)))
        return NULL;
    const char *file = name ? PyBytes_AsString(name) : NULL;
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Recording *self = NULL;
    if (kspFieldsWrite("Recording", &kspRecordingOptionsLayout, &options, keywords))
        self = (Recording *)alloc(type, 0);
    const ksStatus status = self ? ksRecordingCreate(file, &options, &self->handle) : KS_OK;
    if (status) {
        Py_CLEAR(self);
        kspRaise(status);
    }
    Py_XDECREF(name);
    return (PyObject *)self;
}

static int traverse(PyObject *object, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(((Recording *)object)->inspector);
    return 0;
}

/* For the garbage collector: a recording and its inspector hold each other. Whichever is cleared
 * first, the handles of both are destroyed. */
static int clear(PyObject *object)
{
    Recording *self = (Recording *)object;
    if (self->inspector && self->inspector->handle) {
        ksInspectorDestroy(self->inspector->handle);
        self->inspector->handle = NULL;
    }
    ksRecordingClose(self->handle);
    self->handle = NULL;
    Py_CLEAR(self->inspector);
    return 0;
}

static void dealloc(PyObject *object)
{
    PyObject_GC_UnTrack(object);
    clear(object);
    kspFree(object);
}

/* @return 1; 0 with an exception: the recording is closed, or another call uses it */
static int check(const Recording *self)
{
    if (self->handle && self->reading) {
        kspRaiseWords(KS_ERROR_REENTRY, "kinetostat: a call on this recording is still reading its numbers");
        return 0;
    }
    if (self->handle)
        return !self->inspector || !self->inspector->handle || kspInspectorCheck(self->inspector);
    PyErr_SetString(PyExc_ValueError, "the recording is closed");
    return 0;
}

static PyObject *closeIt(PyObject *object, PyObject *unused)
{
    Recording *self = (Recording *)object;
    (void)unused;
    if (!self->handle)
        Py_RETURN_NONE;
    if (!check(self))
        return NULL;
    if (self->inspector && self->inspector->depth)
        return kspRaiseWords(KS_ERROR_REENTRY, "kinetostat: a recording cannot be closed within a callback");
    PyObject *ended = self->inspector ? kspInspectorClose((PyObject *)self->inspector, NULL) : Py_NewRef(Py_None);
    if (!ended && self->inspector->handle)
        return NULL;  // a bracket is open
    ksRecording *handle = self->handle;
    self->handle = NULL;
    const ksStatus status = ksRecordingClose(handle);
    Py_CLEAR(self->inspector);
    if (ended && status)
        kspRaise(status);
    if (status)
        Py_CLEAR(ended);
    return ended;
}

static PyObject *enter(PyObject *self, PyObject *unused)
{
    (void)unused;
    return check((Recording *)self) ? Py_NewRef(self) : NULL;
}

/* --- numbers in */

/* Reads lines of numbers; for None, *out is NULL. The caller frees *out. @return 1; 0 with an
 * exception */
static int readLines(Recording *self, PyObject *object, int rows, size_t columns, const char *what, double **out)
{
    *out = NULL;
    if (object == Py_None)
        return 1;
    double *numbers = malloc((size_t)rows * columns * sizeof *numbers + 1);
    if (!numbers) {
        PyErr_NoMemory();
        return 0;
    }
    self->reading++;
    const int isRead = kspLinesRead(object, numbers, (size_t)rows, columns, what);
    self->reading--;
    if (isRead)
        *out = numbers;
    else
        free(numbers);
    return isRead;
}

/* Reads points or axes: a single one, or a sequence of at most `most`. @return 1; 0 with an
 * exception */
static int readVectors(PyObject *object, double *out, Py_ssize_t most, const char *what)
{
    if (object == Py_None)
        return 1;
    PyObject *first = PySequence_Check(object) ? PySequence_GetItem(object, 0) : NULL;
    PyErr_Clear();
    const int isMany = first && PySequence_Check(first);
    Py_XDECREF(first);
    const Py_ssize_t count = isMany ? PySequence_Size(object) : 1;
    if (count >= 0 && count <= most)
        return kspDoublesRead(object, out, 3 * (size_t)count, what);
    if (!PyErr_Occurred())
        PyErr_Format(PyExc_ValueError, "%s: there are %zd, at most %zd are allowed", what, count, most);
    return 0;
}

/* The number of a body or joint. -1: the world, or an exception, for which the caller checks. -2:
 * no body or joint can have this number. */
static int indexOf(PyObject *object)
{
    const long index = PyLong_AsLong(object);
    return index < -1 || index > INT_MAX ? -2 : (int)index;
}

/* --- bodies and joints */

static PyObject *addBody(PyObject *object, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"state", "mass", "inertia", "is_driven", "lacks_gyroscopic", NULL};
    Recording *self = (Recording *)object;
    PyObject *state, *inertia = Py_None;
    ksRecordedBody body = {.mass = 0};
    int index;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|dOpp:add_body", names, &state, &body.mass, &inertia,
                                     &body.isDriven, &body.lacksGyroscopic) ||
        !kspDoublesRead(state, body.state.position, STATE, "state") ||
        (inertia != Py_None && !kspDoublesRead(inertia, body.inertia, 9, "inertia")) || !check(self))
        return NULL;
    const ksStatus status = ksRecordingAddBody(self->handle, &body, &index);
    if (status)
        return kspRaise(status);
    self->bodies = index + 1;
    return PyLong_FromLong(index);
}

static PyObject *addJoint(PyObject *object, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"type", "first", "second", "anchor", "axis", "name", "is_soft", NULL};
    Recording *self = (Recording *)object;
    PyObject *second = Py_None, *anchor = Py_None, *axis = Py_None, *name = Py_None;
    ksRecordedJoint joint = {.name = NULL};
    int type, index;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "ii|OOOOp:add_joint", names, &type, &joint.body[0], &second,
                                     &anchor, &axis, &name, &joint.isSoft))
        return NULL;
    joint.type = (ksJointType)type;
    joint.body[1] = second == Py_None ? -1 : indexOf(second);
    joint.name = name == Py_None ? NULL : kspText(name);
    if (PyErr_Occurred() || !readVectors(anchor, joint.anchor[0], 2, "anchor") ||
        !readVectors(axis, joint.axis[0], 3, "axis") || !check(self))
        return NULL;
    const ksStatus status = ksRecordingAddJoint(self->handle, &joint, &index);
    if (status)
        return kspRaise(status);
    self->joints = index + 1;
    return PyLong_FromLong(index);
}

static PyObject *handleOf(PyObject *object, PyObject *number, int isJoint)
{
    const Recording *self = (Recording *)object;
    const int index = indexOf(number);
    if (PyErr_Occurred() || !check(self))
        return NULL;
    void *handle =
        isJoint ? (void *)ksRecordingGetJoint(self->handle, index) : (void *)ksRecordingGetBody(self->handle, index);
    if (handle)
        return PyLong_FromVoidPtr(handle);
    PyErr_Format(PyExc_IndexError, "there is no %s %R", isJoint ? "joint" : "body", number);
    return NULL;
}

static PyObject *getJoint(PyObject *self, PyObject *index)
{
    return handleOf(self, index, 1);
}

static PyObject *getBody(PyObject *self, PyObject *index)
{
    return handleOf(self, index, 0);
}

/* --- steps */

/* The inspector that judges the step, or NULL. */
static kspInspector *observerOf(const Recording *self)
{
    return self->inspector && self->inspector->handle ? self->inspector : NULL;
}

static PyObject *beginStep(PyObject *object, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"h", "before", "loads", NULL};
    Recording *self = (Recording *)object;
    PyObject *before = Py_None, *loads = Py_None;
    double h, *states = NULL, *wrenches = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "d|OO:begin_step", names, &h, &before, &loads) || !check(self))
        return NULL;
    PyObject *answer = NULL;
    if (readLines(self, before, self->bodies, STATE, "before", &states) &&
        readLines(self, loads, self->bodies, WRENCH, "loads", &wrenches))
        answer = kspAnswer(ksRecordingBeginStep(self->handle, h, (void *)states, (void *)wrenches));
    free(states);
    free(wrenches);
    return answer;
}

/* Ends the step without the interpreter lock, like any step of the inspector, whose callbacks take
 * the lock. */
static PyObject *endWith(Recording *self, const double *after, const double *reported)
{
    kspInspector *observer = observerOf(self);
    if (!observer)
        return kspAnswer(ksRecordingEndStep(self->handle, (const void *)after, (const void *)reported));
    if (!kspInspectorEnter(observer))
        return NULL;
    kspInspectorRelease(observer, 1);
    const ksStatus status = ksRecordingEndStep(self->handle, (const void *)after, (const void *)reported);
    kspInspectorAcquire(observer);
    return kspInspectorLeave(observer, status);
}

static PyObject *endStep(PyObject *object, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"after", "reported", NULL};
    Recording *self = (Recording *)object;
    PyObject *after, *reported = Py_None;
    double *states = NULL, *wrenches = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|O:end_step", names, &after, &reported) || !check(self))
        return NULL;
    PyObject *answer = NULL;
    if (readLines(self, after, self->bodies, STATE, "after", &states) &&
        readLines(self, reported, self->joints, 2 * WRENCH, "reported", &wrenches))
        answer = endWith(self, states, wrenches);
    free(states);
    free(wrenches);
    return answer;
}

static PyObject *flush(PyObject *object, PyObject *unused)
{
    const Recording *self = (Recording *)object;
    (void)unused;
    return check(self) ? kspAnswer(ksRecordingFlush(self->handle)) : NULL;
}

/* --- its inspector */

static ksStatus observe(void *from, const ksInspectorOptions *options, kspInspector *inspector)
{
    return ksRecordingInspect(from, options, &inspector->handle);
}

static PyObject *inspect(PyObject *object, PyObject *args, PyObject *keywords)
{
    Recording *self = (Recording *)object;
    if (!PyArg_ParseTuple(args, ":inspect") || !check(self))
        return NULL;
    if (observerOf(self) && !(keywords && PyDict_Size(keywords)))
        return Py_NewRef((PyObject *)self->inspector);
    if (observerOf(self))
        return kspRaiseWords(KS_ERROR_BAD_ARGUMENT,
                             "kinetostat: Recording.inspect: the recording has an inspector: omit the options");
    PyObject *made = kspInspectorNew(NULL, object, observe, self->handle, keywords);
    if (made) {
        Py_XDECREF((PyObject *)self->inspector);
        self->inspector = (kspInspector *)Py_NewRef(made);
    }
    return made;
}

static PyMethodDef methods[] = {
    {"add_body", (PyCFunction)(void (*)(void))addBody, METH_VARARGS | METH_KEYWORDS,
     "add_body(state, mass=0, inertia=None, is_driven=False, lacks_gyroscopic=False) -> int\n\nReturns the index. "
     "state: 13 numbers: position of the mass centre, m; quaternion w, x, y, z from the body's axes to the\nworld's; "
     "velocity, m/s; angular velocity, rad/s. Joints are added in this state. mass: kg. inertia: kg.m^2, 3 x 3,\nabout "
     "the mass centre in the body's axes. is_driven: the host prescribes the motion; the body has no mass.\n"
     "lacks_gyroscopic: the engine omits the torque -w x I w of this body."},
    {"add_joint", (PyCFunction)(void (*)(void))addJoint, METH_VARARGS | METH_KEYWORDS,
     "add_joint(type, first, second=None, anchor=None, axis=None, name=None, is_soft=False) -> int\n\nReturns the "
     "index. type: JOINT_HINGE, ...; first, second: indices of bodies; None: the world. anchor: m; two anchors\nfor "
     "JOINT_DBALL and JOINT_DHINGE, the second on the second body. axis: as many axes as the type has, of any "
     "length.\nBoth in the world's axes, for the present poses of the bodies. name: for reports. is_soft: compliant in "
     "its engine."},
    {"begin_step", (PyCFunction)(void (*)(void))beginStep, METH_VARARGS | METH_KEYWORDS,
     "begin_step(h, before=None, loads=None)\n\nh: s. before: bodies x 13 numbers, each line a state as for add_body; "
     "None: the states after the last step. loads:\nbodies x 6: force, N, and torque about the mass centre, N.m, world "
     "axes: the mean over the step of all loads on a\nbody except gravity and joints: motors, springs, contacts, "
     "damping, fields. None: no loads."},
    {"end_step", (PyCFunction)(void (*)(void))endStep, METH_VARARGS | METH_KEYWORDS,
     "end_step(after, reported=None)\n\nafter: states, as `before` in begin_step. reported: joints x 2 x 6 numbers, "
     "the force and torque that the engine\nreports of each joint, on its first and its second body; NaN: not for "
     "this joint; None: no reports. An inspector judges\nthe step and makes its callbacks."},
    {"inspect", (PyCFunction)(void (*)(void))inspect, METH_VARARGS | METH_KEYWORDS,
     "inspect(report=True, **options) -> Inspector\n\nInspects the recorded steps at once, from the next one on, with "
     "the results of kinetostat judge. Its world is the\nrecording, and it ends with the recording."},
    {"joint", getJoint, METH_O, "joint(index) -> int\n\nThe address of the joint in its inspector."},
    {"body", getBody, METH_O, "body(index) -> int\n\nThe address of the body in its inspector."},
    {"flush", flush, METH_NOARGS, "flush()\n\nWrites the data in memory to the file."},
    {"close", closeIt, METH_NOARGS, "close()\n\nWrites and closes the file. An unfinished step is left out."},
    {"__enter__", enter, METH_NOARGS, NULL},
    {"__exit__", closeIt, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};

int kspAddRecording(PyObject *module)
{
    char *doc = kspDescribe("Recording(path=None, **options)\n\nRecords steps of any engine, for kinetostat judge. "
                            "path: an HDF5 file; None: no file, for inspect().\n\nOptions, the default first:",
                            &kspRecordingOptionsLayout);
    if (!doc) {
        PyErr_NoMemory();
        return -1;
    }
    PyType_Slot slots[] = {{Py_tp_dealloc, dealloc},
                           {Py_tp_traverse, traverse},
                           {Py_tp_clear, clear},
                           {Py_tp_new, create},
                           {Py_tp_methods, methods},
                           {Py_tp_doc, (void *)doc},
                           {0, NULL}};
    PyType_Spec spec = {"kinetostat.Recording", sizeof(Recording), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};
    PyTypeObject *type = kspAddType(module, &spec);
    free(doc);  // copied
    return type ? 0 : -1;
}

#else

int kspAddRecording(PyObject *module)
{
    (void)module;
    return 0;
}

#endif
