/* constants.c  The library's enumerations as classes of Python's module enum. Their members are
 * also members of this module, with the names that they have in C, without KS_. */
#include "native.h"

#ifdef KSP_HAVE_REPORT
#include <kinetostat/report.h>
#include <kinetostat/trace.h>
#endif

#include <string.h>

typedef struct Member {
    const char *name;
    long long value;
} Member;

#define M(name)                                                                                                        \
    {                                                                                                                  \
#name, (long long)(KS_##name)                                                                                  \
    }

static const Member statuses[] = {M(OK),
                                  M(ERROR_BAD_ARGUMENT),
                                  M(ERROR_NO_MEMORY),
                                  M(ERROR_UNSUPPORTED_ENGINE),
                                  M(ERROR_REENTRY),
                                  M(ERROR_BRACKET),
                                  M(ERROR_ENGINE),
                                  M(ERROR_NOT_FINITE),
                                  M(ERROR_NOT_POSITIVE_DEFINITE),
                                  M(ERROR_SINGULAR),
                                  M(ERROR_INCONSISTENT),
                                  M(ERROR_BOUND),
                                  M(ERROR_NOT_ADMISSIBLE),
                                  M(ERROR_NOT_RELAXING),
                                  M(ERROR_REDUNDANT),
                                  M(ERROR_NO_ANCHOR),
                                  M(ERROR_UNAVAILABLE),
                                  M(ERROR_ENDED),
                                  M(ERROR_FILE),
                                  {NULL, 0}};
static const Member steppers[] = {M(WORLD_STEP), M(QUICK_STEP), M(EXACT_STEP), M(FOREIGN_STEP), {NULL, 0}};
static const Member values[] = {M(ENGINE), M(CONVERGED), M(PHYSICAL), M(OBSERVED), M(SHARED), M(MEAN), {NULL, 0}};
static const Member frames[] = {M(FRAME_WORLD), M(FRAME_BODY), M(FRAME_JOINT), {NULL, 0}};
static const Member points[] = {M(POINT_MASS_CENTRE), M(POINT_ANCHOR), {NULL, 0}};
static const Member verdicts[] = {M(NOT_SOLVED),    M(UNCHECKED), M(UNEXPLAINED), M(SOLVER_ERROR),
                                  M(INDETERMINATE), M(VALID),     {NULL, 0}};
static const Member reasons[] = {M(REASON_REDUNDANT),
                                 M(REASON_REPORT),
                                 M(REASON_MOTION),
                                 M(REASON_BOUND),
                                 M(REASON_FRICTION),
                                 M(REASON_BUDGET),
                                 M(REASON_OWN_RANK),
                                 M(REASON_SPEED_CAP),
                                 M(REASON_RESET),
                                 M(REASON_NOT_FINITE),
                                 M(REASON_JOINT_GONE),
                                 M(REASON_STALE_LIMIT),
                                 M(REASON_FALSE_ERROR),
                                 M(REASON_NO_HISTORY),
                                 M(REASON_MASS),
                                 M(REASON_MEMORY),
                                 M(REASON_PRECISION),
                                 M(REASON_NOT_ASKED),
                                 M(REASON_UNREADABLE),
                                 M(REASON_SOFT),
                                 M(REASON_FALSE_AXIS),
                                 M(REASON_RELAXED),
                                 M(REASON_REPORTED_LOADS),
                                 M(REASON_THREADS),
                                 M(REASON_FALSE_LEVER),
                                 M(REASON_FALLBACK),
                                 M(REASON_ASLEEP),
                                 M(REASON_DISABLED),
                                 M(REASON_NO_ROWS),
                                 M(REASON_NOT_REPORTED),
                                 M(REASON_PHYSICAL),
                                 M(REASON_GAP),
                                 M(REASON_ADOPTED),
                                 M(REASON_SHARED),
                                 M(REASON_AXIS_LENGTH),
                                 M(REASON_REVERSED_MOTOR),
                                 M(REASON_FALSE_RATE),
                                 M(REASON_PART_SOFT),
                                 M(REASON_FLICKER),
                                 M(REASON_IMPACT),
                                 M(REASON_DRIVEN),
                                 M(REASON_REMEMBERED),
                                 {NULL, 0}};
static const Member compute[] = {M(COMPUTE_CONVERGED), M(COMPUTE_PHYSICAL), {NULL, 0}};
static const Member contacts[] = {M(CONTACTS_REPORTED), M(CONTACTS_SOLVED), {NULL, 0}};
static const Member exactContacts[] = {M(EXACT_CONTACTS_SOLVED), M(EXACT_CONTACTS_SWEPT), {NULL, 0}};
static const Member latencies[] = {M(SAME_STEP), M(NEXT_STEP), {NULL, 0}};
static const Member sources[] = {M(FROM_NOWHERE), M(FROM_GEOMETRY), M(FROM_HISTORY), {NULL, 0}};
static const Member rowKinds[] = {M(ROW_BILATERAL), M(ROW_STOP),    M(ROW_MOTOR), M(ROW_NORMAL),
                                  M(ROW_FRICTION),  M(ROW_ROLLING), {NULL, 0}};
