/* inside_kit.h  The only places where tests look or reach into an inspector: for what no caller can see or do. A change of layout
 * changes these functions and nothing else. */
#ifndef INSIDE_KIT_H
#define INSIDE_KIT_H

#include "inspector/inspector.h"
#include "mechanics/system_private.h"

/* Its system, of which mechanics.h counts what it cost. */
static inline ksSystem *insideSystem(const ksInspector *inspector)
{
    return inspector->solver.system;
}

/* How often it was filled and then used: what a query costs that might have found the equations set up. */
static inline unsigned long insideUses(const ksInspector *inspector)
{
    return inspector->solver.system->patterns.clock;
}

#endif
