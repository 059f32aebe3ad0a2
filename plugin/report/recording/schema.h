/* schema.h  Describes the fields of a record for programs that do not use this library. */
#ifndef KSI_REPORT_RECORDING_SCHEMA_H
#define KSI_REPORT_RECORDING_SCHEMA_H

/* Returns JSON, for free(). NULL: out of memory. */
char *ksiRecordSchema(void);

#endif
