/* schema.h  The fields of a record, for programs that know nothing of this library. */
#ifndef KSI_REPORT_RECORDING_SCHEMA_H
#define KSI_REPORT_RECORDING_SCHEMA_H

/* JSON; for free(). NULL: out of memory. */
char *ksiRecordSchema(void);

#endif
