/* check_arena.c  An arena returns all memory that it has taken, whatever happened to its blocks. */
#include "base/arena.h"

#include "tests/kits/memory_kit.h"
#include "tests/kits/support.h"

#include <stdint.h>

enum { BLOCKS = 20, ROUNDS = 500 };

static Counter counter;
static ksiArena arena;
static ksAllocator inArena;

static void setUp(void)
{
    counter = (Counter){.refuse = 0};
    ksiArenaOpen(&arena, &(ksAllocator){countingResize, &counter}, &inArena);
}

static void *resized(void *memory, size_t size)
{
    return inArena.resize(inArena.user, memory, size);
}

/* Blocks are created, grown, shrunk and freed at random, and keep their first numbers; then none is
 * left. */
START_TEST(allIsGivenBack)
{
    int *block[BLOCKS] = {NULL}, length[BLOCKS] = {0}, held = 0;
    srand(7);
    for (int round = 0; round < ROUNDS; round++) {
        const int i = rand() % BLOCKS, wanted = rand() % 4 ? 1 + rand() % 1000 : 0;
        int *now = resized(block[i], (size_t)wanted * sizeof *now);
        ck_assert((now != NULL) == (wanted > 0));
        for (int k = 0; k < (wanted < length[i] ? wanted : length[i]); k++)
            ck_assert_int_eq(now[k], i + k);
        for (int k = 0; k < wanted; k++)
            now[k] = i + k;
        block[i] = now, length[i] = wanted;
    }
    for (int i = 0; i < BLOCKS; i++)
        held += length[i] > 0;
    ck_assert_int_eq(counter.held, held);
    ksiArenaClose(&arena);
    ck_assert_int_eq(counter.held, 0);
}
END_TEST

/* If memory runs out, the block stays as it was, and is freed in the end. */
START_TEST(refusedBlocksStay)
{
    char *kept = resized(NULL, 10);
    strcpy(kept, "as it was");
    counter.refuse = 2, counter.all = 1;
    ck_assert_ptr_null(resized(kept, 1000));
    ck_assert_ptr_null(resized(NULL, 10));
    ck_assert_ptr_null(resized(kept, SIZE_MAX));
    ck_assert_str_eq(kept, "as it was");
    ck_assert_int_eq(counter.held, 1);
    ksiArenaClose(&arena);
    ck_assert_int_eq(counter.held, 0);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("arena");
    tcase_add_checked_fixture(tests, setUp, NULL);
    tcase_add_test(tests, allIsGivenBack);
    tcase_add_test(tests, refusedBlocksStay);
    return runCase("arena", tests);
}
