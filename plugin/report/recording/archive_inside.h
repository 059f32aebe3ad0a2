/* archive_inside.h  Shared parts of the reader and the writer of an archive. */
#ifndef KSI_REPORT_RECORDING_ARCHIVE_INSIDE_H
#define KSI_REPORT_RECORDING_ARCHIVE_INSIDE_H

#include "archive.h"
#include "difference.h"

#include <hdf5.h>

/* A one-dimensional dataset, with the elements that wait to be written. */
typedef struct ksiArchiveColumn {
    hid_t set, type;
    size_t size;            /* size of an element, bytes */
    hsize_t written;        /* elements */
    char *waiting;          /* in a reader: all elements; not used in the column of records */
    size_t count, capacity; /* elements */
} ksiArchiveColumn;

enum { KSI_RECORDS, KSI_END, KSI_PROCESS, KSI_WORLD, KSI_CHECKSUM, KSI_PROGRAM, KSI_COLUMNS };

/* Elements in a chunk: KSI_CHUNK in the column of records, KSI_SHORT_CHUNK in most others. A reader
 * accepts chunks of up to KSI_MOST_CHUNK elements. With small chunks a fuzzer can fill many. */
#ifndef KSI_CHUNK_BITS
#define KSI_CHUNK_BITS 17
#define KSI_SHORT_CHUNK_BITS 12
#endif
enum { KSI_CHUNK = 1 << KSI_CHUNK_BITS, KSI_SHORT_CHUNK = 1 << KSI_SHORT_CHUNK_BITS, KSI_MOST_CHUNK = 1 << 20 };

struct ksiArchive {
    hid_t file;
    int handle;  /* HDF5's own descriptor of the file */
    int space;   /* a second descriptor of the file, to reserve disk space before HDF5 writes: HDF5
                    does not survive a failed write; -1 in a reader */
    bool isFull; /* the disk is full: nothing more is written */
    bool isBegun;
    int compression;
    char *error; /* the caller's `words` */
    char path[1024];
    ksiRun run;    /* the run, with the texts of the file */
    uint32_t head; /* checksum of the run and the names */
    char *names;   /* names of joints, or NULL */
    ksiArchiveColumn column[KSI_COLUMNS];
    size_t count, damaged; /* count: number of records in the file; damaged: number of omitted
                              records */
    unsigned programs;     /* number of processes whose program is in the file */
    uint64_t words;        /* number of words appended so far */
    size_t waiting;        /* number of records since the last flush */
    uint64_t *record;      /* a record as the file stores it */
    size_t recordCapacity;
    struct ksiPacker *packer; /* NULL: HDF5 packs the records itself */
    uint64_t packed, posted;  /* packed: number of chunks of records in the file; posted: number of
                                 chunks after these, which are being packed */
    hsize_t chunk, badChunk;  /* of the column of records. chunk: elements in a chunk; badChunk:
                                 index of the unreadable chunk found last, plus 1 */
    ksiDifferences differences;
};

/* Bits in the column of worlds: isDifference and isExpected of ksiWritten, and the number of the
 * world. */
#define KSI_DIFFERENCE_BIT (UINT32_C(1) << 31)
#define KSI_EXPECTED_BIT (UINT32_C(1) << 30)
#define KSI_WORLD_BITS (KSI_EXPECTED_BIT - 1)

extern const char *const ksiColumnNames[KSI_COLUMNS];

/* The type of a column's elements in memory. */
hid_t ksiColumnType(int which);

/* NULL: out of memory; `words` says so. */
ksiArchive *ksiArchiveMake(const char *path, char *words);

/* Writes the reason; returns false. */
bool ksiArchiveFail(const ksiArchive *archive, const char *what);

#endif
