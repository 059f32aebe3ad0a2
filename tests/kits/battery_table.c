/* battery_table.c  Coverage of a battery: joint-steps by type, attachment and effect. */
#include "tests/kits/battery_kit.h"

enum { WIDTH = 8 };

static const char *const effectName[BATTERY_EFFECTS] = {
    "motor",    "stop",   "fudge",  "bounce",   "soft",     "friction", "sliding",  "rolling",  "user f", "gyro",
    "weight 0", "damped", "capped", "finite r", "kinemat.", "group",    "ERP, CFM", "redund.",  "reset",  "woken",
    "mu 0",     "mu inf", "mu N",   "mu2",      "fdir1",    "slip",     "motion",   "soft erp", "touch 0"};

static bool hasUserForce(const ksiBody *body)
{
    double left[6];
    for (int k = 0; k < 3; k++) {
        left[k] = body->force[k] - body->gravity[k];
        left[3 + k] = body->force[3 + k] - body->gyroscopic[k];
    }
    // forces are added and subtracted, which leaves rounding
    return ksiDot(left, left) + ksiDot(left + 3, left + 3) > 1e-6;
}

static unsigned bodyEffects(const ksiBody *body)
{
    if (body->kinematic)
        return 1u << BATTERY_KINEMATIC;
    return (hasUserForce(body) ? 1u << BATTERY_USER_FORCE : 0) |
           (ksiDot(body->gyroscopic, body->gyroscopic) > 0 ? 1u << BATTERY_GYROSCOPIC : 0) |
           (ksiDot(body->gravity, body->gravity) == 0 ? 1u << BATTERY_WEIGHTLESS : 0) |
           (body->linearDamping + body->angularDamping > 0 ? 1u << BATTERY_DAMPED : 0) |
           (body->finiteRotation ? 1u << BATTERY_FINITE_ROTATION : 0) | (body->enabled ? 0 : 1u << BATTERY_WOKEN);
}

/* An axis with a motor but without a motor's row is at its stop, where the engine applies the
 * motor's force itself. */
static unsigned axisEffects(const ksReaction *r)
{
    int motors = 0, stops = 0, powered = 0, bouncing = 0;
    for (int l = 0; l < r->rowCount; l++) {
        motors += r->row[l].kind == KS_ROW_MOTOR;
        stops += r->row[l].kind == KS_ROW_STOP;
    }
    for (int axis = 0; axis < ksiAxisCount(r->joint); axis++) {
        powered += ksiGetAxis(r->joint, axis, dParamFMax) > 0;
        bouncing += ksiGetAxis(r->joint, axis, dParamBounce) > 0;
    }
    return (motors ? 1u << BATTERY_MOTOR : 0) | (stops ? 1u << BATTERY_STOP : 0) |
           (stops && powered > motors ? 1u << BATTERY_FUDGE : 0) | (stops && bouncing ? 1u << BATTERY_BOUNCE : 0);
}

static unsigned contactEffects(const BatteryWorld *battery, const ksReaction *r)
{
    unsigned effects = 0;
    for (int i = 0; i < battery->contactCount; i++) {
        if (battery->contact[i] != r->joint)
            continue;
        const dSurfaceParameters *s = &battery->surface[i];
        const int slips = dContactSlip1 | dContactSlip2;
        const int motions = dContactMotion1 | dContactMotion2 | dContactMotionN;
        effects =
            (s->mode & dContactBounce ? 1u << BATTERY_BOUNCE : 0) | (s->mode & dContactMu2 ? 1u << BATTERY_MU2 : 0) |
            (s->mode & dContactFDir1 ? 1u << BATTERY_FDIR1 : 0) | (s->mode & slips ? 1u << BATTERY_SLIP : 0) |
            (s->mode & motions ? 1u << BATTERY_MOTION : 0) | (s->mode & dContactSoftERP ? 1u << BATTERY_SOFT_ERP : 0) |
            (s->mode & dContactSoftCFM ? 1u << BATTERY_SOFT : 0) |
            (s->mode & dContactApprox1 ? 1u << BATTERY_MU_N : 0) |
            (s->mu == dInfinity ? 1u << BATTERY_MU_INFINITE : 0) | (s->mu == 0 ? 1u << BATTERY_MU_0 : 0);
    }
    for (int l = 0; l < r->rowCount; l++) {
        const ksRow *row = &r->row[l];
        if (row->kind == KS_ROW_NORMAL)
            effects |= row->place == KS_AT_LOW ? 1u << BATTERY_TOUCH_0 : 0;
        else
            effects |= 1u << (row->kind == KS_ROW_FRICTION ? BATTERY_FRICTION : BATTERY_ROLLING) |
                       (row->place != KS_INSIDE ? 1u << BATTERY_SLIDING : 0);
    }
    return effects;
}

