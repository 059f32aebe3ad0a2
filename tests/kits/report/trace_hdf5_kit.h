/* trace_hdf5_kit.h  Reads traces as HDF5 by HDF5's own calls, and compares them with a record. */
#ifndef TESTS_KITS_REPORT_TRACE_HDF5_KIT_H
#define TESTS_KITS_REPORT_TRACE_HDF5_KIT_H

#include "tests/kits/report/trace_kit.h"

#include <hdf5.h>

static inline hid_t openTrace(const char *path, bool isWritten)
{
    const hid_t file = H5Fopen(path, isWritten ? H5F_ACC_RDONLY | H5F_ACC_SWMR_READ : H5F_ACC_RDONLY, H5P_DEFAULT);
    ck_assert_msg(file >= 0, "%s cannot be opened", path);
    return file;
}

static inline size_t lineCount(hid_t file, const char *column)
{
    const hid_t set = H5Dopen2(file, column, H5P_DEFAULT), space = H5Dget_space(set);
    hsize_t extent[2] = {0, 0};
    H5Sget_simple_extent_dims(space, extent, NULL);
    H5Sclose(space);
    H5Dclose(set);
    return (size_t)extent[0];
}

/* Reads a column as doubles or as integers; the caller frees it. */
static inline void *readColumn(hid_t file, const char *column, hid_t type)
{
    const hid_t set = H5Dopen2(file, column, H5P_DEFAULT), space = H5Dget_space(set);
    ck_assert_msg(set >= 0, "no %s", column);
    void *data = calloc((size_t)H5Sget_simple_extent_npoints(space) + 1, H5Tget_size(type));
    ck_assert_int_ge(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), 0);
    H5Sclose(space);
    H5Dclose(set);
    return data;
}

static inline double *reals(hid_t file, const char *column)
{
    return readColumn(file, column, H5T_NATIVE_DOUBLE);
}

static inline int64_t *integers(hid_t file, const char *column)
{
    return readColumn(file, column, H5T_NATIVE_INT64);
}

enum { NAME = 128 };

static inline char *names(hid_t file, const char *column)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, NAME);
    H5Tset_cset(type, H5T_CSET_UTF8);
    char *data = readColumn(file, column, type);
    H5Tclose(type);
    return data;
}

static inline void checkColumn(hid_t file, const char *name, const Record *wanted, size_t lines, size_t offset,
                               size_t width)
{
    char column[64];
    snprintf(column, sizeof column, "/world1/reactions/%s", name);
    ck_assert_uint_ge(lineCount(file, column), lines);
    double *found = reals(file, column);
    for (size_t i = 0; i < lines; i++)
        for (size_t k = 0; k < width; k++) {
            double value;
            memcpy(&value, (const char *)&wanted->reaction[i] + offset + k * sizeof value, sizeof value);
            ck_assert_msg(memcmp(&found[width * i + k], &value, sizeof value) == 0, "%s, line %zu: %.17g is not %.17g",
                          name, i, found[width * i + k], value);
        }
    free(found);
}

/* Compares the first lines of the file with the record. */
static inline void checkLines(hid_t file, const Record *wanted, size_t lines)
{
#define CHECK_COLUMN(name, member, width) checkColumn(file, name, wanted, lines, offsetof(ksReaction, member), width)
    CHECK_COLUMN("time", time, 1);
    CHECK_COLUMN("error", error, 1);
    CHECK_COLUMN("error_bar", errorBar, 1);
    CHECK_COLUMN("physical_error", physicalError, 1);
    CHECK_COLUMN("physical_error_bar", physicalErrorBar, 1);
    CHECK_COLUMN("net_error", netError, 2);
    CHECK_COLUMN("engine_force", engine[0].force, 3);
    CHECK_COLUMN("engine_torque", engine[0].torque, 3);
    CHECK_COLUMN("converged_force", converged[0].force, 3);
    CHECK_COLUMN("converged_torque", converged[0].torque, 3);
    CHECK_COLUMN("physical_force", physical[0].force, 3);
    CHECK_COLUMN("physical_torque", physical[0].torque, 3);
    CHECK_COLUMN("mean_force", mean[0].force, 3);
    CHECK_COLUMN("mean_torque", mean[0].torque, 3);
    CHECK_COLUMN("mean_time", meanTime, 1);
    CHECK_COLUMN("load_noise", loadNoise, 1);
    CHECK_COLUMN("joint_mean_force", meanInJoint[0].force, 3);
    CHECK_COLUMN("joint_mean_torque", meanInJoint[0].torque, 3);
    CHECK_COLUMN("anchor", anchor, 6);
    int64_t *verdict = integers(file, "/world1/reactions/verdict"),
            *reasons = integers(file, "/world1/reactions/reasons"), *joint = integers(file, "/world1/reactions/joint"),
            *step = integers(file, "/world1/reactions/step");
    char *name = names(file, "/world1/joints/name");
    const size_t joints = lineCount(file, "/world1/joints/name");
    for (size_t i = 0; i < lines; i++) {
        ck_assert_int_eq(verdict[i], (int)wanted->reaction[i].verdict);
        ck_assert_uint_eq((ksReasons)reasons[i], wanted->reaction[i].reasons);
        ck_assert_uint_eq((unsigned long)step[i], wanted->reaction[i].step);
        ck_assert_uint_lt((size_t)joint[i], joints);
        ck_assert_str_eq(name + NAME * joint[i], wanted->name[i]);
    }
    free(verdict);
    free(reasons);
    free(joint);
    free(step);
    free(name);
}

static inline void checkSteps(hid_t file, const Record *wanted, size_t steps)
{
    double *energy = reals(file, "/world1/steps/kinetic_energy"),
           *residual = reals(file, "/world1/steps/momentum_residual");
    int64_t *first = integers(file, "/world1/steps/first"), *count = integers(file, "/world1/steps/count"),
            *verdicts = integers(file, "/world1/steps/verdict_count");
    double *size = reals(file, "/world1/steps/step_size");
    for (size_t i = 0; i < steps; i++) {
        ck_assert(sameReal(size[i], stepSize));
        ck_assert(sameReal(energy[2 * i + 1], wanted->report[i].kineticEnergy[1]));
        ck_assert(sameReal(residual[i], wanted->report[i].momentumResidual));
        ck_assert_uint_eq((size_t)first[i], wanted->first[i]);
        ck_assert_uint_eq((size_t)count[i], wanted->report[i].reactionCount);
        ck_assert_uint_eq((size_t)verdicts[6 * i + KS_VALID], wanted->report[i].verdictCount[KS_VALID]);
    }
    free(size);
    free(energy);
    free(residual);
    free(first);
    free(count);
    free(verdicts);
}

#endif
