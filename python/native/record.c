/* record.c  A structure of the library as an object of Python. One type for each layout; its
 * attributes come from the layout's list of fields. */
#include "native.h"

#include <stdlib.h>
#include <string.h>

/* The layouts with a type. */
static const kspLayout *const records[] = {
    &kspWrenchLayout,         &kspMotorLayout,     &kspReactionLayout,   &kspStepReportLayout,  &kspEngineStepLayout,
    &kspThresholdEventLayout, &kspSensorLayout,    &kspWrenchTermLayout, &kspWrenchSumLayout,   &kspMeanLayout,
    &kspNetWrenchLayout,      &kspBodyProbeLayout, &kspBlowLayout,       &kspImpactLayout,      &kspRelaxationLayout,
    &kspGaussMeasureLayout,   &kspImpulseLayout,   &kspRowLayout,        &kspJointImpactLayout, &kspBodyImpactLayout,
    &kspJointAfterLayout,     &kspTouchLayout,     &kspPairLayout};
/* The layouts that Python passes as keyword arguments only. */
static const kspLayout *const keywordsOnly[] = {
    &kspOptionsLayout,         &kspThresholdLayout,
#ifdef KSP_HAVE_REPORT
    &kspReportOptionsLayout,   &kspReportLimitLayout, &kspTraceOptionsLayout,
    &kspRecordingOptionsLayout
#endif
};
enum { RECORDS = sizeof records / sizeof *records, LAYOUTS = RECORDS + sizeof keywordsOnly / sizeof *keywordsOnly };
static PyTypeObject *recordType[RECORDS];

static const kspLayout *layoutOf(PyObject *self)
{
    for (int i = 0; i < RECORDS; i++)
        if (recordType[i] && PyObject_TypeCheck(self, recordType[i]))
            return records[i];
    return NULL;
}

/* --- reading */

static PyObject *readItem(kspRecord *self, const kspField *field, const char *at)
{
    union {
        double d;
        int i;
        unsigned u;
        unsigned long q;
        void *handle;
    } value;
    switch (field->kind) {
    case 'd':
        memcpy(&value.d, at, sizeof value.d);
        return PyFloat_FromDouble(value.d);
    case 'i':
        memcpy(&value.i, at, sizeof value.i);
        return PyLong_FromLong(value.i);
    case 'I':
        memcpy(&value.u, at, sizeof value.u);
        return field->members ? kspMember(field->members, value.u) : PyLong_FromUnsignedLong(value.u);
    case 'Q':
        memcpy(&value.q, at, sizeof value.q);
        return field->members ? kspMember(field->members, (long long)value.q) : PyLong_FromUnsignedLong(value.q);
    case 'J':
        if (self->joint && !strcmp(field->name, "joint"))
            return Py_NewRef(self->joint);
        memcpy(&value.handle, at, sizeof value.handle);
        return kspObjectPerhapsGone(value.handle, KSP_JOINT);
    case 'B':
        memcpy(&value.handle, at, sizeof value.handle);
        return kspObjectPerhapsGone(value.handle, KSP_BODY);
    case 's':
        return (PyObject *)kspRecordNew(field->inner, at);
    default:
        Py_RETURN_NONE;
    }
}

static size_t itemSize(const kspField *field)
{
    return field->kind == 's'                         ? field->inner->size
           : field->kind == 'i' || field->kind == 'I' ? sizeof(int)
                                                      : sizeof(void *);
}