void batteryCount(BatteryTable *table, const BatteryScale *scale, const ksReaction *r)
{
    const BatteryWorld *battery = scale->battery;
    unsigned effects = r->type == dJointTypeContact ? contactEffects(battery, r) : axisEffects(r);
    for (int i = 0; i < battery->bodyCount; i++) {
        if (battery->body[i] == r->body[0] || battery->body[i] == r->body[1])
            effects |= bodyEffects(&scale->body[i]);
    }
    for (int i = 0; i < battery->jointCount; i++)
        effects |= battery->joint[i] == r->joint && battery->grouped[i] ? 1u << BATTERY_GROUP : 0;
    effects |= (r->reasons & KS_REASON_SOFT ? 1u << BATTERY_SOFT : 0) |
               (r->reasons & KS_REASON_SPEED_CAP ? 1u << BATTERY_SPEED_CAP : 0) |
               (r->reasons & KS_REASON_REDUNDANT ? 1u << BATTERY_REDUNDANT : 0) |
               (r->reasons & KS_REASON_RESET ? 1u << BATTERY_RESET : 0) |
               (battery->step >= BATTERY_CHANGE ? 1u << BATTERY_CHANGED_WORLD : 0);
    table->seen[r->type][batteryAttachment(r->joint)]++;
    for (int e = 0; e < BATTERY_EFFECTS; e++)
        table->effect[r->type][e] += effects >> e & 1;
}

void batteryPrintTable(const BatteryTable *table)
{
    static const char *const attachmentName[ATTACHMENTS] = {"(a, b)", "(a, 0)", "(0, b)"};
    const int columns = ATTACHMENTS + BATTERY_EFFECTS, half = (columns + 1) / 2;
    for (int part = 0; part < 2; part++) {
        printf("%12s", "");
        for (int c = part * half; c < columns && c < (part + 1) * half; c++)
            printf(" %*s", WIDTH, c < ATTACHMENTS ? attachmentName[c] : effectName[c - ATTACHMENTS]);
        printf("\n");
        for (int type = 1; type < KSI_JOINT_TYPES; type++) {
            printf("%12s", batteryTypeName(type));
            for (int c = part * half; c < columns && c < (part + 1) * half; c++)
                printf(" %*lu", WIDTH, c < ATTACHMENTS ? table->seen[type][c] : table->effect[type][c - ATTACHMENTS]);
            printf("\n");
        }
    }
}

void batteryCheckCoverage(const BatteryTable *table)
{
    enum { SEEN_ENOUGH = 60 };
    for (int type = 1; type < KSI_JOINT_TYPES; type++) {
        const bool both = type == dJointTypeHinge2 || type == dJointTypeTransmission || type == dJointTypeContact;
        for (int attachment = 0; attachment < (both ? 1 : ATTACHMENTS); attachment++) {
            if (type != dJointTypeNull)
                ck_assert_msg(table->seen[type][attachment] > SEEN_ENOUGH, "%s, attachment %d: %lu",
                              batteryTypeName(type), attachment, table->seen[type][attachment]);
        }
    }
    for (int e = 0; e < BATTERY_EFFECTS; e++) {
        unsigned long seen = 0;
        if (e == BATTERY_REDUNDANT)
            continue;
        for (int type = 1; type < KSI_JOINT_TYPES; type++) {
            const bool any = e >= BATTERY_USER_FORCE && e <= BATTERY_WOKEN && type != dJointTypeNull;
            if (any && !(e == BATTERY_GROUP && type == dJointTypeContact))
                ck_assert_msg(table->effect[type][e] > 0, "%s, effect %d", batteryTypeName(type), e);
            seen += table->effect[type][e];
        }
        ck_assert_msg(seen > SEEN_ENOUGH, "effect %d: %lu", e, seen);
    }
}
