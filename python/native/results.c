/* results.c  The results of the last step, as copies that later steps do not change. */
#include "native.h"

#include <math.h>
#include <string.h>

PyObject *kspGetReactions(PyObject *object, void *closure)
{
    kspInspector *self = (kspInspector *)object;
    (void)closure;
    if (!kspInspectorCheck(self))
        return NULL;
    const ksStepReport *report = kspInspectorWait(self);
    const unsigned long step = report ? report->step + 1 : 0;
    if (self->reactions && self->reactionsStep == step)
        return Py_NewRef((PyObject *)self->reactions);
    size_t count = 0;
    const ksReaction *reactions = ksInspectorGetReactions(self->handle, &count);
    // frees the old array first: the new one uses its memory
    Py_CLEAR(self->reactions);
    self->reactions = kspArrayNew(&kspReactionLayout, reactions ? count : 0, reactions);
    if (!self->reactions)
        return NULL;
    ksReaction *copy = kspArrayData(self->reactions);
    for (size_t i = 0; reactions && i < count; i++)
        copy[i].row = NULL;
    self->reactionsStep = step;
    return Py_NewRef((PyObject *)self->reactions);
}

kspRecord *kspReportRecord(const kspInspector *self, const ksStepReport *report)
{
    kspRecord *record = kspRecordNew(&kspStepReportLayout, report);
    const char *name = record && self->handle ? ksInspectorGetName(self->handle, report->worstJoint) : NULL;
    if (name) {
        record->joint = PyUnicode_DecodeUTF8(name, (Py_ssize_t)strlen(name), "replace");
        if (!record->joint)
            Py_CLEAR(record);
    }
    return record;
}

PyObject *kspGetReport(PyObject *object, void *closure)
{
    kspInspector *self = (kspInspector *)object;
    (void)closure;
    if (!kspInspectorCheck(self))
        return NULL;
    const ksStepReport *report = kspInspectorWait(self);
    return report ? (PyObject *)kspReportRecord(self, report) : Py_NewRef(Py_None);
}

static int isCalled(const kspInspector *self, const void *joint, PyObject *key)
{
    Py_ssize_t length;
    const char *wanted = PyUnicode_AsUTF8AndSize(key, &length);
    const char *name = wanted && joint ? ksInspectorGetName(self->handle, (dJointID)joint) : NULL;
    return name && strlen(name) == (size_t)length && !strcmp(name, wanted);
}

/* Finds a joint by a name whose last owner has been renamed or destroyed: another joint of the last
 * step may still have this name. */
static dJointID olderOwner(kspInspector *self, PyObject *key)
{
    size_t count = 0;
    kspInspectorWait(self);
    const ksReaction *reaction = ksInspectorGetReactions(self->handle, &count);
    for (size_t i = 0; reaction && i < count; i++) {
        if (!isCalled(self, reaction[i].joint, key))
            continue;
        PyObject *address = PyLong_FromVoidPtr(reaction[i].joint);
        const int isKept = address && PyDict_SetItem(self->names, key, address) == 0;
        Py_XDECREF(address);
        return isKept ? reaction[i].joint : NULL;
    }
    return NULL;
}

/* Raises a KeyError that lists the existing names. */
static void raiseNoName(const kspInspector *self, PyObject *key)
{
    PyObject *name, *address, *names = PyList_New(0);
    Py_ssize_t at = 0;
    while (names && PyDict_Next(self->names, &at, &name, &address))
        if (isCalled(self, PyLong_AsVoidPtr(address), name) && PyList_Append(names, name))
            Py_CLEAR(names);
    PyObject *files = names ? PyImport_ImportModule("kinetostat._files") : NULL;
    PyObject *error = files ? PyObject_CallMethod(files, "missing", "sOO", "joint", key, names) : NULL;
    if (error)
        PyErr_SetObject(PyExc_KeyError, error);
    Py_XDECREF(error);
    Py_XDECREF(files);
    Py_XDECREF(names);
}

/* the joint from its name, an object of pyode, an address or a pointer. @return NULL with an
 * exception */
