/* check_fields.c  The fields of joints: each class of this engine has them where the tables say, and what is packed comes back as it was. */
#include "engine/copy.h"
#include "engine/fields.h"
#include "support.h"

START_TEST(all_classes_are_proven)
{
    const dWorldID world = dWorldCreate();
    ksiEngine engine;
    ksiClasses classes;
    CHECK_OK(ksiEngineOpen(world, &engine));
    CHECK_OK(ksiProveFields(&engine, &classes));
    for (int type = 1; type < KSI_JOINT_TYPES; type++) {
        ck_assert_ptr_nonnull(ksiFieldsOfType(type));
        ck_assert_msg(classes.isKnown[type], "%s", ksiFieldsOfType(type)->name);
        ck_assert_uint_eq(classes.words[type], ksiFieldWords(ksiFieldsOfType(type)));
    }
    ck_assert_ptr_null(ksiFieldsOfType(0));
    ck_assert_ptr_null(ksiFieldsOfType(KSI_JOINT_TYPES));
    dWorldDestroy(world);
}
END_TEST

int main(void)
{
    dInitODE2(0);
    Suite *suite = suite_create("fields");
    TCase *test = tcase_create("fields");
    tcase_add_test(test, all_classes_are_proven);
    suite_add_tcase(suite, test);
    return runSuite(suite);
}
