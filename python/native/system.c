/* system.c  System: <kinetostat/system.h>, the mechanics without an engine, with arrays as
 * arguments and results. */
#include "native.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct System {
    PyObject_HEAD ksSystem *handle;
    int *size; /* [blocks] number of coordinates of each block */
    int blocks;
    int reading; /* numbers are being read, perhaps by code of the host, so blocks and rows must not
                    change */
} System;

static ksSystem *handleOf(PyObject *self)
{
    return ((System *)self)->handle;
}

static PyObject *create(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    if (PyTuple_Size(args) || (keywords && PyDict_Size(keywords))) {
        PyErr_SetString(PyExc_TypeError, "System() takes no arguments");
        return NULL;
    }
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    System *self = (System *)alloc(type, 0);
    const ksStatus status = self ? ksSystemCreate(&self->handle) : KS_OK;
    if (status) {
        Py_DECREF((PyObject *)self);
        return kspRaise(status);
    }
    return (PyObject *)self;
}

static void dealloc(PyObject *self)
{
    ksSystemDestroy(handleOf(self));
    free(((System *)self)->size);
    kspFree(self);
}

/* --- numbers in */

/* @return 1; 0 with an exception */
static int mayChange(const System *self)
{
    if (self->reading)
        kspRaiseWords(KS_ERROR_REENTRY, "kinetostat: a call on this system is still reading its numbers");
    return !self->reading;
}

/* Allocates `count` numbers and reads them; for None, *out is NULL. @return 1; 0 with an
 * exception */
static int readDoubles(PyObject *self, PyObject *object, size_t count, const char *what, double **out)
{
    *out = NULL;
    if (object == Py_None)
        return 1;
    double *numbers = malloc(count * sizeof *numbers + 1);
    if (!numbers) {
        PyErr_NoMemory();
        return 0;
    }
    ((System *)self)->reading++;
    const int isRead = kspDoublesRead(object, numbers, count, what);
    ((System *)self)->reading--;
    if (!isRead) {
        free(numbers);
        return 0;
    }
    *out = numbers;
    return 1;
}

/* The pieces of a row or a probe by block, {block: numbers}. */
typedef struct Pieces {
    int count, *block;
    double **piece;
} Pieces;

static void freePieces(Pieces *pieces)
{
    for (int i = 0; i < pieces->count; i++)
        free(pieces->piece[i]);
    free(pieces->piece);
    free(pieces->block);
}

/* Reads one piece; its block exists. @return 1; 0 with an exception */
static int readPiece(System *self, PyObject *value, const char *what, int block, double **piece)
{
    // a plain number is enough for one coordinate
    if (!PyFloat_Check(value) || self->size[block] != 1)
        return readDoubles((PyObject *)self, value, (size_t)self->size[block], what, piece);
    PyObject *one = PyTuple_Pack(1, value);
    const int isRead = one && readDoubles((PyObject *)self, one, 1, what, piece);
    Py_XDECREF(one);
    return isRead;
}

static int readPieces(System *self, PyObject *mapping, const char *what, Pieces *pieces)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    *pieces = (Pieces){0};
    if (!PyDict_Check(mapping)) {
        PyErr_Format(PyExc_TypeError, "%s: a dictionary {block: numbers} is expected, not %R", what, mapping);
        return 0;
    }
    const size_t count = (size_t)PyDict_Size(mapping);
    pieces->block = calloc(count + 1, sizeof *pieces->block);
    pieces->piece = calloc(count + 1, sizeof *pieces->piece);
    int isRead = pieces->block && pieces->piece;
    if (!isRead)
        PyErr_NoMemory();
    self->reading++;
    while (isRead && PyDict_Next(mapping, &at, &key, &value) && (size_t)pieces->count < count) {
        // code that reads key and value may remove them from the dictionary
        Py_INCREF(key);
        Py_INCREF(value);
        const long block = PyLong_AsLong(key);
        isRead = !PyErr_Occurred();
        if (isRead && (block < 0 || block >= self->blocks)) {
            PyErr_Format(PyExc_IndexError, "%s: there is no block %R", what, key);
            isRead = 0;
        }
        isRead = isRead && readPiece(self, value, what, (int)block, &pieces->piece[pieces->count]);
        if (isRead)
            pieces->block[pieces->count++] = (int)block;
        Py_DECREF(key);
        Py_DECREF(value);
    }
    self->reading--;
    if (!isRead)
        freePieces(pieces);
    return isRead;
}

