/* sizing.h  kinetostat size: sizes motors, bearings, pins and links from a trace or a recording. */
#ifndef KSI_COMMAND_FILES_SIZING_H
#define KSI_COMMAND_FILES_SIZING_H

/* Parses the command line from the word `size` on; returns the exit status. */
int ksiSizeCommand(int count, char *argument[]);

#endif
