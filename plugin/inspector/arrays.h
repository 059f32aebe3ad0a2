/* arrays.h  Lists all arrays that are indexed by body or joint. Their memory is kept from step to
 * step. SEEN(type, place in ksInspector, name in ksiStep): phases see the array. OWN(place): phases
 * do not see it. PHYSICAL: as SEEN, but the array is empty without physical values. */
#ifndef KSI_INSPECTOR_ARRAYS_H
#define KSI_INSPECTOR_ARRAYS_H

/* By body, or by island: there are no more islands than bodies. */
#define KSI_BODY_ARRAYS(SEEN, OWN)                                                                                     \
    SEEN(ksiBodyInput, input.body, body)                                                                               \
    SEEN(ksiBodyReport, report.body, bodyReport)                                                                       \
    SEEN(ksiBodyMotion, motion.body, motion)                                                                           \
    SEEN(ksiBodyMember, islands.body, bodyMember)                                                                      \
    OWN(islands.bodyOf)                                                                                                \
    OWN(islands.node)                                                                                                  \
    SEEN(ksiIsland, islands.island, island)                                                                            \
    SEEN(ksiBodyConverged, converged.body, bodyConverged)                                                              \
    SEEN(ksiIslandConverged, converged.island, islandConverged)                                                        \
    SEEN(ksiIslandFree, converged.free.island, islandFree)                                                             \
    SEEN(ksiBodyEstimate, estimates.body, estimate)                                                                    \
    SEEN(ksiIslandPhysical, physical.island, islandPhysical)                                                           \
    SEEN(ksiIslandFree, physical.free.island, islandPhysicalFree)                                                      \
    SEEN(ksReasons, verdicts.momentumReasons, momentumReasons)                                                         \
    OWN(parent)                                                                                                        \
    OWN(adjacency.first)                                                                                               \
    OWN(published.firstOfBody)                                                                                         \
    OWN(adjacency.queue)                                                                                               \
    OWN(adjacency.mark)                                                                                                \
    OWN(means.turning)                                                                                                 \
    OWN(touches.ofBody)                                                                                                \
    OWN(refused)

/* The first two arrays are zero-initialised: published structs have members that stay zero. */
#define KSI_JOINT_ARRAYS(SEEN, OWN, PHYSICAL)                                                                          \
    OWN(published.row)                                                                                                 \
    OWN(published.reaction)                                                                                            \
    OWN(published.isFilled)                                                                                            \
    OWN(published.isHeard)                                                                                             \
    OWN(published.isAlive)                                                                                             \
    OWN(published.firstSubscription)                                                                                   \
    SEEN(ksiJointInput, input.joint, joint)                                                                            \
    SEEN(ksiJointFeedback, input.feedback, feedback)                                                                   \
    SEEN(ksiGivenReport, input.given, given)                                                                           \
    SEEN(bool, exact.isTaken, isTaken)                                                                                 \
    SEEN(bool, exact.isSwept, isSwept)                                                                                 \
    SEEN(ksiJointReport, report.joint, report)                                                                         \
    SEEN(ksiPlaces, report.places, reportPlaces)                                                                       \
    SEEN(ksiJointMember, islands.joint, member)                                                                        \
    OWN(islands.jointOf)                                                                                               \
    SEEN(ksiJointConverged, converged.joint, converged)                                                                \
    SEEN(ksiPlaces, converged.places, convergedPlaces)                                                                 \
    SEEN(ksiJointFree, converged.free.joint, free)                                                                     \
    SEEN(ksiJointPhysical, physical.joint, physical)                                                                   \
    PHYSICAL(ksiRunMean, physical.run, run)                                                                            \
    SEEN(ksiJointAcceleration, physical.acceleration, acceleration)                                                    \
    SEEN(ksiPlaces, physical.places, physicalPlaces)                                                                   \
    SEEN(ksiJointFree, physical.free.joint, physicalFree)                                                              \
    SEEN(ksiJointContact, contacts.joint, contact)                                                                     \
    SEEN(ksiPlaces, contacts.places, contactPlaces)                                                                    \
    SEEN(ksiJointVerdict, verdicts.joint, verdict)                                                                     \
    SEEN(ksiJointObserved, verdicts.observed, observed)                                                                \
    SEEN(ksiMeanRun, means.run, meanRun)                                                                               \
    OWN(memory.joint)                                                                                                  \
    SEEN(ksiJointLayout, layout, layout)                                                                               \
    OWN(queried)                                                                                                       \
    OWN(selection.at)                                                                                                  \
    OWN(adjacency.joint)                                                                                               \
    OWN(contactList)

#endif
