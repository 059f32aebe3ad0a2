/* seat.c  The system that islands are solved in, one after the other: it finds the pattern of each by itself and keeps it. What
 * one mechanism leaves for its next step stays with its island. */
#include "inspector_private.h"

ksStatus ksiReserveSeats(ksInspector *inspector)
{
    const size_t count = inspector->islandCount;
    ksStatus status =
        ksiReserve(&inspector->allocator, &inspector->seat, &inspector->seatCapacity, count, sizeof *inspector->seat);
    for (; !status && inspector->seatCount < count; inspector->seatCount++)
        inspector->seat[inspector->seatCount] = (ksiSeat){0};
    return status;
}

ksStatus ksiTakeSeat(ksInspector *inspector, int index)
{
    ksiSeat *seat = &inspector->seat[index];
    ksStatus status = KS_OK;
    if (!inspector->system)
        status = ksiSystemCreate(&inspector->allocator, &inspector->system);
    if (!status && !seat->warm)
        status = ksiWarmStartCreate(&inspector->allocator, &seat->warm);
    if (status)
        return status;
    inspector->inSystem = index;
    ksiSystemSetWarmStart(inspector->system, seat->warm);
    return KS_OK;
}

ksSystem *ksiIslandSystem(const ksInspector *inspector, int index)
{
    (void)index;
    return inspector->system;
}

bool ksiStands(const ksInspector *inspector, int index)
{
    return inspector->island[index].built && inspector->inSystem == index;
}
