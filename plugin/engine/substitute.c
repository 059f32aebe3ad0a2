/* substitute.c  Makes a step of the engine in which specified forces replace the joints.
 *
 * During the step, every joint of a known class has a virtual table of the library: a copy of its
 * class's table with another getInfo1. When the engine first calls getInfo1, it has put idle bodies
 * to sleep and formed all islands, but has not yet summed the applied forces. Forces that are added
 * at this time move the bodies as the engine's own multipliers would. The replaced joints report no
 * rows. All other effects of the engine on a body remain.
 *
 * The step runs on the calling thread. Before the first call of getInfo1, the engine may already
 * have stepped islands without joints and called their moved callbacks. */
#include "layout.h"
#include "rows.h"

/* Numbers of entries in a table. The run-time type and an offset precede the address of the table;
 * the destructors and the other slots follow it. */
enum { BEFORE = 2, SLOTS = KSI_SLOT_RE_ANCHOR + 1 };

typedef struct ksiSubstitution Step;

typedef struct Table {
    const void *entry[BEFORE + SLOTS];
    const void *own; /* the class's own table; NULL: no joint of the class was seen yet */
    Step *step;
} Table;

struct ksiSubstitution {
    const ksiEngine *engine; /* NULL: nothing is substituted */
    double h;
    ksiTakesOver *takesOver;
    void *user;
    ksiThreadingFields threading; /* the world's own threading */
    Table table[KSI_JOINT_TYPES];
};
const size_t ksiSubstitutionBytes = sizeof(Step);

static Table *tableOf(dJointID joint)
{
    return (Table *)(void *)((char *)(uintptr_t)ksiVirtualTable(joint) - offsetof(Table, entry[BEFORE]));
}

/* Reads the rows of a transmission, only because the engine then counts the turns of its wheels. */
static void keepPhase(const Step *step, dJointID joint, int count)
{
    ksiRows rows;
    int findex[KSI_ROW_ROOM];
    if (dJointGetType(joint) == dJointTypeTransmission)
        ksiCallGetInfo2(joint, 1 / step->h, dWorldGetERP(step->engine->world), 0, count, &rows, findex);
}

static void countRows(dJointID joint, ksiInfo1 *info)
{
    const Table *table = tableOf(joint);
    ksiGetInfo1 *count;
    memcpy(&count, (const char *)table->own + KSI_SLOT_GET_INFO1 * sizeof count, sizeof count);
    count(joint, info);  // also finds the reached stops
    if (!table->step->takesOver(table->step->user, joint))
        return;
    keepPhase(table->step, joint, info->rows);
    info->rows = info->unbounded = 0;
}

static void substitute(Step *step, dJointID joint, int type)
{
    Table *table = &step->table[type];
    if (!table->own) {
        ksiGetInfo1 *function = countRows;
        table->own = ksiVirtualTable(joint);
        table->step = step;
        memcpy(table->entry, (const char *)table->own - BEFORE * sizeof *table->entry, sizeof table->entry);
        memcpy(&table->entry[BEFORE + KSI_SLOT_GET_INFO1], &function, sizeof function);
    }
    ksiSetVirtualTable(joint, &table->entry[BEFORE]);
}

/* Restores the joints that still exist: a moved callback may have destroyed or made joints. */
void ksiEndSubstitution(ksiSubstitution *step)
{
    if (!step || !step->engine)
        return;
    for (dJointID j = ksiFirstJoint(step->engine); j; j = ksiNextJoint(j))
        for (int type = 0; type < KSI_JOINT_TYPES; type++)
            if (ksiVirtualTable(j) == &step->table[type].entry[BEFORE])
                ksiSetVirtualTable(j, step->table[type].own);
    if (step->threading.functions)
        ksiSetThreading(step->engine->world, step->threading.functions, step->threading.implementation);
    ksiEndExact();
    step->engine = NULL;
}

int ksiCanSubstitute(const ksiEngine *engine)
{
    return engine->threading && engine->tagged;
}

int ksiStepSubstituted(const ksiEngine *engine, double h, ksiTakesOver *takesOver, void *user, ksiSubstitution *room)
{
    *room = (Step){.engine = engine,
                   .h = h,
                   .takesOver = takesOver,
                   .user = user,
                   .threading = *ksiThreadingBefore(engine->bodyHead)};
    ksiBeginExact(engine->world, h);
    for (dJointID j = ksiFirstJoint(engine); j; j = ksiNextJoint(j)) {
        const int type = ksiKnownType(engine, j);
        if (type)
            substitute(room, j, type);
    }
    const int stepped =
        room->threading.functions ? ksiStepAlone(engine->world, KS_QUICK_STEP, h) : dWorldQuickStep(engine->world, h);
    ksiEndSubstitution(room);
    return stepped;
}

ksStatus ksiReadRowsNow(const ksiEngine *engine, dJointID joint, double h, ksiRows *out)
{
    const void *ours = ksiVirtualTable(joint);
    ksiSetVirtualTable(joint, tableOf(joint)->own);
    const ksStatus status = ksiReadRows(engine, joint, KS_QUICK_STEP, h, out);
    ksiSetVirtualTable(joint, ours);
    return status;
}

int ksiIsInIsland(dJointID joint)
{
    return ksiFieldsOfObject(joint)->tag > 0;
}

void ksiAddWrench(dBodyID body, const double wrench[6])
{
    dBodyAddForce(body, wrench[0], wrench[1], wrench[2]);
    dBodyAddTorque(body, wrench[3], wrench[4], wrench[5]);
}
