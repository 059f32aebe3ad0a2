/* metrics_data.h  Quantities of a report as bytes: see data.c. */
#ifndef KSI_REPORT_RUNS_METRICS_DATA_H
#define KSI_REPORT_RUNS_METRICS_DATA_H

#include "../collect/metrics.h"
#include "../files/stream.h"

void ksiStreamMetrics(ksiStream *s, const ksiMetrics *metrics, void *structure);
void ksiStreamEntries(ksiStream *s, const ksiMetrics *metrics, ksiByIterations *list);
void ksiStreamEnergy(ksiStream *s, ksiEnergyStats *energy);

#endif
