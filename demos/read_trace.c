/* read_trace.c  Reads a trace (ksTraceCreate, HDF5): for each joint the number of its steps, and
 *     its largest error.
 *
 *     cc read_trace.c $(pkg-config --cflags --libs hdf5) && ./a.out arm.h5 */
#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 128 };

/* Reads a column, with room for one more number; NULL: unreadable. */
static void *readColumn(hid_t world, const char *name, hid_t type, size_t *lines)
{
    hid_t column = H5Dopen2(world, name, H5P_DEFAULT);
    if (column < 0)
        return NULL;
    hid_t space = H5Dget_space(column);
    size_t count = (size_t)H5Sget_simple_extent_npoints(space), size = H5Tget_size(type);
    void *data = calloc(count + 1, size);
    if (data && H5Dread(column, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) {
        free(data);
        data = NULL;
    }
    H5Sclose(space);
    H5Dclose(column);
    *lines = count;
    return data;
}

static void printJoints(const char *name, size_t joints, const int64_t *joint, const double *error, size_t lines)
{
    for (size_t j = 0; j < joints; j++) {
        size_t steps = 0;
        double largest = 0;
        for (size_t i = 0; i < lines; i++) {
            if (joint[i] != (int64_t)j)
                continue;
            steps++;
            if (error[i] > largest)  // false for NaN, unknown
                largest = error[i];
        }
        printf("  %s: %zu steps, error up to %.3g %%\n", name + NAME * j, steps, 100 * largest);
    }
}

/* Prints a world's group. Each line of the table reactions has the number of a line of the table
 * joints. */
static int printWorld(hid_t file, const char *place)
{
    hid_t world = H5Gopen2(file, place, H5P_DEFAULT), text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, NAME);
    H5Tset_cset(text, H5T_CSET_UTF8);
    size_t joints, steps, lines;
    char *name = readColumn(world, "joints/name", text, &joints);
    int64_t *first = readColumn(world, "steps/first", H5T_NATIVE_INT64, &steps);
    int64_t *count = readColumn(world, "steps/count", H5T_NATIVE_INT64, &steps);
    int64_t *joint = readColumn(world, "reactions/joint", H5T_NATIVE_INT64, &lines);
    double *error = readColumn(world, "reactions/error", H5T_NATIVE_DOUBLE, &lines);
    int isRead = name && first && count && joint && error;
    if (isRead) {
        // if the writer was killed, the table may be longer; steps with a count are complete
        lines = steps ? (size_t)(first[steps - 1] + count[steps - 1]) : 0;
        printf("%s: %zu steps\n", place, steps);
        printJoints(name, joints, joint, error, lines);
    }
    free(name);
    free(first);
    free(count);
    free(joint);
    free(error);
    H5Tclose(text);
    H5Gclose(world);
    return isRead;
}

int main(int argc, char **argv)
{
    if (argc != 2 || !strcmp(argv[1], "--help")) {
        printf("usage: read_trace FILE.h5\n\nPrints the number of steps and the largest error of each joint of a "
               "trace.\n");
        return argc == 2 ? 0 : 2;
    }
    // this program prints its own errors
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    // SWMR: the writer may be running, or was killed
    hid_t file = H5Fopen(argv[1], H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, H5P_DEFAULT);
    if (file < 0)
        file = H5Fopen(argv[1], H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) {
        fprintf(stderr, "read_trace: %s: cannot be read as HDF5\n", argv[1]);
        return 1;
    }
    H5G_info_t root;
    int isRead = H5Gget_info(file, &root) >= 0;
    for (hsize_t i = 0; isRead && i < root.nlinks; i++) {
        char place[64];
        isRead = H5Lget_name_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, i, place, sizeof place, H5P_DEFAULT) > 0 &&
                 printWorld(file, place);
    }
    H5Fclose(file);
    if (!isRead)
        fprintf(stderr, "read_trace: %s: is not a trace of ksTraceCreate, or is damaged\n", argv[1]);
    return !isRead;
}
