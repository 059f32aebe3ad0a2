/* kit_output.c  Tables, CSV and plots of the demos. */
#define _POSIX_C_SOURCE 200809L
#include "kit.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { TITLE_ROOM = 80, PATH_ROOM = 4096 };

/* Is this a regular file, or a name without a file? */
static int isPlain(const char *path)
{
    struct stat found;
    return stat(path, &found) || S_ISREG(found.st_mode);
}

void kitCheckWritable(const Kit *kit, const char *path)
{
    FILE *file = fopen(path, "ab");
    if (!file)
        kitFail(kit, path, strerror(errno));
    const int isEmpty = ftell(file) == 0;
    fclose(file);
    if (isEmpty && isPlain(path))
        remove(path);
}

static FILE *collect(const Kit *kit, const char *path)
{
    kitCheckWritable(kit, path);
    FILE *file = tmpfile();
    if (!file)
        kitFail(kit, "temporary file", strerror(errno));
    return file;
}

static const char axes[] = "set grid lc rgb '#dddddd' lt 1 lw 0.5\nset border 31 lc rgb '#555555'\n"
                           "set xtics nomirror\nset ytics nomirror\nset key default\n";

static void openPlot(Kit *kit, int width, int height)
{
    if (system("command -v gnuplot >/dev/null 2>&1"))
        kitFail(kit, "--plot", "gnuplot is not installed (on Debian: apt-get install gnuplot-nox)");
    kit->plot = collect(kit, kit->plotPath);
    kitPlot(kit, "set terminal pngcairo size %d,%d font 'sans,11' linewidth 1.5\n", width, height);
    kitPlot(kit, "engine = '#d1495b'\nconverged = '#30638e'\nphysical = '#3a7d44'\nformula = '#222222'\n"
                 "closed = '#bbbbbb'\nother = '#e0a030'\n"
                 "set style arrow 1 nohead lw 3 lc rgb '#777777'\nset style arrow 2 nohead lw 6 lc rgb '#cccccc'\n"
                 "set style arrow 3 nohead lw 1 dt 2 lc rgb '#999999'\n"
                 "set style arrow 4 head filled size screen 0.01,20 lw 2 lc rgb engine\n"
                 "set style circle radius 0.05\nset style fill solid border rgb '#555555'\n");
    kitPlot(kit, "%s", axes);
}

void kitSketch(Kit *kit, const double range[4], const char *drawing)
{
    kitPlot(kit,
            "unset border\nunset tics\nunset grid\nunset key\nset size ratio -1\nunset title\n"
            "unset xlabel\nunset ylabel\nset xrange [%g:%g]\nset yrange [%g:%g]\n",
            range[0], range[1], range[2], range[3]);
    kitPlot(kit, "%s\nplot NaN notitle\nunset arrow\nunset object\nunset label\nset size noratio\nset autoscale\n%s",
            drawing, axes);
}

void kitOpenOutput(Kit *kit, int width, int height)
{
    if (kit->csvPath)
        kit->csv = collect(kit, kit->csvPath);
    if (kit->plotPath)
        openPlot(kit, width, height);
}

/* Copies all of `from` and closes it. 0: it could not be written. */
static int copyInto(FILE *from, FILE *to)
{
    char part[4096];
    size_t count;
    rewind(from);
    while ((count = fread(part, 1, sizeof part, from)) > 0)
        if (fwrite(part, 1, count, to) != count)
            break;
    const int isWhole = !ferror(from) && feof(from) && !ferror(to);
    fclose(from);
    return isWhole;
}

/* The name of a file beside `path`, renamed to `path` when complete; `path` itself for a device or
 * a pipe. */
static void partOf(const Kit *kit, const char *path, char *part)
{
    if (snprintf(part, PATH_ROOM, isPlain(path) ? "%s.part" : "%s", path) >= PATH_ROOM)
        kitFail(kit, path, "the name is too long");
}

static void keep(const Kit *kit, const char *part, const char *path, int isWhole, const char *why)
{
    const int isApart = strcmp(part, path) != 0;
    if (isWhole && (!isApart || !rename(part, path)))
        return;
    if (isApart)
        remove(part);
    kitFail(kit, path, why);
}

static void closeCsv(Kit *kit)
{
    char part[PATH_ROOM];
    partOf(kit, kit->csvPath, part);
    FILE *file = fopen(part, "wb");
    if (!file)
        kitFail(kit, kit->csvPath, strerror(errno));
    int isWhole = copyInto(kit->csv, file);
    isWhole &= !fclose(file);
    keep(kit, part, kit->csvPath, isWhole, "could not be written");
    printf("\nThe figures are in %s.\n", kit->csvPath);
}

static void closePlot(Kit *kit)
{
    char part[PATH_ROOM];
    partOf(kit, kit->plotPath, part);
    // the exit status of gnuplot shows if it ends early
    signal(SIGPIPE, SIG_IGN);
    FILE *gnuplot = popen("gnuplot", "w");
    if (!gnuplot)
        kitFail(kit, "gnuplot", strerror(errno));
    fprintf(gnuplot, "set output '");
    for (const char *c = part; *c; c++)
        fprintf(gnuplot, "%s%c", *c == '\'' ? "'" : "", *c);
    fprintf(gnuplot, "'\n");
    const int isSent = copyInto(kit->plot, gnuplot), status = pclose(gnuplot);
    const int isDrawn = isSent && status != -1 && WIFEXITED(status) && !WEXITSTATUS(status);
    keep(kit, part, kit->plotPath, isDrawn, "gnuplot could not draw it");
    printf("\nThe plot is in %s.\n", kit->plotPath);
}

void kitCloseOutput(Kit *kit)
{
    if (kit->csv)
        closeCsv(kit);
    if (kit->plot)
        closePlot(kit);
}

static int columnWidth(const KitColumn *column)
{
    int title = (int)strlen(column->title);
    return column->width > title ? column->width : title;
}

void kitHead(Kit *kit, const KitColumn *column, int count)
{
    static const char line[TITLE_ROOM + 1] =
        "--------------------------------------------------------------------------------";
    kitProgressOff(kit);
    for (int i = 0; i < count; i++)
        printf(column[i].format ? "  %*s" : "  %-*s", columnWidth(&column[i]), column[i].title);
    printf("\n");
    for (int i = 0; i < count; i++)
        printf("  %.*s", columnWidth(&column[i]), line);
    printf("\n");
}

void kitRow(Kit *kit, const KitColumn *column, int count, const KitCell *cell)
{
    kitProgressOff(kit);
    for (int i = 0; i < count; i++) {
        int width = columnWidth(&column[i]);
        char text[TITLE_ROOM] = "-";
        if (!column[i].format)
            printf("  %-*s", i + 1 < count ? width : 0, cell[i].text);
        else {
            if (!isnan(cell[i].number))
                snprintf(text, sizeof text, column[i].format, cell[i].number);
            printf("  %*s", width, text);
        }
    }
    printf("\n");
}

void kitCsv(Kit *kit, const char *format, ...)
{
    if (!kit->csv)
        return;
    va_list arguments;
    va_start(arguments, format);
    vfprintf(kit->csv, format, arguments);
    va_end(arguments);
}

void kitPlot(Kit *kit, const char *format, ...)
{
    if (!kit->plot)
        return;
    va_list arguments;
    va_start(arguments, format);
    vfprintf(kit->plot, format, arguments);
    va_end(arguments);
}

double kitNorm(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

double kitDistance(const double a[3], const double b[3])
{
    return kitNorm((const double[3]){a[0] - b[0], a[1] - b[1], a[2] - b[2]});
}