static PyObject *addBlock(PyObject *object, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"mass", "force", "velocity", NULL};
    System *self = (System *)object;
    PyObject *mass, *force = Py_None, *velocity = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|OO:add_block", names, &mass, &force, &velocity))
        return NULL;
    const Py_ssize_t length = PySequence_Size(mass);
    if (length < 0)
        return NULL;
    const size_t size = length < 10000 ? (size_t)length : 0;  // the library refuses 0, as it would a larger block
    double *numbers[3] = {NULL, NULL, NULL};
    PyObject *result = NULL;
    int block;
    if (mayChange(self) && readDoubles(object, mass, size * size, "mass", &numbers[0]) &&
        readDoubles(object, force, size, "force", &numbers[1]) &&
        readDoubles(object, velocity, size, "velocity", &numbers[2])) {
        int *sizes = realloc(self->size, (size_t)(self->blocks + 1) * sizeof *sizes);
        if (sizes)
            self->size = sizes;
        const ksStatus status =
            sizes ? ksSystemAddBlock(self->handle, (int)size, numbers[0], numbers[1], numbers[2], &block)
                  : KS_ERROR_NO_MEMORY;
        if (!sizes) {
            PyErr_NoMemory();
        } else if (status) {
            kspRaise(status);
        } else {
            self->size[self->blocks++] = (int)size;
            result = PyLong_FromLong(block);
        }
    }
    for (int i = 0; i < 3; i++)
        free(numbers[i]);
    return result;
}

static PyObject *addRow(PyObject *object, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"jacobian", "beta", "compliance", "lo", "hi", NULL};
    PyObject *jacobian;
    ksRowSpec spec;
    Pieces pieces;
    ksRowSpecInit(&spec);
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|dddd:add_row", names, &jacobian, &spec.beta, &spec.compliance,
                                     &spec.lo, &spec.hi) ||
        !mayChange((System *)object) || !readPieces((System *)object, jacobian, "jacobian", &pieces))
        return NULL;
    int row;
    spec.blockCount = pieces.count;
    spec.block = pieces.block;
    spec.jacobian = (const double *const *)pieces.piece;
    const ksStatus status = ksSystemAddRow(handleOf(object), &spec, &row);
    freePieces(&pieces);
    return status ? kspRaise(status) : PyLong_FromLong(row);
}

/* --- numbers out */

static kspArray *rowsOf(PyObject *self)
{
    return kspArrayNew(&kspDoubleLayout, (size_t)ksSystemRowCount(handleOf(self)), NULL);
}

static kspArray *coordinatesOf(PyObject *self)
{
    return kspArrayNew(&kspDoubleLayout, (size_t)ksSystemCoordinateCount(handleOf(self)), NULL);
}

typedef ksStatus Solve(ksSystem *system, double *multiplier, double *acceleration);

static PyObject *solve(PyObject *self, Solve *by)
{
    kspArray *multiplier = rowsOf(self), *acceleration = coordinatesOf(self);
    if (multiplier && acceleration) {
        const ksStatus status = by(handleOf(self), kspArrayData(multiplier), kspArrayData(acceleration));
        if (status == KS_OK)
            return Py_BuildValue("(NN)", multiplier, acceleration);
        kspRaise(status);
    }
    Py_XDECREF((PyObject *)multiplier);
    Py_XDECREF((PyObject *)acceleration);
    return NULL;
}

static PyObject *solveGauss(PyObject *self, PyObject *unused)
{
    (void)unused;
    return solve(self, ksSystemSolveGauss);
}

static PyObject *solvePaulus(PyObject *self, PyObject *unused)
{
    (void)unused;
    return solve(self, ksSystemSolvePaulus);
}

static PyObject *solveLeastNorm(PyObject *self, PyObject *unused)
{
    (void)unused;
    return solve(self, ksSystemSolveLeastNorm);
}

