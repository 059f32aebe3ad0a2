/* loads.c  Questions after a step: sums, recomputed wrenches, mobilities, blows, single joints; and
 * sensors. */
#include "native.h"

#include <stdlib.h>
#include <string.h>

void *kspGather(PyObject *sequence, const kspLayout *layout, size_t *count)
{
    const Py_ssize_t length = PySequence_Size(sequence);
    if (length < 0)
        return NULL;
    // a sequence may return any length
    char *all = (size_t)length < PY_SSIZE_T_MAX / layout->size ? malloc((size_t)length * layout->size + 1) : NULL;
    if (!all)
        return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < length; i++) {
        PyObject *item = PySequence_GetItem(sequence, i);
        const void *data = item ? kspRecordData(item, layout) : NULL;
        if (data)
            memcpy(all + (size_t)i * layout->size, data, layout->size);
        Py_XDECREF(item);
        if (!data) {
            free(all);
            return NULL;
        }
    }
    *count = (size_t)length;
    return all;
}

PyObject *kspSumWrenches(PyObject *object, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"terms", "value", "about", NULL};
    PyObject *terms, *given = Py_None;
    int value = KS_PHYSICAL;
    double about[3];
    kspInspector *self = kspInspectorOf(object);
    if (!self || !PyArg_ParseTupleAndKeywords(args, keywords, "O|iO:sum_wrenches", names, &terms, &value, &given) ||
        (given != Py_None && !kspDoublesRead(given, about, 3, "about")))
        return NULL;
    size_t count;
    ksWrenchTerm *term = kspGather(terms, &kspWrenchTermLayout, &count);
    // the code that returned the terms may have closed the inspector, or let another thread step
    if (!term || !kspInspectorCheck(self)) {
        free(term);
        return NULL;
    }
    ksWrenchSum sum;
    const ksStatus status =
        ksInspectorSumWrenches(self->handle, term, count, (ksValue)value, given == Py_None ? NULL : about, &sum);
    free(term);
    return status ? kspRaise(status) : (PyObject *)kspRecordNew(&kspWrenchSumLayout, &sum);
}

PyObject *kspRecompute(PyObject *object, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"wrenches", "tolerance", "sweeps", NULL};
    PyObject *wrenches;
    double tolerance = 1e-2;
    unsigned long sweeps = 1000;
    kspInspector *self = kspInspectorOf(object);
    if (!self || !PyArg_ParseTupleAndKeywords(args, keywords, "O|dk:recompute", names, &wrenches, &tolerance, &sweeps))
        return NULL;
    size_t count;
    ksNetWrench *net = kspGather(wrenches, &kspNetWrenchLayout, &count);
    if (!net || !kspInspectorEnter(self)) {
        free(net);
        return NULL;
    }
    kspInspectorRelease(self, 0);
    const ksStatus status = ksInspectorRecompute(self->handle, net, count, tolerance, sweeps);
    kspInspectorAcquire(self);
    PyObject *answer = kspInspectorLeave(self, status);
    for (size_t i = 0; answer && i < count; i++) {
        PyObject *item = PySequence_GetItem(wrenches, (Py_ssize_t)i);
        void *data = item ? kspRecordData(item, &kspNetWrenchLayout) : NULL;
        if (data)
            memcpy(data, &net[i], sizeof net[i]);
        else
            Py_CLEAR(answer);
        Py_XDECREF(item);
    }
    free(net);
    return answer;
}

PyObject *kspMobility(PyObject *object, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"at", "by", NULL};
    PyObject *at, *by;
    double mobility;
    kspInspector *self = kspInspectorOf(object);
    if (!self || !PyArg_ParseTupleAndKeywords(args, keywords, "OO:mobility", names, &at, &by))
        return NULL;
    const ksBodyProbe *probe = kspRecordData(at, &kspBodyProbeLayout);
    const ksBodyProbe *from = probe ? kspRecordData(by, &kspBodyProbeLayout) : NULL;
    if (!from)
        return NULL;
    const ksStatus status = ksInspectorGetMobility(self->handle, probe, from, &mobility);
    return status ? kspRaise(status) : PyFloat_FromDouble(mobility);
}