static const Member places[] = {M(INSIDE), M(AT_LOW), M(AT_HIGH), M(INACTIVE), {NULL, 0}};
static const Member works[] = {M(WORK_TARGET), M(WORK_COMPLIANCE), M(WORK_RESIDUAL), M(WORK_DISCRETISATION), {NULL, 0}};
static const Member phases[] = {M(PHASE_SNAPSHOT), M(PHASE_ROWS),     M(PHASE_GAUSS),
                                M(PHASE_PAULUS),   M(PHASE_VERDICT),  M(PHASE_CALLBACKS),
                                M(PHASE_PHYSICAL), M(PHASE_ESTIMATE), {NULL, 0}};
static const Member energies[] = {M(ENERGY_WEIGHT),   M(ENERGY_MOTORS), M(ENERGY_STOPS),   M(ENERGY_JOINTS),
                                  M(ENERGY_CONTACTS), M(ENERGY_HOST),   M(ENERGY_DAMPING), M(ENERGY_REST),
                                  M(ENERGY_SET),      {NULL, 0}};
static const Member limits[] = {M(LIMIT_FORCE_X),  M(LIMIT_FORCE_Y),  M(LIMIT_FORCE_Z), M(LIMIT_TORQUE_X),
                                M(LIMIT_TORQUE_Y), M(LIMIT_TORQUE_Z), M(LIMIT_FORCE),   M(LIMIT_TORQUE),
                                M(LIMIT_COUNT),    {NULL, 0}};
static const Member thresholdFlags[] = {M(THRESHOLD_UNCHECKED), M(THRESHOLD_BREAKS), {NULL, 0}};
static const Member thresholdPhases[] = {M(THRESHOLD_ENTERED), M(THRESHOLD_LEFT), M(THRESHOLD_ENDED), {NULL, 0}};
static const Member touchPhases[] = {M(TOUCH_BEGAN), M(TOUCH_LASTS), M(TOUCH_ENDED), {NULL, 0}};
#ifdef KSP_HAVE_REPORT
static const Member reportFormats[] = {M(REPORT_TEXT), M(REPORT_JSON),         M(REPORT_JUNIT),
                                       M(REPORT_HTML), M(REPORT_TEXT_ALL),     M(REPORT_DATA),
                                       M(REPORT_RUNS), M(REPORT_SUPPRESSIONS), {NULL, 0}};
static const Member traceFormats[] = {M(TRACE_BY_NAME), M(TRACE_CSV),    M(TRACE_HDF5),
                                      M(TRACE_MCAP),    M(TRACE_EVENTS), {NULL, 0}};
static const Member traceLevels[] = {M(TRACE_WRENCHES), M(TRACE_ROWS), M(TRACE_RAW), {NULL, 0}};
#endif
static const Member jointTypes[] = {{"JOINT_BALL", dJointTypeBall},
                                    {"JOINT_HINGE", dJointTypeHinge},
                                    {"JOINT_SLIDER", dJointTypeSlider},
                                    {"JOINT_CONTACT", dJointTypeContact},
                                    {"JOINT_UNIVERSAL", dJointTypeUniversal},
                                    {"JOINT_HINGE2", dJointTypeHinge2},
                                    {"JOINT_FIXED", dJointTypeFixed},
                                    {"JOINT_NULL", dJointTypeNull},
                                    {"JOINT_AMOTOR", dJointTypeAMotor},
                                    {"JOINT_LMOTOR", dJointTypeLMotor},
                                    {"JOINT_PLANE2D", dJointTypePlane2D},
                                    {"JOINT_PR", dJointTypePR},
                                    {"JOINT_PU", dJointTypePU},
                                    {"JOINT_PISTON", dJointTypePiston},
                                    {"JOINT_DBALL", dJointTypeDBall},
                                    {"JOINT_DHINGE", dJointTypeDHinge},
                                    {"JOINT_TRANSMISSION", dJointTypeTransmission},
                                    {NULL, 0}};