/* the array that a call has filled, or the exception of the call */
static PyObject *filled(kspArray *array, ksStatus status)
{
    if (!status)
        return (PyObject *)array;
    Py_DECREF((PyObject *)array);
    return kspRaise(status);
}

static PyObject *errorBars(PyObject *self, PyObject *unused)
{
    (void)unused;
    kspArray *bar = rowsOf(self);
    return bar ? filled(bar, ksSystemGetErrorBars(handleOf(self), kspArrayData(bar))) : NULL;
}

static PyObject *solveMotion(PyObject *self, PyObject *unused)
{
    (void)unused;
    kspArray *acceleration = coordinatesOf(self);
    return acceleration ? filled(acceleration, ksSystemSolveMotion(handleOf(self), kspArrayData(acceleration))) : NULL;
}

static PyObject *solveBounded(PyObject *self, PyObject *unused)
{
    (void)unused;
    const size_t rows = (size_t)ksSystemRowCount(handleOf(self));
    kspArray *array[5] = {rowsOf(self), rowsOf(self), coordinatesOf(self), kspArrayNew(&kspIntLayout, rows, NULL),
                          kspArrayNew(&kspIntLayout, rows, NULL)};
    ksStatus status = KS_OK;
    if (array[0] && array[1] && array[2] && array[3] && array[4]) {
        _Static_assert(sizeof(ksRowPlace) == sizeof(int), "places are written as numbers");
        ksBoundedSolution solution = {.multiplier = kspArrayData(array[0]),
                                      .bar = kspArrayData(array[1]),
                                      .acceleration = kspArrayData(array[2]),
                                      .place = kspArrayData(array[3]),
                                      .determinate = kspArrayData(array[4])};
        status = ksSystemSolveBounded(handleOf(self), &solution);
        if (status == KS_OK)
            return Py_BuildValue("{sNsNsNsNsNsdsdsd}", "multiplier", array[0], "bar", array[1], "acceleration",
                                 array[2], "place", array[3], "determinate", array[4], "violation", solution.violation,
                                 "margin", solution.margin, "solutions", solution.solutions);
    }
    for (int i = 0; i < 5; i++)
        Py_XDECREF((PyObject *)array[i]);
    return status ? kspRaise(status) : NULL;
}

static PyObject *determinacy(PyObject *self, PyObject *unused)
{
    (void)unused;
    size_t rank;
    kspArray *array = kspArrayNew(&kspIntLayout, (size_t)ksSystemRowCount(handleOf(self)), NULL);
    if (!array)
        return NULL;
    const ksStatus status = ksSystemGetDeterminacy(handleOf(self), kspArrayData(array), &rank);
    if (status)
        return filled(array, status);
    return Py_BuildValue("(Nn)", array, (Py_ssize_t)rank);
}

static PyObject *combination(PyObject *self, PyObject *given)
{
    double *coefficient, value;
    int determinate;
    if (!readDoubles(self, given, (size_t)ksSystemRowCount(handleOf(self)), "coefficient", &coefficient))
        return NULL;
    const ksStatus status = ksSystemGetCombination(handleOf(self), coefficient, &determinate, &value);
    free(coefficient);
    return status ? kspRaise(status) : Py_BuildValue("(Nd)", PyBool_FromLong(determinate), value);
}

static PyObject *selfStresses(PyObject *self, PyObject *unused)
{
    (void)unused;
    const size_t rows = (size_t)ksSystemRowCount(handleOf(self));
    int count;
    ksStatus status = ksSystemGetSelfStresses(handleOf(self), NULL, 0, &count);
    if (status)
        return kspRaise(status);
    double *basis = malloc((size_t)count * rows * sizeof *basis + 1);
    if (!basis)
        return PyErr_NoMemory();
    status = ksSystemGetSelfStresses(handleOf(self), basis, count, &count);
    PyObject *list = status ? kspRaise(status) : PyList_New(count);
    for (Py_ssize_t i = 0; list && i < count; i++) {
        kspArray *vector = kspArrayNew(&kspDoubleLayout, rows, basis + (size_t)i * rows);
        if (!vector || PyList_SetItem(list, i, (PyObject *)vector))
            Py_CLEAR(list);
    }
    free(basis);
    return list;
}