PyObject *kspSolveImpulse(PyObject *object, PyObject *blows)
{
    kspInspector *self = kspInspectorOf(object);
    size_t count;
    ksBlow *blow = self ? kspGather(blows, &kspBlowLayout, &count) : NULL;
    if (!blow || !kspInspectorCheck(self)) {
        free(blow);
        return NULL;
    }
    ksImpact impact;
    const ksStatus status = ksInspectorSolveImpulse(self->handle, blow, count, &impact);
    free(blow);
    if (status)
        return kspRaise(status);
    return Py_BuildValue("(NNN)", kspRecordNew(&kspImpactLayout, &impact),
                         kspArrayNew(&kspJointImpactLayout, impact.jointCount, impact.joint),
                         kspArrayNew(&kspBodyImpactLayout, impact.bodyCount, impact.body));
}

PyObject *kspRecomputeAfter(PyObject *object, PyObject *joints)
{
    kspInspector *self = kspInspectorOf(object);
    const Py_ssize_t length = self ? PySequence_Size(joints) : -1;
    if (length < 0)
        return NULL;
    dJointID *gone = (size_t)length < PY_SSIZE_T_MAX / sizeof *gone ? malloc((size_t)length * sizeof *gone + 1) : NULL;
    if (!gone)
        return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < length; i++) {
        PyObject *item = PySequence_GetItem(joints, i);
        const int isRead = item && kspHandle(item, KSP_JOINT, 0, (void **)&gone[i]);
        Py_XDECREF(item);
        if (!isRead) {
            free(gone);
            return NULL;
        }
    }
    // the code that returned the joints may have closed the inspector, or let another thread step
    const ksJointAfter *after;
    size_t count;
    const int isOpen = kspInspectorCheck(self);
    const ksStatus status =
        isOpen ? ksInspectorRecomputeAfter(self->handle, gone, (size_t)length, &after, &count) : KS_OK;
    free(gone);
    if (!isOpen)
        return NULL;
    return status ? kspRaise(status) : (PyObject *)kspArrayNew(&kspJointAfterLayout, count, after);
}

PyObject *kspRelaxJoint(PyObject *object, PyObject *joint)
{
    kspInspector *self = kspInspectorOf(object);
    const ksReaction *reaction = self ? kspReactionOf(self, joint) : NULL;
    if (!reaction)
        return NULL;
    kspArray *array = kspArrayNew(&kspRelaxationLayout, (size_t)reaction->rowCount, NULL);
    if (!array)
        return NULL;
    int count;
    const ksStatus status =
        ksInspectorRelaxJoint(self->handle, reaction->joint, reaction->rowCount, kspArrayData(array), &count);
    if (status) {
        Py_DECREF((PyObject *)array);
        return kspRaise(status);
    }
    return (PyObject *)array;
}

/* --- sensors */

static const ksReaction *sensed(PyObject *args, const char *format)
{
    PyObject *inspector, *joint;
    if (!PyArg_ParseTuple(args, format, &inspector, &joint))
        return NULL;
    kspInspector *self = kspInspectorOf(inspector);
    return self ? kspReactionOf(self, joint) : NULL;
}

PyObject *kspSensorReadMethod(PyObject *self, PyObject *args)
{
    const ksSensor *sensor = kspRecordData(self, &kspSensorLayout);
    const ksReaction *reaction = sensor ? sensed(args, "OO:read") : NULL;
    if (!reaction)
        return NULL;
    ksWrench wrench;
    const ksStatus status = ksSensorRead(sensor, reaction, &wrench);
    return status ? kspRaise(status) : (PyObject *)kspRecordNew(&kspWrenchLayout, &wrench);
}

PyObject *kspSensorTareMethod(PyObject *self, PyObject *args)
{
    ksSensor *sensor = kspRecordData(self, &kspSensorLayout);
    const ksReaction *reaction = sensor ? sensed(args, "OO:tare") : NULL;
    return reaction ? kspAnswer(ksSensorTare(sensor, reaction)) : NULL;
}
