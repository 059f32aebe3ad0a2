/* traps.h  Surprising uses of the engine that steps do not reveal: the wrapper detects them in the
 * program. */
#ifndef KSI_REPORT_COLLECT_TRAPS_H
#define KSI_REPORT_COLLECT_TRAPS_H

/* Bits of ksiRun::traps. Recordings store them, so a new one comes last. */
enum {
    KSI_TRAP_PISTON_FORCE,
    KSI_TRAP_SLIDE_RATE,
    KSI_TRAP_EULER_ANGLE,
    KSI_TRAP_MESH_INERTIA,
    KSI_TRAP_MESH_DEPTH,
    KSI_TRAP_MOTION_ORDER,
    KSI_TRAP_NORMAL_MOTION,
    KSI_TRAP_SLEEP,
    KSI_TRAP_REVERSED_TORQUE,
    KSI_TRAP_ANGLE_RATE,
    KSI_TRAP_GEAR_ANGLE,
    KSI_TRAP_NO_STOP,
    KSI_TRAP_OFFSET,
    KSI_TRAP_MESH_NORMAL,
    KSI_TRAP_PLANE2D_BODIES,
    KSI_TRAP_EXPORT,
    KSI_TRAP_RELAXATION,
    KSI_TRAPS
};

/* The name, such as "piston-force", and a text about the engine's behaviour with a remedy. */
const char *ksiTrapName(int trap);
const char *ksiTrapWords(int trap);

#endif