static PyObject *relaxRow(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"row", "direction", "acceleration", NULL};
    PyObject *direction = Py_None, *acceleration = Py_None;
    int row;
    double *w, *a = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "i|OO:relax_row", names, &row, &direction, &acceleration))
        return NULL;
    const size_t coordinates = (size_t)ksSystemCoordinateCount(handleOf(self));
    if (!readDoubles(self, direction, coordinates, "direction", &w))
        return NULL;
    PyObject *result = NULL;
    if (readDoubles(self, acceleration, coordinates, "acceleration", &a)) {
        ksRelaxation relaxation;
        const ksStatus status = ksSystemRelaxRow(handleOf(self), row, w, a, &relaxation);
        result = status ? kspRaise(status) : (PyObject *)kspRecordNew(&kspRelaxationLayout, &relaxation);
    }
    free(w);
    free(a);
    return result;
}

static PyObject *measure(PyObject *self, PyObject *given)
{
    double *acceleration;
    ksGaussMeasure found;
    if (!readDoubles(self, given, (size_t)ksSystemCoordinateCount(handleOf(self)), "acceleration", &acceleration))
        return NULL;
    const ksStatus status = ksSystemMeasure(handleOf(self), acceleration, &found);
    free(acceleration);
    return status ? kspRaise(status) : (PyObject *)kspRecordNew(&kspGaussMeasureLayout, &found);
}

static PyObject *mobility(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"at", "by", NULL};
    PyObject *at, *by;
    Pieces e, d;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:mobility", names, &at, &by) ||
        !readPieces((System *)self, at, "at", &e))
        return NULL;
    PyObject *result = NULL;
    if (readPieces((System *)self, by, "by", &d)) {
        const ksProbe probe = {e.count, e.block, (const double *const *)e.piece},
                      from = {d.count, d.block, (const double *const *)d.piece};
        double found;
        const ksStatus status = ksSystemGetMobility(handleOf(self), &probe, &from, &found);
        result = status ? kspRaise(status) : PyFloat_FromDouble(found);
        freePieces(&d);
    }
    freePieces(&e);
    return result;
}

static PyObject *solveImpulse(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"impulse", "row_velocity", NULL};
    PyObject *impulse = Py_None, *velocity = Py_None;
    double *p = NULL, *c = NULL;
    ksImpulse energy;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|OO:solve_impulse", names, &impulse, &velocity) ||
        !readDoubles(self, impulse, (size_t)ksSystemCoordinateCount(handleOf(self)), "impulse", &p))
        return NULL;
    kspArray *reaction = rowsOf(self), *after = coordinatesOf(self);
    PyObject *result = NULL;
    if (reaction && after &&
        readDoubles(self, velocity, (size_t)ksSystemRowCount(handleOf(self)), "row_velocity", &c)) {
        const ksStatus status =
            ksSystemSolveImpulse(handleOf(self), p, c, kspArrayData(reaction), kspArrayData(after), &energy);
        result = status ? kspRaise(status)
                        : Py_BuildValue("(OON)", reaction, after, kspRecordNew(&kspImpulseLayout, &energy));
    }
    Py_XDECREF((PyObject *)reaction);
    Py_XDECREF((PyObject *)after);
    free(p);
    free(c);
    return result;
}

static PyObject *empty(PyObject *self, PyObject *unused)
{
    (void)unused;
    if (!mayChange((System *)self))
        return NULL;
    ksSystemClear(handleOf(self));
    ((System *)self)->blocks = 0;
    Py_RETURN_NONE;
}

static PyObject *setNumber(PyObject *self, PyObject *value, ksStatus (*set)(ksSystem *, double))
{
    const double number = PyFloat_AsDouble(value);
    return PyErr_Occurred() ? NULL : kspAnswer(set(handleOf(self), number));
}

static PyObject *setRigidCompliance(PyObject *self, PyObject *value)
{
    return setNumber(self, value, ksSystemSetRigidCompliance);
}

static PyObject *setRankTolerance(PyObject *self, PyObject *value)
{
    return setNumber(self, value, ksSystemSetRankTolerance);
}

