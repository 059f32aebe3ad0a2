/* suite.h  Runs the tests of a program. */
#ifndef TESTS_KITS_SUITE_H
#define TESTS_KITS_SUITE_H

#include <check.h>
#include <ode/odeinit.h>
#include <stdlib.h>

/* Returns the exit status of the program. */
static inline int runSuite(Suite *suite)
{
    dInitODE2(0);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    dCloseODE();
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Runs a suite of this case alone. */
static inline int runCase(const char *name, TCase *tcase)
{
    Suite *suite = suite_create(name);
    suite_add_tcase(suite, tcase);
    return runSuite(suite);
}

#endif
