/* causes_data.h  How far joints were apart, and where the kinetic energy of a world came from, as bytes: see data.c. */
#ifndef KSI_REPORT_RUNS_CAUSES_DATA_H
#define KSI_REPORT_RUNS_CAUSES_DATA_H

#include "../collect/causes.h"
#include "../files/stream.h"

void ksiStreamGap(ksiStream *s, ksiGap *gap);
void ksiStreamOpening(ksiStream *s, ksiOpening *opening);
void ksiStreamEnergy(ksiStream *s, ksiEnergyStats *energy);

#endif