static PyObject *getCount(PyObject *self, void *closure)
{
    int (*const count)(const ksSystem *) = closure == (void *)0   ? ksSystemRowCount
                                           : closure == (void *)1 ? ksSystemCoordinateCount
                                                                  : ksSystemCulprit;
    return PyLong_FromLong(count(handleOf(self)));
}

#define KEYWORDS(f) (PyCFunction)(void (*)(void)) f, METH_VARARGS | METH_KEYWORDS
static PyMethodDef methods[] = {
    {"add_block", KEYWORDS(addBlock),
     "add_block(mass, force=None, velocity=None) -> int\n\nCoordinates with one mass matrix [n][n]. None: zero."},
    {"add_row", KEYWORDS(addRow),
     "add_row(jacobian, beta=0, compliance=0, lo=-inf, hi=inf) -> int\n\n"
     "J a + s lambda = beta, jacobian as {block: numbers}; lo == hi: a known force."},
    {"solve_gauss", solveGauss, METH_NOARGS, "-> (multiplier, acceleration)\n\nBy the range-space route."},
    {"solve_paulus", solvePaulus, METH_NOARGS,
     "-> (multiplier, acceleration)\n\nEach multiplier by its own relaxed coordinate."},
    {"solve_least_norm", solveLeastNorm, METH_NOARGS, "-> (multiplier, acceleration)\n\nWithout self-stress."},
    {"solve_bounded", solveBounded, METH_NOARGS,
     "-> dict\n\nFinds the rows at their bounds: multiplier, bar, acceleration, place (RowPlace), determinate, "
     "violation, margin, "
     "solutions."},
    {"solve_motion", solveMotion, METH_NOARGS, "-> acceleration\n\nThe true motion, without multipliers."},
    {"solve_impulse", KEYWORDS(solveImpulse),
     "solve_impulse(impulse=None, row_velocity=None) -> (reaction, velocity, Impulse)\n\nAn impact."},
    {"error_bars", errorBars, METH_NOARGS, "-> bar\n\nError bars of the multipliers."},
    {"determinacy", determinacy, METH_NOARGS, "-> (determinate, rank)\n\nFlags of the rows with a unique multiplier."},
    {"combination", combination, METH_O, "combination(coefficient) -> (determinate, value)\n\nIs c . lambda unique?"},
    {"self_stresses", selfStresses, METH_NOARGS, "-> list of vectors\n\nA basis of J^T n = 0."},
    {"relax_row", KEYWORDS(relaxRow),
     "relax_row(row, direction=None, acceleration=None) -> Relaxation\n\nOne multiplier alone."},
    {"measure", measure, METH_O,
     "measure(acceleration) -> GaussMeasure\n\nThe constraint of this motion in Gauss's sense, and its parts."},
    {"mobility", KEYWORDS(mobility),
     "mobility(at, by) -> float\n\nThe velocity at one probe, {block: direction}, per unit impulse by another."},
    {"clear", empty, METH_NOARGS, "clear()\n\nRemoves blocks and rows; keeps memory and tolerances."},
    {"set_rigid_compliance", setRigidCompliance, METH_O, "Rows up to this compliance are rigid for the rank; 0."},
    {"set_rank_tolerance", setRankTolerance, METH_O, "Smaller relative singular values count as zero; 1e-10."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef attributes[] = {
    {"row_count", getCount, NULL, "rows", (void *)0},
    {"coordinate_count", getCount, NULL, "coordinates", (void *)1},
    {"culprit", getCount, NULL, "the row or block at fault in the last failed call, or -1", (void *)2},
    {NULL, NULL, NULL, NULL, NULL}};

int kspAddSystem(PyObject *module)
{
    static const char doc[] =
        "A constrained mechanical system, without an engine: M a = f + J^T lambda, J a + s lambda = beta.\n\n"
        "It consists of blocks of coordinates and of rows. Any consistent units: kg, m, s.";
    PyType_Slot slots[] = {{Py_tp_dealloc, dealloc},   {Py_tp_new, create},      {Py_tp_methods, methods},
                           {Py_tp_getset, attributes}, {Py_tp_doc, (void *)doc}, {0, NULL}};
    PyType_Spec spec = {"kinetostat.System", sizeof(System), 0, Py_TPFLAGS_DEFAULT, slots};
    return kspAddType(module, &spec) ? 0 : -1;
}