/* in the order of kspEnum */
static const struct {
    const char *name;
    const char *prefix; /* prefix that members of the class lack, and members of the module keep */
    int isFlags;
    const Member *member;
    const char *doc;
} enumeration[KSP_ENUMS] = {
    [KSP_STATUS] = {"Status", "ERROR_", 0, statuses, "The status of a call."},
    [KSP_STEPPER] = {"Stepper", "", 0, steppers, "The engine's stepper that is inspected."},
    [KSP_VALUE] = {"Value", "", 0, values, "The values of a reaction."},
    [KSP_FRAME] = {"Frame", "FRAME_", 0, frames, "The axes of a wrench."},
    [KSP_POINT] = {"Point", "POINT_", 0, points, "The reference point of a wrench's torque."},
    [KSP_VERDICT] = {"Verdict", "", 0, verdicts, "The result of the checks of a joint's reaction in a step."},
    [KSP_REASON] = {"Reason", "REASON_", 1, reasons, "Conditions that hold for a reaction."},
    [KSP_COMPUTE] = {"Compute", "COMPUTE_", 1, compute, "Values that are computed."},
    [KSP_CONTACTS] = {"Contacts", "CONTACTS_", 0, contacts,
                      "How the forces of contacts enter the equations of the joints."},
    [KSP_EXACT_CONTACTS] = {"ExactContacts", "EXACT_CONTACTS_", 0, exactContacts,
                            "How exact steps find contact forces."},
    [KSP_LATENCY] = {"Latency", "", 0, latencies, "When a step is inspected."},
    [KSP_PHYSICAL_SOURCE] = {"PhysicalSource", "FROM_", 0, sources,
                             "The source of the accelerations in a physical value."},
    [KSP_ROW_KIND] = {"RowKind", "ROW_", 0, rowKinds, "The purpose of a constraint row."},
    [KSP_ROW_PLACE] = {"RowPlace", "", 0, places, "The place of a row's multiplier within its bounds."},
    [KSP_WORK] = {"Work", "WORK_", 0, works, "Causes of a row's work."},
    [KSP_PHASE] = {"Phase", "PHASE_", 0, phases, "Phases of StepReport.seconds."},
    [KSP_ENERGY] = {"Energy", "ENERGY_", 0, energies, "Causes of a change of kinetic energy, StepReport.energy_of."},
    [KSP_LIMIT] = {"Limit", "LIMIT_", 0, limits, "The quantity that a limit applies to."},
    [KSP_THRESHOLD_FLAG] = {"ThresholdFlag", "THRESHOLD_", 1, thresholdFlags, "Flags of Inspector.on_threshold."},
    [KSP_THRESHOLD_PHASE] = {"ThresholdPhase", "THRESHOLD_", 0, thresholdPhases, "Why a threshold calls."},
    [KSP_TOUCH_PHASE] = {"TouchPhase", "TOUCH_", 0, touchPhases, "Why a touch calls."},
#ifdef KSP_HAVE_REPORT
    [KSP_REPORT_FORMAT] = {"ReportFormat", "REPORT_", 0, reportFormats, "The formats of a report."},
    [KSP_TRACE_FORMAT] = {"TraceFormat", "TRACE_", 0, traceFormats, "The formats of a trace."},
    [KSP_TRACE_LEVEL] = {"TraceLevel", "TRACE_", 0, traceLevels, "The contents of a trace."},
#endif
    [KSP_JOINT_TYPE] = {"JointType", "JOINT_", 0, jointTypes, "The engine's types of joints."},
};

static PyObject *class[KSP_ENUMS];

/* Creates the class of one enumeration by the functional interface of enum: IntEnum("Name",
 * {member: value}, module="kinetostat"). */
static PyObject *newClass(kspEnum which, PyObject *library)
{
    PyObject *members = PyDict_New();
    const size_t length = strlen(enumeration[which].prefix);
    for (const Member *member = enumeration[which].member; members && member->name; member++) {
        const char *name = member->name;
        if (!strncmp(name, enumeration[which].prefix, length))
            name += length;
        PyObject *value = PyLong_FromLongLong(member->value);
        if (!value || PyDict_SetItemString(members, name, value))
            Py_CLEAR(members);
        Py_XDECREF(value);
    }
    PyObject *base = PyObject_GetAttrString(library, enumeration[which].isFlags ? "IntFlag" : "IntEnum");
    PyObject *arguments = base && members ? Py_BuildValue("(sO)", enumeration[which].name, members) : NULL;
    PyObject *keywords = arguments ? Py_BuildValue("{ss}", "module", "kinetostat") : NULL;
    PyObject *result = keywords ? PyObject_Call(base, arguments, keywords) : NULL;
    PyObject *doc = result ? PyUnicode_FromString(enumeration[which].doc) : NULL;
    if (result && (!doc || PyObject_SetAttrString(result, "__doc__", doc)))
        Py_CLEAR(result);
    Py_XDECREF(doc);
    Py_XDECREF(members);
    Py_XDECREF(base);
    Py_XDECREF(arguments);
    Py_XDECREF(keywords);
    return result;
}

int kspAddConstants(PyObject *module)
{
    PyObject *library = PyImport_ImportModule("enum");
    int status = library ? 0 : -1;
    for (int i = 0; !status && i < KSP_ENUMS; i++) {
        if (!enumeration[i].name)
            continue;
        class[i] = newClass((kspEnum)i, library);
        status = class[i] ? PyModule_AddObjectRef(module, enumeration[i].name, class[i]) : -1;
        for (const Member *member = enumeration[i].member; !status && member->name; member++) {
            PyObject *value = PyObject_CallFunction(class[i], "L", member->value);
            status = value ? PyModule_AddObjectRef(module, member->name, value) : -1;
            Py_XDECREF(value);
        }
    }
    Py_XDECREF(library);
    return status;
}

const char *kspEnumName(kspEnum which)
{
    return enumeration[which].name;
}

PyObject *kspMember(kspEnum which, long long number)
{
    PyObject *member = class[which] ? PyObject_CallFunction(class[which], "L", number) : NULL;
    if (!member) {
        // a later library may have more members
        PyErr_Clear();
        member = PyLong_FromLongLong(number);
    }
    return member;
}