/* a number, or tuples of numbers */
static PyObject *readField(kspRecord *self, const kspField *field, const char *at, int dimension)
{
    if (dimension == field->dimensions)
        return readItem(self, field, at);
    size_t stride = itemSize(field);
    if (dimension == 0 && field->dimensions == 2)
        stride *= field->shape[1];
    const Py_ssize_t count = (Py_ssize_t)field->shape[dimension];
    PyObject *tuple = PyTuple_New(count);
    for (Py_ssize_t i = 0; tuple && i < count; i++) {
        PyObject *item = readField(self, field, at + (size_t)i * stride, dimension + 1);
        if (!item || PyTuple_SetItem(tuple, i, item))
            Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject *getField(PyObject *self, void *closure)
{
    kspRecord *record = (kspRecord *)self;
    const kspField *field = closure;
    return readField(record, field, record->u.data + field->offset, 0);
}

/* --- writing */

const char *kspText(PyObject *object)
{
    Py_ssize_t length;
    if (!PyUnicode_Check(object)) {
        PyErr_Format(PyExc_TypeError, "a text is expected, not %R", object);
        return NULL;
    }
    const char *text = PyUnicode_AsUTF8AndSize(object, &length);
    if (!text || strlen(text) == (size_t)length)
        return text;
    PyErr_SetString(PyExc_ValueError, "a text without null characters is expected");
    return NULL;
}

/* 1: a value of a suitable type; 0 with an exception that names the field, unlike Python's own */
static int isOfKind(const kspField *field, PyObject *value)
{
    const char *wanted = NULL;
    if (field->kind == 'd' && !PyNumber_Check(value))
        wanted = "a number";
    else if (strchr("iIQ", field->kind) && !PyIndex_Check(value))
        wanted = "an integer";
    else if (field->kind == 'z' && value != Py_None && !PyUnicode_Check(value))
        wanted = "a text";
    if (wanted)
        PyErr_Format(PyExc_TypeError, "%s: %s is expected, not %R", kspFieldName(field), wanted, value);
    return !wanted;
}

static int writeItem(const kspField *field, char *at, PyObject *value)
{
    if (!isOfKind(field, value))
        return 0;
    if (field->kind == 'd') {
        const double number = PyFloat_AsDouble(value);
        memcpy(at, &number, sizeof number);
    } else if (field->kind == 'i') {
        const long number = PyLong_AsLong(value);
        const int narrow = (int)number;
        if (narrow != number)
            PyErr_Format(PyExc_OverflowError, "%R is too large", value);
        memcpy(at, &narrow, sizeof narrow);
    } else if (field->kind == 'I' || field->kind == 'Q') {
        PyObject *index = PyNumber_Index(value);
        const unsigned long number = index ? PyLong_AsUnsignedLong(index) : 0;
        const unsigned narrow = (unsigned)number;
        Py_XDECREF(index);
        if (field->kind == 'I' && narrow != number && !PyErr_Occurred())
            PyErr_Format(PyExc_OverflowError, "%R is too large", value);
        memcpy(at, field->kind == 'I' ? (const void *)&narrow : &number, itemSize(field));
    } else if (field->kind == 'J' || field->kind == 'B') {
        void *handle = NULL;
        if (kspHandle(value, field->kind == 'J' ? KSP_JOINT : KSP_BODY, 1, &handle))
            memcpy(at, &handle, sizeof handle);
    } else if (field->kind == 's') {
        const void *data = kspRecordData(value, field->inner);
        if (data)
            memcpy(at, data, field->inner->size);
    } else {  // the text lives as long as its object, until the end of the call
        const char *text = value == Py_None ? NULL : kspText(value);
        memcpy(at, &text, sizeof text);
    }
    return PyErr_Occurred() ? 0 : 1;
}

int kspFieldWrite(const kspField *field, void *data, PyObject *value)
{
    char *at = (char *)data + field->offset;
    if (field->dimensions == 0)
        return writeItem(field, at, value);
    if (!PySequence_Check(value)) {
        PyErr_Format(PyExc_TypeError, "%s: %zd numbers are expected, not %R", kspFieldName(field),
                     (Py_ssize_t)field->shape[0], value);
        return 0;
    }
    const Py_ssize_t count = PySequence_Size(value);
    if (count < 0)
        return 0;
    if (field->dimensions != 1 || (size_t)count != field->shape[0]) {
        PyErr_Format(PyExc_ValueError, "%s: %zd numbers are expected, not %zd", kspFieldName(field),
                     (Py_ssize_t)field->shape[0], count);
        return 0;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PySequence_GetItem(value, i);
        const int isWritten = item && writeItem(field, at + (size_t)i * itemSize(field), item);
        Py_XDECREF(item);
        if (!isWritten)
            return 0;
    }
    return 1;
}

const kspField *kspFieldFind(const kspLayout *layout, const char *name)
{
    for (const kspField *field = layout->field; field->name; field++) {
        const char *other = kspFieldName(field);
        if (other && !strcmp(other, name))
            return field;
    }
    return NULL;
}

int kspFieldsWrite(const char *function, const kspLayout *layout, void *data, PyObject *keywords)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (keywords && PyDict_Next(keywords, &at, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
        const kspField *field = name ? kspFieldFind(layout, name) : NULL;
        if (!field) {
            PyErr_Format(PyExc_TypeError, "%s() has no keyword '%U': see help(kinetostat.%s)", function, key, function);
            return 0;
        }
        if (!kspFieldWrite(field, data, value))
            return 0;
    }
    return 1;
}

/* Sets the whole field, or leaves it unchanged. */
static int setField(PyObject *self, PyObject *value, void *closure)
{
    const kspField *field = closure;
    if (!value) {
        PyErr_SetString(PyExc_AttributeError, "fields cannot be deleted");
        return -1;
    }
    size_t size = itemSize(field);
    for (int i = 0; i < field->dimensions; i++)
        size *= field->shape[i];
    char *written = PyMem_Malloc(field->offset + size);
    if (!written) {
        PyErr_NoMemory();
        return -1;
    }
    const int isWritten = kspFieldWrite(field, written, value);
    if (isWritten)
        memcpy(((kspRecord *)self)->u.data + field->offset, written + field->offset, size);
    PyMem_Free(written);
    return isWritten ? 0 : -1;
}

/* --- the object */

static kspRecord *newOf(PyTypeObject *type, const kspLayout *layout, const void *data)
{
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    kspRecord *self = (kspRecord *)alloc(type, 0);
    if (!self)
        return NULL;
    if (data)
        memcpy(self->u.data, data, layout->size);
    else if (layout->init)
        layout->init(self->u.data);
    return self;
}

kspRecord *kspRecordNew(const kspLayout *layout, const void *data)
{
    for (int i = 0; i < RECORDS; i++)
        if (records[i] == layout)
            return newOf(recordType[i], layout, data);
    PyErr_Format(PyExc_SystemError, "%s is no record", layout->name);
    return NULL;
}

void *kspRecordData(PyObject *object, const kspLayout *layout)
{
    if (layoutOf(object) == layout)
        return ((kspRecord *)object)->u.data;
    PyErr_Format(PyExc_TypeError, "a kinetostat.%s is expected, not %R", layout->name, object);
    return NULL;
}

static PyObject *newGiven(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    for (int i = 0; i < RECORDS; i++) {
        if (!recordType[i] || !PyType_IsSubtype(type, recordType[i]))
            continue;
        const kspLayout *layout = records[i];
        if (PyTuple_Size(args)) {
            PyErr_Format(PyExc_TypeError, "%s() takes keywords only", layout->name);
            return NULL;
        }
        kspRecord *self = newOf(type, layout, NULL);
        if (self && !kspFieldsWrite(layout->name, layout, self->u.data, keywords))
            Py_CLEAR(self);
        return (PyObject *)self;
    }
    return NULL;
}

/* Records are hidden from the garbage collector, although an event and a joint of pyode may hold
 * each other. pyode crashes if the collector frees a cycle of its objects; a hidden cycle only
 * stays in memory. */
static void dealloc(PyObject *self)
{
    Py_CLEAR(((kspRecord *)self)->joint);
    Py_CLEAR(((kspRecord *)self)->reaction);
    Py_CLEAR(((kspRecord *)self)->contacts);
    kspFree(self);
}

/* Wrench(force=(0.0, 0.0, 9.81), torque=...) */
static PyObject *repr(PyObject *self)
{
    const kspLayout *layout = layoutOf(self);
    PyObject *text = PyUnicode_FromFormat("%s(", layout->name);
    for (const kspField *field = layout->field; text && field->name; field++) {
        PyObject *value = getField(self, (void *)field);
        PyObject *part =
            value ? PyUnicode_FromFormat("%s%s=%R", field == layout->field ? "" : ", ", kspFieldName(field), value)
                  : NULL;
        PyObject *longer = part ? PyUnicode_Concat(text, part) : NULL;
        Py_XDECREF(value);
        Py_XDECREF(part);
        Py_DECREF(text);
        text = longer;
    }
    PyObject *closed = text ? PyUnicode_FromFormat("%U)", text) : NULL;
    Py_XDECREF(text);
    return closed;
}

/* Wrenches are equal if their numbers are equal. */
static PyObject *compareWrenches(PyObject *self, PyObject *other, int operation)
{
    if (layoutOf(other) != &kspWrenchLayout || (operation != Py_EQ && operation != Py_NE))
        Py_RETURN_NOTIMPLEMENTED;
    const ksWrench *a = (const void *)((kspRecord *)self)->u.data, *b = (const void *)((kspRecord *)other)->u.data;
    int isEqual = 1;
    for (int i = 0; i < 3; i++)
        isEqual &= a->force[i] == b->force[i] && a->torque[i] == b->torque[i];
    return PyBool_FromLong(isEqual == (operation == Py_EQ));
}

static int getBuffer(PyObject *self, Py_buffer *view, int flags)
{
    const kspLayout *layout = layoutOf(self);
    if (PyBuffer_FillInfo(view, self, ((kspRecord *)self)->u.data, (Py_ssize_t)layout->size, 1, flags))
        return -1;
    if (flags & PyBUF_FORMAT) {
        // one item without dimensions
        view->format = (char *)kspFormat(layout);
        view->itemsize = view->len;
        view->ndim = 0;
        view->shape = view->strides = NULL;
    }
    return 0;
}

/* --- further attributes of events and reports */

static PyObject *getReaction(PyObject *self, void *closure)
{
    (void)closure;
    PyObject *reaction = ((kspRecord *)self)->reaction;
    return Py_NewRef(reaction ? reaction : Py_None);
}

static PyObject *getContacts(PyObject *self, void *closure)
{
    (void)closure;
    PyObject *contacts = ((kspRecord *)self)->contacts;
    return Py_NewRef(contacts ? contacts : Py_None);
}

static PyObject *getJoint(PyObject *self, void *closure)
{
    (void)closure;
    PyObject *joint = ((kspRecord *)self)->joint;
    return Py_NewRef(joint ? joint : Py_None);
}

static PyObject *getWorst(PyObject *self, void *closure)
{
    (void)closure;
    PyObject *name = ((kspRecord *)self)->joint;
    const ksStepReport *report = (const void *)((kspRecord *)self)->u.data;
    PyObject *joint = name ? Py_NewRef(name) : kspObjectPerhapsGone(report->worstJoint, KSP_JOINT);
    return !joint || joint == Py_None ? joint : Py_BuildValue("(Nd)", joint, report->worstError);
}

static const PyGetSetDef eventExtras[] = {
    {"joint", getJoint, NULL, "pyode's object of the joint; its address if the joint is gone", NULL},
    {"contacts", getContacts, NULL, "addresses of the contacts whose reported forces entered as loads", NULL},
    {"reaction", getReaction, NULL, "Reaction of the joint; None: the event is of contacts", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static const PyGetSetDef reportExtras[] = {
    {"worst", getWorst, NULL, "the joint with the largest error, by its name if it has one, and that error; or None",
     NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef sensorMethods[] = {
    {"read", kspSensorReadMethod, METH_VARARGS,
     "read(inspector, joint) -> Wrench\n\nThe joint's wrench on the body, without the tool's weight, minus the bias; "
     "N, N.m."},
    {"tare", kspSensorTareMethod, METH_VARARGS,
     "tare(inspector, joint)\n\nSets the bias to the reading without a bias."},
    {NULL, NULL, 0, NULL}};

/* The attributes of a type, valid until the process ends, like the type. */
static PyGetSetDef *attributes(const kspLayout *layout, const PyGetSetDef *extra)
{
    size_t count = 0, extras = 0;
    while (layout->field[count].name)
        count++;
    while (extra && extra[extras].name)
        extras++;
    PyGetSetDef *list = calloc(count + extras + 1, sizeof *list);
    for (size_t i = 0; list && i < count; i++) {
        const kspField *field = &layout->field[i];
        list[i] =
            (PyGetSetDef){kspFieldName(field), getField, layout->isGiven ? setField : NULL, field->doc, (void *)field};
        if (!list[i].name) {
            free(list);
            return NULL;
        }
    }
    for (size_t i = 0; list && i < extras; i++)
        list[count + i] = extra[i];
    return list;
}

static PyTypeObject *addRecord(PyObject *module, const kspLayout *layout)
{
    const PyGetSetDef *extra = layout == &kspThresholdEventLayout ? eventExtras
                               : layout == &kspStepReportLayout   ? reportExtras
                                                                  : NULL;
    PyGetSetDef *list = attributes(layout, extra);
    if (!list || !kspFormat(layout))
        return (PyTypeObject *)PyErr_NoMemory();
    PyType_Slot slots[] = {{Py_tp_dealloc, dealloc},
                           {Py_tp_repr, repr},
                           {Py_bf_getbuffer, getBuffer},
                           {Py_tp_getset, list},
                           {Py_tp_doc, (void *)layout->doc},
                           {layout->isGiven ? Py_tp_new : 0, newGiven},
                           {0, NULL},
                           {0, NULL}};
    if (layout == &kspSensorLayout)
        slots[6] = (PyType_Slot){Py_tp_methods, sensorMethods};
    else if (layout == &kspWrenchLayout)
        slots[6] = (PyType_Slot){Py_tp_richcompare, compareWrenches};
    char name[64] = "kinetostat.";
    strcat(name, layout->name);
    PyType_Spec spec = {name, (int)(offsetof(kspRecord, u) + layout->size), 0,
                        Py_TPFLAGS_DEFAULT | (layout->isGiven ? 0 : Py_TPFLAGS_DISALLOW_INSTANTIATION), slots};
    return kspAddType(module, &spec);
}

int kspAddRecords(PyObject *module)
{
    for (int i = 0; i < RECORDS; i++) {
        recordType[i] = addRecord(module, records[i]);
        if (!recordType[i])
            return -1;
    }
    return 0;
}

/* (name, kind, shape, enumeration or None, structure or None) */
static PyObject *told(const kspField *field)
{
    PyObject *shape = PyTuple_New(field->dimensions);
    for (Py_ssize_t i = 0; shape && i < field->dimensions; i++)
        if (PyTuple_SetItem(shape, i, PyLong_FromSize_t(field->shape[i])))
            Py_CLEAR(shape);
    return shape ? Py_BuildValue("(sCNzz)", kspFieldName(field), field->kind, shape, kspEnumName(field->members),
                                 field->inner ? field->inner->name : NULL)
                 : NULL;
}

PyObject *kspLayouts(PyObject *module, PyObject *unused)
{
    PyObject *all = PyDict_New();
    (void)module, (void)unused;
    for (int i = 0; all && i < LAYOUTS; i++) {
        const kspLayout *layout = i < RECORDS ? records[i] : keywordsOnly[i - RECORDS];
        PyObject *fields = PyList_New(0);
        for (const kspField *field = layout->field; fields && field->name; field++) {
            PyObject *one = told(field);
            if (!one || PyList_Append(fields, one))
                Py_CLEAR(fields);
            Py_XDECREF(one);
        }
        PyObject *value = fields ? Py_BuildValue("(NN)", PyBool_FromLong(layout->isGiven), fields) : NULL;
        if (!value || PyDict_SetItemString(all, layout->name, value))
            Py_CLEAR(all);
        Py_XDECREF(value);
    }
    return all;
}
