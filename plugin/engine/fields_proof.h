/* fields_proof.h  Expected fields of a joint in a known pose, for the tables of fields.c. */
#ifndef KSI_ENGINE_FIELDS_PROOF_H
#define KSI_ENGINE_FIELDS_PROOF_H

/* The vector `which` in the axes of `body`: 0 is the first body, 1 the second, 2 the world. */
#define KSI_PROOF(which, body) (3 * (which) + (body))

enum {
    KSI_POINT, /* the first point of the pose; KSI_SECOND: its second point */
    KSI_SECOND,
    KSI_FIRST_CENTRE,
    KSI_X, /* directions of the pose */
    KSI_Y,
    KSI_Z,
    KSI_MINUS_Z,
    KSI_BETWEEN, /* vector from the second body's centre to the first's */
    KSI_ARM1,    /* unit vector from the first wheel's anchor to the meshing point; KSI_ARM2: from
                    the second wheel's anchor */
    KSI_ARM2,
    KSI_ACROSS1, /* cross product of x and the first wheel's arm; KSI_ACROSS2: of x and the second
                    wheel's arm */
    KSI_ACROSS2
};

/* Numbers in a joint's memory that the proof can predict. */
enum {
    KSI_ZERO,
    KSI_ONE,
    KSI_TWO,
    KSI_THREE,
    KSI_MODE,
    KSI_DISTANCE, /* distance between the two points of the pose */
    KSI_BACKLASH,
    KSI_RATIO,
    KSI_ANGLE1, /* angles of an angular motor */
    KSI_ANGLE2,
    KSI_ANGLE3,
    KSI_PHASE1, /* phases of wheels */
    KSI_PHASE2,
    KSI_RADIUS1,
    KSI_RADIUS2
};

#endif
