/* archive_inside.h  Shared parts of the reader and the writer of an archive. */
#ifndef KSI_REPORT_RECORDING_ARCHIVE_INSIDE_H
#define KSI_REPORT_RECORDING_ARCHIVE_INSIDE_H

#include "archive.h"
#include "difference.h"

#include <hdf5.h>

/* A dataset in one dimension, with what waits to be written. */
typedef struct ksiArchiveColumn {
    hid_t set, type;
    size_t size;            /* of an element */
    hsize_t written;        /* elements */
    char *waiting;          /* when it is read: all, but of the records */
    size_t count, capacity; /* elements */
} ksiArchiveColumn;

enum { KSI_RECORDS, KSI_END, KSI_PROCESS, KSI_WORLD, KSI_CHECKSUM, KSI_PROGRAM, KSI_COLUMNS };

/* Elements of a column that are stored together. A reader accepts other sizes up to KSI_MOST_CHUNK; with small ones a fuzzer fills many. */
#ifndef KSI_CHUNK_BITS
#define KSI_CHUNK_BITS 17
#define KSI_SHORT_CHUNK_BITS 12
#endif
enum { KSI_CHUNK = 1 << KSI_CHUNK_BITS, KSI_SHORT_CHUNK = 1 << KSI_SHORT_CHUNK_BITS, KSI_MOST_CHUNK = 1 << 20 };

struct ksiArchive {
    hid_t file;
    int handle; /* HDF5's own, of it */
    int space; /* the file itself, to reserve room on the disk: HDF5 does not survive a failed write; -1 when it is read */
    bool isFull; /* nothing more is written */
    bool isBegun;
    int compression;
    char *error; /* the caller's */
    char path[1024];
    ksiRun run;    /* its texts, as they are in the file */
    uint32_t head; /* their checksum */
    char *names;   /* or NULL */
    ksiArchiveColumn column[KSI_COLUMNS];
    size_t count, damaged; /* records in the file, and those of them that were left out */
    unsigned programs;     /* of processes, that are there */
    uint64_t words;        /* appended */
    size_t waiting;        /* records, since the last flush */
    uint64_t *record;      /* as it is in the file */
    size_t recordCapacity;
    struct ksiPacker *packer; /* NULL: HDF5 packs the records by itself */
    uint64_t packed, posted;  /* chunks of records that are in the file, and that are being packed behind these */
    hsize_t chunk, badChunk;  /* of the column of records: elements, and the last one that cannot be read, plus 1 */
    ksiDifferences differences;
};

/* In the column of worlds. */
#define KSI_DIFFERENCE_BIT (UINT32_C(1) << 31)
#define KSI_EXPECTED_BIT (UINT32_C(1) << 30)
#define KSI_WORLD_BITS (KSI_EXPECTED_BIT - 1)

extern const char *const ksiColumnNames[KSI_COLUMNS];

/* Native, in memory. */
hid_t ksiColumnType(int which);

/* NULL: out of memory, and the words say so. */
ksiArchive *ksiArchiveMake(const char *path, char *words);

/* Says why. false */
bool ksiArchiveFail(const ksiArchive *archive, const char *what);

#endif
