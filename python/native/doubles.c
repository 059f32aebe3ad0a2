/* doubles.c  Numbers from Python: a buffer of doubles, such as a numpy array, or a (nested)
 * sequence. */
#include "native.h"

#include <string.h>

static int tooMany(const char *what, size_t count)
{
    PyErr_Format(PyExc_ValueError, "%s: %zd numbers are expected", what, (Py_ssize_t)count);
    return 0;
}

/* fills `out` from *at on */
static int readSequence(PyObject *sequence, double *out, size_t count, size_t *at, const char *what)
{
    if (!PySequence_Check(sequence) || PyUnicode_Check(sequence)) {
        if (*at == count)
            return tooMany(what, count);
        out[*at] = PyFloat_AsDouble(sequence);
        return PyErr_Occurred() ? 0 : (++*at, 1);
    }
    const Py_ssize_t length = PySequence_Size(sequence);
    // a list may contain itself
    if (length < 0 || Py_EnterRecursiveCall(" in a sequence of numbers"))
        return 0;
    int isRead = 1;
    for (Py_ssize_t i = 0; i < length && isRead; i++) {
        PyObject *item = PySequence_GetItem(sequence, i);
        isRead = item && readSequence(item, out, count, at, what);
        Py_XDECREF(item);
    }
    Py_LeaveRecursiveCall();
    return isRead;
}

/* Reads doubles from a buffer with any strides. -1: the object is not such a buffer. */
static int readBuffer(PyObject *object, double *out, size_t count, const char *what)
{
    Py_buffer view;
    if (!PyObject_CheckBuffer(object) || PyObject_GetBuffer(object, &view, PyBUF_FULL_RO)) {
        PyErr_Clear();
        return -1;
    }
    int isRead = -1;
    if (view.format && (!strcmp(view.format, "d") || !strcmp(view.format, "<d"))) {
        isRead = (size_t)view.len == count * sizeof(double) ? PyBuffer_ToContiguous(out, &view, view.len, 'C') == 0
                                                            : tooMany(what, count);
    }
    PyBuffer_Release(&view);
    return isRead;
}

int kspDoublesRead(PyObject *object, double *out, size_t count, const char *what)
{
    const int isRead = readBuffer(object, out, count, what);
    if (isRead >= 0)
        return isRead;
    size_t at = 0;
    if (!PySequence_Check(object)) {
        PyErr_Format(PyExc_TypeError, "%s: a sequence of numbers is expected, not %R", what, object);
        return 0;
    }
    return readSequence(object, out, count, &at, what) && (at == count || tooMany(what, count));
}

static int isOther(PyObject *object, size_t rows, size_t columns, const char *what)
{
    PyObject *shape = PyObject_GetAttrString(object, "shape");
    if (!shape)
        PyErr_Clear();
    if (shape)
        PyErr_Format(PyExc_ValueError, "%s: an array of %zd x %zd numbers is expected, not of the shape %R", what,
                     (Py_ssize_t)rows, (Py_ssize_t)columns, shape);
    else
        PyErr_Format(PyExc_ValueError, "%s: %zd lines of %zd numbers are expected, not %R", what, (Py_ssize_t)rows,
                     (Py_ssize_t)columns, object);
    Py_XDECREF(shape);
    return 0;
}

int kspLinesRead(PyObject *object, double *out, size_t rows, size_t columns, const char *what)
{
    const Py_ssize_t length = PySequence_Check(object) && !PyUnicode_Check(object) ? PySequence_Size(object) : -1;
    if (PyErr_Occurred())
        return 0;
    const int isAlike = length >= 0 && (size_t)length == rows;
    const int isRead = isAlike ? readBuffer(object, out, rows * columns, what) : 0;
    if (isRead == 0) {
        PyErr_Clear();
        return isOther(object, rows, columns, what);
    }
    for (Py_ssize_t i = 0; isRead < 0 && i < length; i++) {
        PyObject *line = PySequence_GetItem(object, i);
        const int isLine = line && kspDoublesRead(line, out + (size_t)i * columns, columns, what);
        Py_XDECREF(line);
        if (!isLine)
            return 0;
    }
    return 1;
}

static PyObject *six(const double numbers[6])
{
    return Py_BuildValue("(dddddd)", numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]);
}

PyObject *kspProbeForceFunction(PyObject *module, PyObject *args)
{
    PyObject *given[3];
    double centre[3], point[3], axis[3], direction[6];
    (void)module;
    if (!PyArg_ParseTuple(args, "OOO:probe_force", &given[0], &given[1], &given[2]) ||
        !kspDoublesRead(given[0], centre, 3, "centre") || !kspDoublesRead(given[1], point, 3, "point") ||
        !kspDoublesRead(given[2], axis, 3, "axis"))
        return NULL;
    ksProbeForce(centre, point, axis, direction);
    return six(direction);
}

PyObject *kspProbeCoupleFunction(PyObject *module, PyObject *given)
{
    double axis[3], direction[6];
    (void)module;
    if (!kspDoublesRead(given, axis, 3, "axis"))
        return NULL;
    ksProbeCouple(axis, direction);
    return six(direction);
}