static dJointID jointOf(kspInspector *self, PyObject *key)
{
    void *handle = NULL;
    if (!PyUnicode_Check(key))
        return kspHandle(key, KSP_JOINT, 0, &handle) ? handle : NULL;
    PyObject *address = PyDict_GetItemWithError(self->names, key);
    if (address)
        handle = PyLong_AsVoidPtr(address);
    if (isCalled(self, handle, key))
        return handle;
    dJointID older = PyErr_Occurred() ? NULL : olderOwner(self, key);
    if (!older && !PyErr_Occurred())
        raiseNoName(self, key);
    return older;
}

const ksReaction *kspReactionOf(kspInspector *self, PyObject *key)
{
    const dJointID joint = jointOf(self, key);
    if (!joint)
        return NULL;
    kspInspectorWait(self);
    const ksReaction *reaction = ksInspectorGetReaction(self->handle, joint);
    if (!reaction)
        PyErr_Format(PyExc_LookupError, "%R was in no inspected step, or not in the last one", key);
    return reaction;
}

PyObject *kspIndex(PyObject *object, PyObject *key)
{
    kspInspector *self = kspInspectorOf(object);
    const ksReaction *reaction = self ? kspReactionOf(self, key) : NULL;
    return reaction ? PyLong_FromSsize_t(reaction - ksInspectorGetReactions(self->handle, NULL)) : NULL;
}

PyObject *kspName(PyObject *object, PyObject *args)
{
    PyObject *joint, *text;
    void *handle;
    kspInspector *self = kspInspectorOf(object);
    if (!self || !PyArg_ParseTuple(args, "OO:name", &joint, &text) || !kspHandle(joint, KSP_JOINT, 0, &handle))
        return NULL;
    const char *name = text == Py_None ? NULL : kspText(text);
    if (!name && text != Py_None)
        return NULL;
    const ksStatus status = ksInspectorSetName(self->handle, handle, name);
    if (status)
        return kspRaise(status);
    PyObject *address = name ? PyLong_FromVoidPtr(handle) : NULL;
    if (name && (!address || PyDict_SetItem(self->names, text, address))) {
        Py_XDECREF(address);
        return NULL;
    }
    Py_XDECREF(address);
    Py_RETURN_NONE;
}

PyObject *kspSetCompliance(PyObject *object, PyObject *args, PyObject *keywords)
{
    static const char *names[] = {"joint", "linear", "angular", NULL};
    PyObject *joint;
    void *handle = NULL;
    double linear, angular = 0;
    kspInspector *self = kspInspectorOf(object);
    if (!self ||
        !PyArg_ParseTupleAndKeywords(args, keywords, "Od|d:set_compliance", (char **)names, &joint, &linear,
                                     &angular) ||
        (joint != Py_None && !kspHandle(joint, KSP_JOINT, 0, &handle)))
        return NULL;
    const ksStatus status = ksInspectorSetCompliance(self->handle, handle, linear, angular);
    if (status)
        return kspRaise(status);
    Py_RETURN_NONE;
}

PyObject *kspNameOf(PyObject *object, PyObject *joint)
{
    void *handle;
    kspInspector *self = kspInspectorOf(object);
    if (!self || !kspHandle(joint, KSP_JOINT, 0, &handle))
        return NULL;
    const char *name = ksInspectorGetName(self->handle, handle);
    return name ? PyUnicode_DecodeUTF8(name, (Py_ssize_t)strlen(name), "replace") : Py_NewRef(Py_None);
}

PyObject *kspReaction(PyObject *object, PyObject *joint)
{
    kspInspector *self = kspInspectorOf(object);
    const ksReaction *reaction = self ? kspReactionOf(self, joint) : NULL;
    kspRecord *record = reaction ? kspRecordNew(&kspReactionLayout, reaction) : NULL;
    if (record) {
        ((ksReaction *)(void *)record->u.data)->row = NULL;
        // a name exists as long as its joint; an address may be the address of a vanished joint
        record->joint = PyUnicode_Check(joint) ? kspObject(reaction->joint, KSP_JOINT) : kspOwnObject(joint, KSP_JOINT);
    }
    return (PyObject *)record;
}

PyObject *kspRows(PyObject *object, PyObject *joint)
{
    kspInspector *self = kspInspectorOf(object);
    const ksReaction *reaction = self ? kspReactionOf(self, joint) : NULL;
    return reaction ? (PyObject *)kspArrayNew(&kspRowLayout, (size_t)reaction->rowCount, reaction->row) : NULL;
}

