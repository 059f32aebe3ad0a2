/* layout.h  The layout of the library's structures. One list of a structure's fields yields its
 * attributes, keywords, buffers and documentation. */
#ifndef PYTHON_NATIVE_LAYOUT_H
#define PYTHON_NATIVE_LAYOUT_H

#include <stddef.h>

/** The enumerations, in the order of constants.c. */
typedef enum kspEnum {
    KSP_NO_ENUM,
    KSP_STATUS,
    KSP_STEPPER,
    KSP_VALUE,
    KSP_FRAME,
    KSP_POINT,
    KSP_VERDICT,
    KSP_REASON,
    KSP_COMPUTE,
    KSP_CONTACTS,
    KSP_EXACT_CONTACTS,
    KSP_LATENCY,
    KSP_PHYSICAL_SOURCE,
    KSP_ROW_KIND,
    KSP_ROW_PLACE,
    KSP_WORK,
    KSP_PHASE,
    KSP_ENERGY,
    KSP_LIMIT,
    KSP_THRESHOLD_FLAG,
    KSP_THRESHOLD_PHASE,
    KSP_TOUCH_PHASE,
    KSP_REPORT_FORMAT,
    KSP_TRACE_FORMAT,
    KSP_TRACE_LEVEL,
    KSP_JOINT_TYPE,
    KSP_ENUMS
} kspEnum;

typedef struct kspLayout kspLayout;

/** One field. */
typedef struct kspField {
    const char *name; /**< in C; kspFieldName gives the name in Python */
    size_t offset;
    char kind; /**< d, i, I, Q: numbers, as in the module struct; J, B: joint, body; s: a structure; z: text */
    int dimensions;
    size_t shape[2];
    kspEnum members;        /**< the enumeration of a number; KSP_NO_ENUM: none */
    const kspLayout *inner; /**< layout of a structure */
    const char *doc;
} kspField;

/** One structure, or a number, which has no fields. */
struct kspLayout {
    const char *name; /**< in Python */
    const char *doc;
    size_t size;
    const kspField *field; /**< ends with a field without a name */
    const char *number;    /**< the format of a number; NULL: a structure */
    void (*init)(void *);  /**< sets the defaults; NULL: zeros */
    int isGiven;           /**< 1: the host creates it from keywords; 0: the library creates it */
};

extern const kspLayout kspReactionLayout, kspMotorLayout, kspRowLayout, kspWrenchLayout, kspStepReportLayout,
    kspEngineStepLayout, kspOptionsLayout, kspThresholdLayout, kspThresholdEventLayout, kspTouchLayout, kspSensorLayout,
    kspWrenchTermLayout, kspWrenchSumLayout, kspMeanLayout, kspPairLayout, kspNetWrenchLayout, kspBodyProbeLayout,
    kspBlowLayout, kspJointImpactLayout, kspJointAfterLayout, kspBodyImpactLayout, kspImpactLayout, kspRelaxationLayout,
    kspGaussMeasureLayout, kspImpulseLayout, kspReportOptionsLayout, kspReportLimitLayout, kspTraceOptionsLayout,
    kspRecordingOptionsLayout, kspDoubleLayout, kspIntLayout;

/** The name as a keyword or an attribute: relaxedPerStep is relaxed_per_step. Valid until the
 *  process ends; NULL: no memory. */
const char *kspFieldName(const kspField *field);

/** The format of PEP 3118, T{...} with explicit padding, or the format of a number. Valid until the
 *  process ends; NULL: no memory. */
const char *kspFormat(const kspLayout *layout);

/** The documentation: an introduction, and a line for each field. The caller frees it; NULL: no
 *  memory. */
char *kspDescribe(const char *words, const kspLayout *layout);

#endif
