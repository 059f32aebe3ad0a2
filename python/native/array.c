/* array.c  Arrays of structures or numbers. memoryview and numpy read them as a buffer. An index or
 * the name of a field is passed to numpy; nothing else in this extension needs numpy. */
#include "native.h"

#include <stdlib.h>
#include <string.h>

struct kspArray {
    PyObject_HEAD const kspLayout *layout;
    char *data;
    Py_ssize_t count, stride;
};

/* A memory block that a destroyed array has left for the next one: arrays of successive steps
 * have the same size. */
static char *spare;
static size_t spareSize;

static PyTypeObject *arrayType;
static PyObject *ndarray; /* numpy.ndarray, once it was used */

/* numpy takes a long time to parse a format, so each format is parsed only once */
enum { LAYOUTS_AT_MOST = 16 };
static struct {
    const kspLayout *layout;
    PyObject *dtype;
} known[LAYOUTS_AT_MOST];

kspArray *kspArrayNew(const kspLayout *layout, size_t count, const void *data)
{
    const size_t size = count * layout->size;
    allocfunc alloc = (allocfunc)PyType_GetSlot(arrayType, Py_tp_alloc);
    kspArray *self = (kspArray *)alloc(arrayType, 0);
    if (!self)
        return NULL;
    if (spare && size == spareSize) {
        self->data = spare;
        spare = NULL;
    } else {
        self->data = malloc(size ? size : 1);
    }
    if (!self->data) {
        Py_DECREF((PyObject *)self);
        return (kspArray *)PyErr_NoMemory();
    }
    if (data)
        memcpy(self->data, data, size);
    else
        memset(self->data, 0, size);
    self->layout = layout;
    self->count = (Py_ssize_t)count;
    self->stride = (Py_ssize_t)layout->size;
    return self;
}

void *kspArrayData(kspArray *array)
{
    return array->data;
}

int kspArrayItem(PyObject *object, const kspLayout *layout, Py_ssize_t index, void **item)
{
    kspArray *self = (kspArray *)object;
    if (!PyObject_TypeCheck(object, arrayType) || self->layout != layout || index < 0 || index >= self->count)
        return 0;
    *item = self->data + index * self->stride;
    return 1;
}

static void dealloc(PyObject *object)
{
    kspArray *self = (kspArray *)object;
    free(spare);
    spare = self->data;
    spareSize = (size_t)self->count * (size_t)self->stride;
    kspFree(object);
}

static int getBuffer(PyObject *object, Py_buffer *view, int flags)
{
    kspArray *self = (kspArray *)object;
    if (flags & PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "the results of a step are read-only: take a copy");
        return -1;
    }
    *view = (Py_buffer){.buf = self->data,
                        .obj = Py_NewRef(object),
                        .len = self->count * self->stride,
                        .itemsize = self->stride,
                        .readonly = 1,
                        .ndim = 1,
                        .format = flags & PyBUF_FORMAT ? (char *)kspFormat(self->layout) : NULL,
                        .shape = flags & PyBUF_ND ? &self->count : NULL,
                        .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? &self->stride : NULL};
    return 0;
}

/* numpy's dtype for the array's layout; borrowed */
static PyObject *dtypeOf(kspArray *self)
{
    int i = 0;
    while (i < LAYOUTS_AT_MOST - 1 && known[i].layout && known[i].layout != self->layout)
        i++;
    if (known[i].layout != self->layout) {
        PyObject *numpy = PyImport_ImportModule("numpy");
        PyObject *array = numpy ? PyObject_CallMethod(numpy, "asarray", "O", self) : NULL;
        PyObject *dtype = array ? PyObject_GetAttrString(array, "dtype") : NULL;
        if (dtype && !ndarray)
            ndarray = PyObject_GetAttrString(numpy, "ndarray");
        Py_XDECREF(numpy);
        Py_XDECREF(array);
        if (!dtype || !ndarray) {
            Py_XDECREF(dtype);
            return NULL;
        }
        Py_XDECREF(known[i].dtype);
        known[i].layout = self->layout;
        known[i].dtype = dtype;
    }
    return known[i].dtype;
}

static PyObject *asNumpy(kspArray *self)
{
    PyObject *dtype = dtypeOf(self);
    return dtype ? PyObject_CallFunction(ndarray, "nOO", self->count, dtype, self) : NULL;
}

static PyObject *subscript(PyObject *self, PyObject *key)
{
    PyObject *array = asNumpy((kspArray *)self);
    PyObject *item = array ? PyObject_GetItem(array, key) : NULL;
    Py_XDECREF(array);
    return item;
}

static Py_ssize_t length(PyObject *self)
{
    return ((kspArray *)self)->count;
}

static PyObject *iterate(PyObject *self)
{
    PyObject *array = asNumpy((kspArray *)self);
    PyObject *iterator = array ? PyObject_GetIter(array) : NULL;
    Py_XDECREF(array);
    return iterator;
}

static PyObject *copy(PyObject *self, PyObject *unused)
{
    (void)unused;
    PyObject *array = asNumpy((kspArray *)self);
    PyObject *copied = array ? PyObject_CallMethod(array, "copy", NULL) : NULL;
    Py_XDECREF(array);
    return copied;
}

/* Shows the numbers of a short array, else only its length. */
static PyObject *repr(PyObject *object)
{
    enum { NUMBERS_AT_MOST = 12 };
    const kspArray *self = (kspArray *)object;
    if (!self->layout->number || self->count > NUMBERS_AT_MOST)
        return PyUnicode_FromFormat("<kinetostat.Array of %zd %s>", self->count, self->layout->name);
    PyObject *view = PyMemoryView_FromObject(object);
    PyObject *numbers = view ? PyObject_CallMethod(view, "tolist", NULL) : NULL;
    PyObject *text =
        numbers ? PyUnicode_FromFormat("<kinetostat.Array of %zd %s: %R>", self->count, self->layout->name, numbers)
                : NULL;
    Py_XDECREF(view);
    Py_XDECREF(numbers);
    return text;
}

static PyMethodDef methods[] = {
    {"copy", copy, METH_NOARGS, "copy()\n\nReturns an array of numpy with its own memory, which is writable."},
    {NULL, NULL, 0, NULL}};

int kspAddArray(PyObject *module)
{
    static const char doc[] =
        "Consecutive structures or numbers, as they were at the time of the request; nothing changes them.\n\n"
        "A buffer: memoryview(a), numpy.asarray(a). a[key] and iteration work as for numpy.asarray(a).";
    PyType_Slot slots[] = {{Py_tp_dealloc, dealloc}, {Py_bf_getbuffer, getBuffer}, {Py_mp_subscript, subscript},
                           {Py_mp_length, length},   {Py_tp_iter, iterate},        {Py_tp_methods, methods},
                           {Py_tp_repr, repr},       {Py_tp_doc, (void *)doc},     {0, NULL}};
    PyType_Spec spec = {"kinetostat.Array", sizeof(kspArray), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                        slots};
    arrayType = kspAddType(module, &spec);
    return arrayType ? 0 : -1;
}
