/* progress.c  Shows the progress of all ranks in a line on the terminal.
 *
 * A rank's standard error is a pipe to mpirun, so the terminal is opened by name. The number of
 * windows is unknown until all files are read; the finished units give an estimate. */
#include "progress.h"

#include "../base/clock.h"

#include <math.h>
#include <string.h>
#include <sys/ioctl.h>

enum { LINE = 600, WORST = 160 };

/* Time between two updates of the line, s. */
static const double interval = 0.5;

ksiProgressLine ksiProgressBegin(uint64_t bytes, bool isShown)
{
    return (ksiProgressLine){.terminal = isShown ? fopen("/dev/tty", "we") : NULL,
                             .begun = ksiWallTime(),
                             .bytes = bytes,
                             .sum = {.worst = NAN}};
}

void ksiProgressNote(ksiProgressLine *line, const ksiFound *found)
{
    ksiFound *sum = &line->sum;
    sum->bytes += found->bytes;
    sum->windows += found->windows;
    sum->units += found->units;
    sum->unread += found->unread;
    sum->lost += found->lost;
    if (isnan(found->worst) || found->worst <= sum->worst)
        return;
    sum->worst = found->worst;
    memcpy(sum->name, found->name, sizeof sum->name);
}

static void writeLeft(double seconds, char out[32])
{
    if (seconds < 120)
        snprintf(out, 32, "%.0f s", seconds);
    else if (seconds < 7200)
        snprintf(out, 32, "%.0f min", seconds / 60);
    else
        snprintf(out, 32, "%.1f h", seconds / 3600);
}

static void writeLine(const ksiProgressLine *line, char out[LINE])
{
    const ksiFound *sum = &line->sum;
    const double share = line->bytes > 0 ? (double)sum->bytes / (double)line->bytes : 0;
    char left[32], worst[WORST] = "";
    if (!isnan(sum->worst))
        snprintf(worst, sizeof worst, ", worst so far %.3g %%: %.100s", 100 * sum->worst, sum->name);
    if (share <= 0) {
        snprintf(out, LINE, "0 windows");
        return;
    }
    writeLeft((ksiWallTime() - line->begun) * (1 / share - 1), left);
    snprintf(out, LINE, "%llu of about %.0f windows, %s left%s", (unsigned long long)sum->windows,
             (double)sum->windows / share, left, worst);
}

/* Cuts the line to the terminal's width, between UTF-8 characters, so that it does not wrap. */
static void cut(const ksiProgressLine *line, char words[LINE])
{
    struct winsize size;
    if (ioctl(fileno(line->terminal), TIOCGWINSZ, &size) || size.ws_col < 2 || strlen(words) < size.ws_col)
        return;
    size_t end = size.ws_col - 1u;
    while (end > 0 && (words[end] & 0xC0) == 0x80)
        end--;
    words[end] = 0;
}

void ksiProgressShow(ksiProgressLine *line)
{
    char words[LINE];
    const double now = ksiWallTime();
    if (!line->terminal || now - line->shown < interval)
        return;
    line->shown = now;
    writeLine(line, words);
    cut(line, words);
    // overwrites the line, and clears to its end
    fprintf(line->terminal, "\r%s\033[K", words);
    fflush(line->terminal);
}

void ksiProgressEnd(ksiProgressLine *line)
{
    if (!line->terminal)
        return;
    line->shown = 0;
    ksiProgressShow(line);
    fputs("\n", line->terminal);
    fclose(line->terminal);
    line->terminal = NULL;
}
