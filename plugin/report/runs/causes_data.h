/* causes_data.h  Gaps of joints and causes of kinetic energy as bytes: see data.c. */
#ifndef KSI_REPORT_RUNS_CAUSES_DATA_H
#define KSI_REPORT_RUNS_CAUSES_DATA_H

#include "../collect/causes.h"
#include "../files/stream.h"

void ksiStreamGap(ksiStream *s, ksiGap *gap);
void ksiStreamOpening(ksiStream *s, ksiOpening *opening);
void ksiStreamEnergy(ksiStream *s, ksiEnergyStats *energy);

#endif
