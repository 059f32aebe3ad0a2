/* options.c  Default options, by precision. */
#include "../inspector.h"
#include "../phases.h"

/* Options whose defaults depend on the precision: rounding, and ten times the engine's default
 * CFM. */
typedef struct Usual {
    double momentumTolerance, loadFloor, rigidCfm;
} Usual;
static const Usual usual[2] = {{1e-9, 1e-6, 1e-9}, {1e-5, 1e-4, 1e-4}};

void ksInspectorOptionsInit(ksInspectorOptions *options)
{
    if (!options)
        return;
    *options = (ksInspectorOptions){
        .size = sizeof *options,
        .tolerance = 1e-2,
        .momentumTolerance = usual[KSI_IS_SINGLE].momentumTolerance,
        .loadFloor = usual[KSI_IS_SINGLE].loadFloor,
        .rigidCfm = usual[KSI_IS_SINGLE].rigidCfm,
        .rankTolerance = 1e-4,
        .contactSweeps = 40,
        .frictionRounds = 20,
        .exactContactRows = 400,
        .searchRounds = 64,
        .relaxedPerStep = 1,
        .meanWindow = 0.15,
        .alertMask = 1u << KS_SOLVER_ERROR | 1u << KS_UNEXPLAINED,
        .values = KS_COMPUTE_CONVERGED | KS_COMPUTE_PHYSICAL,
    };
}

/* If an engine of single precision made the steps, these options are at least the defaults of
 * single precision. */
void ksiMindPrecision(ksInspector *inspector)
{
    ksInspectorOptions *options = &inspector->step.options;
    inspector->step.isSingle = KSI_IS_SINGLE || inspector->input.anySingle;
    if (KSI_IS_SINGLE || !inspector->step.isSingle)
        return;
    options->momentumTolerance = ksiLarger(options->momentumTolerance, usual[1].momentumTolerance);
    options->loadFloor = ksiLarger(options->loadFloor, usual[1].loadFloor);
    options->rigidCfm = ksiLarger(options->rigidCfm, usual[1].rigidCfm);
}