enum { NOT_GIVEN = -1 };

PyObject *kspWrench(PyObject *object, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"joint", "value", "body", "frame", "point", NULL};
    PyObject *joint;
    int value = KS_PHYSICAL, body = 0, frame = KS_FRAME_WORLD, point = NOT_GIVEN;
    kspInspector *self = kspInspectorOf(object);
    if (!self ||
        !PyArg_ParseTupleAndKeywords(args, keywords, "O|iiii:wrench", names, &joint, &value, &body, &frame, &point))
        return NULL;
    const ksReaction *reaction = kspReactionOf(self, joint);
    if (!reaction)
        return NULL;
    // a mean exists only about the point of its torques
    const int isAtAnchor = value == KS_MEAN && isfinite(reaction->anchor[0][0]);
    point = point != NOT_GIVEN ? point : isAtAnchor ? KS_POINT_ANCHOR : KS_POINT_MASS_CENTRE;
    ksWrench wrench;
    const ksStatus status =
        ksReactionGetWrench(reaction, (ksValue)value, body, (ksFrame)frame, (ksPoint)point, &wrench);
    return status ? kspRaise(status) : (PyObject *)kspRecordNew(&kspWrenchLayout, &wrench);
}

PyObject *kspFrictionUse(PyObject *object, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"contact", "value", NULL};
    PyObject *joint;
    int value = KS_PHYSICAL;
    double byBound, byNormal;
    kspInspector *self = kspInspectorOf(object);
    if (!self || !PyArg_ParseTupleAndKeywords(args, keywords, "O|i:friction_use", names, &joint, &value))
        return NULL;
    const ksReaction *reaction = kspReactionOf(self, joint);
    if (!reaction)
        return NULL;
    const ksStatus status = ksReactionGetFrictionUse(reaction, (ksValue)value, &byBound, &byNormal);
    return status ? kspRaise(status) : Py_BuildValue("(dd)", byBound, byNormal);
}

PyObject *kspGetBodies(PyObject *object, void *closure)
{
    kspInspector *self = (kspInspector *)object;
    (void)closure;
    if (!kspInspectorCheck(self))
        return NULL;
    kspInspectorWait(self);
    size_t count = 0;
    while (ksInspectorGetBody(self->handle, count))
        count++;
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; tuple && i < count; i++) {
        PyObject *address = PyLong_FromVoidPtr(ksInspectorGetBody(self->handle, i));
        if (!address || PyTuple_SetItem(tuple, (Py_ssize_t)i, address))
            Py_CLEAR(tuple);
    }
    return tuple;
}

PyObject *kspGetPairs(PyObject *object, void *closure)
{
    kspInspector *self = (kspInspector *)object;
    (void)closure;
    if (!kspInspectorCheck(self))
        return NULL;
    kspInspectorWait(self);
    PyObject *list = PyList_New(0), *tuple = NULL;
    ksPair pair = {0};
    int isWhole = list != NULL;
    while (isWhole && ksInspectorGetNextPair(self->handle, pair.subscription, &pair)) {
        PyObject *record = (PyObject *)kspRecordNew(&kspPairLayout, &pair);
        isWhole = record && !PyList_Append(list, record);
        Py_XDECREF(record);
    }
    if (isWhole)
        tuple = PyList_AsTuple(list);
    Py_XDECREF(list);
    return tuple;
}

PyObject *kspMass(PyObject *object, PyObject *body)
{
    void *handle;
    double mass, inverse[9];
    kspInspector *self = kspInspectorOf(object);
    if (!self || !kspHandle(body, KSP_BODY, 0, &handle))
        return NULL;
    kspInspectorWait(self);
    if (!ksInspectorGetMass(self->handle, handle, &mass, inverse)) {
        PyErr_Format(PyExc_LookupError, "%R was not in the last inspected step", body);
        return NULL;
    }
    return Py_BuildValue("(d(ddddddddd))", mass, inverse[0], inverse[1], inverse[2], inverse[3], inverse[4], inverse[5],
                         inverse[6], inverse[7], inverse[8]);
}
