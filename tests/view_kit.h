/* view_kit.h  Pictures of worlds, off screen, and what their pixels show. */
#ifndef TESTS_VIEW_KIT_H
#define TESTS_VIEW_KIT_H

#include "plugin/view/view.h"
#include "tests/support.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the colours mean: as in the HTML reports. */
enum {
    ENGINE_COLOUR = 0xd55e00,
    CONVERGED_COLOUR = 0x0072b2,
    PHYSICAL_COLOUR = 0x00845f,
    CONTACT_COLOUR = 0x7a7a00,
    SELF_STRESS_COLOUR = 0x7b3fa0,
    /* of the way to white 3/5 */
    PALE_PHYSICAL_COLOUR = 0x99cdbf
};

static inline uint32_t verdictColour(ksVerdict verdict)
{
    return verdict == KS_VALID           ? 0x009e73
           : verdict == KS_INDETERMINATE ? 0x56b4e9
           : verdict == KS_SOLVER_ERROR  ? 0xe69f00
           : verdict == KS_UNEXPLAINED   ? 0xcc3d8f
           : verdict == KS_UNCHECKED     ? 0x9aa4ae
                                         : 0x59636e;
}

enum { WIDTH = 640, HEIGHT = 360 };

static ksView *view;
static unsigned char pixels[HEIGHT][WIDTH][3];

/* Memory that a driver keeps is no leak as long as the driver is loaded: so it stays, also when the view has gone. */
static int keepLoaded(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size, (void)user;
    if (info->dlpi_name && info->dlpi_name[0])
        dlopen(info->dlpi_name, RTLD_NOLOAD | RTLD_NODELETE | RTLD_LAZY);
    return 0;
}

static inline ksViewOptions smallOptions(void)
{
    ksViewOptions options;
    ksViewOptionsInit(&options);
    options.offscreen = 1;
    options.width = WIDTH;
    options.height = HEIGHT;
    return options;
}

static inline void openView(void)
{
    ksViewOptions options = smallOptions();
    CHECK_OK(ksViewCreate(&options, &view));
    dl_iterate_phdr(keepLoaded, NULL);
}

static inline void closeView(void)
{
    ksViewDestroy(view);
    view = NULL;
}

/* Draws, and reads the pixels. */
static inline void draw(void)
{
    CHECK_OK(ksViewDraw(view));
    CHECK_OK(ksViewReadPixels(view, &pixels[0][0][0]));
}

static inline void press(int key)
{
    CHECK_OK(ksViewPress(view, key));
}

/* Where a point of the world is in the picture. */
static inline void project(const double point[3], double pixel[2])
{
    double clip[16], at[4];
    CHECK_OK(ksViewGetClip(view, clip));
    for (int i = 0; i < 4; i++)
        at[i] = clip[4 * i] * point[0] + clip[4 * i + 1] * point[1] + clip[4 * i + 2] * point[2] + clip[4 * i + 3];
    ck_assert_double_gt(at[3], 0);
    pixel[0] = (at[0] / at[3] + 1) / 2 * WIDTH;
    pixel[1] = (1 - at[1] / at[3]) / 2 * HEIGHT;
}

/* Marks are shaded down to 0.7 of their colour, which keeps its hue. The bound tells any two colours of the palette apart. */
static inline bool isColour(int x, int y, uint32_t colour)
{
    static const double shade = 0.6, hue = 14;
    if (x < 0 || x >= WIDTH || y < 0 || y >= HEIGHT)
        return false;
    const double wanted[3] = {colour >> 16 & 0xff, colour >> 8 & 0xff, colour & 0xff};
    const double found[3] = {pixels[y][x][0], pixels[y][x][1], pixels[y][x][2]};
    double factor = (wanted[0] * found[0] + wanted[1] * found[1] + wanted[2] * found[2]) /
                    (wanted[0] * wanted[0] + wanted[1] * wanted[1] + wanted[2] * wanted[2]);
    const double scaled[3] = {factor * wanted[0], factor * wanted[1], factor * wanted[2]};
    return factor > shade && factor < 1.05 && distance3(scaled, found) < hue;
}

/* Pixels of a colour in a rectangle around a point. */
static inline int count(const double pixel[2], int halfWidth, int halfHeight, uint32_t colour)
{
    int found = 0;
    for (int y = (int)pixel[1] - halfHeight; y <= (int)pixel[1] + halfHeight; y++)
        for (int x = (int)pixel[0] - halfWidth; x <= (int)pixel[0] + halfWidth; x++)
            found += isColour(x, y, colour);
    return found;
}

/* All pixels of a colour, but for the legend and the chart on the right. */
static inline int countAll(uint32_t colour)
{
    int found = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            found += (y > 60 || x < WIDTH - 110) && (y < HEIGHT - 100 || x < WIDTH / 2) && isColour(x, y, colour);
    return found;
}

/* Whether this machine can draw off screen; if not, the reason is written. Tried in a child: a driver does not live through fork(). */
static inline bool canDraw(void)
{
    enum { NO_DRIVER = 7 };
    int outcome = 0;
    pid_t child = fork();
    if (child == 0) {
        ksViewOptions options = smallOptions();
        ksView *tried = NULL;
        ksStatus status = ksViewCreate(&options, &tried);
        if (status == KS_ERROR_UNAVAILABLE)
            fprintf(stderr, "%s\n", ksErrorMessage());
        _exit(status == KS_ERROR_UNAVAILABLE ? NO_DRIVER : 0);
    }
    // whatever else goes wrong is a matter of the tests
    return child < 0 || waitpid(child, &outcome, 0) != child || !WIFEXITED(outcome) ||
           WEXITSTATUS(outcome) != NO_DRIVER;
}

#endif
