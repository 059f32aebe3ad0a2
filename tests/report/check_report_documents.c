/* check_report_documents.c  The documents of a report: hostile names, the page, JUnit XML, and the
 * files that hold them. */
#define _GNU_SOURCE
#include "tests/kits/report/chain_report_kit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* No character that XML forbids, and no tag or reference but ours. */
static void expectHarmlessXml(const char *text)
{
    ck_assert(!strstr(text, "</script>"));
    ck_assert(!strstr(text, "]]>"));
    ck_assert_ptr_nonnull(strstr(text, "name=\"&lt;/script&gt;&quot;&lt;&amp;]]&gt;"));
    for (const char *c = text; *c; c++)
        ck_assert((unsigned char)*c >= 0x20 || *c == '\n');
}

START_TEST(names_harm_nobody)
{
    // a control character, a terminal's, a lone continuation, a surrogate, an overlong slash
    CHECK_OK(ksInspectorSetName(inspector, scene->joint[0], "</script>\"<&]]>\x01\x1b[2J\x80\xed\xa0\x80\xc0\xaf'"));
    CHECK_OK(ksInspectorSetName(inspector, scene->joint[1], "\xff"));
    CHECK_OK(ksInspectorSetName(inspector, scene->joint[2], "\xfe"));
    CHECK_OK(ksReportWatch(report, inspector, "</w>\x02"));
    run(5);
    json_t *document = jsonOf(report);
    ck_assert_str_eq(json_string_value(json_object_get(worldOf(document, 0), "name")), "</w>\xef\xbf\xbd");
    const char *name = json_string_value(json_object_get(jointOf(document, 0), "name"));
    ck_assert_ptr_nonnull(strstr(name, "</script>\"<&]]>\xef\xbf\xbd\xef\xbf\xbd[2J\xef\xbf\xbd"));
    // two names that look alike
    ck_assert_str_eq(json_string_value(json_object_get(jointOf(document, 1), "name")), "\xef\xbf\xbd");
    ck_assert_str_eq(json_string_value(json_object_get(jointOf(document, 2), "name")), "\xef\xbf\xbd (2)");
    json_decref(document);
    char *junit = textOf(report, KS_REPORT_JUNIT), *text = textOf(report, KS_REPORT_TEXT);
    expectHarmlessXml(junit);
    ck_assert_ptr_null(strchr(text, 0x1b));
    free(junit);
    free(text);
}
END_TEST

#ifdef KS_HAVE_DYGRAPHS
static const char documentBegins[] = "<script id=\"report\" type=\"application/json\">";

static json_t *embeddedIn(const char *page)
{
    const char *from = strstr(page, documentBegins);
    ck_assert_ptr_nonnull(from);
    from += strlen(documentBegins);
    return json_loadb(from, (size_t)(strstr(from, "</script>") - from), 0, NULL);
}

static int countOf(const char *text, const char *what)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, what)); at++)
        count++;
    return count;
}

/* The page has the JSON document, and no name becomes an element. */
START_TEST(a_page_holds_the_document)
{
    static char page[1 << 20];
    CHECK_OK(
        ksInspectorSetName(inspector, scene->joint[0], "</script><script>harm()</script><!-- <script> ]]>\x01\xff"));
    CHECK_OK(ksReportWatch(report, inspector, "</title><harm>"));
    run(5);
    FILE *stream = fmemopen(page, sizeof page, "w");
    CHECK_OK(ksReportPrint(report, KS_REPORT_HTML, stream));
    fclose(stream);
    json_t *document = jsonOf(report), *embedded = embeddedIn(page);
    ck_assert(json_equal(embedded, document));
    // the document, the charts, the page; the motion, its viewer, and the viewer's licence
    ck_assert_int_eq(countOf(page, "</script"), strstr(page, "id=\"motion-0\"") ? 6 : 3);
    ck_assert_int_eq(countOf(page, "<script>harm"), 0);
    ck_assert_int_eq(countOf(page, "<harm>"), 0);
    json_decref(embedded);
    json_decref(document);
}
END_TEST
#else
START_TEST(without_dygraphs_there_is_no_page)
{
    ck_assert_int_eq(ksReportPrint(report, KS_REPORT_HTML, stdout), KS_ERROR_UNAVAILABLE);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), "dygraphs"));
}
END_TEST
#endif

START_TEST(junit_has_a_case_for_each_joint)
{
    ksReportOptions options = reportOptions();
    options.limit.joints = "hinge [12]:*";
    options.limit.above = 0;
    ksReport *strict = newReport(&options);
    CHECK_OK(ksReportWatch(strict, inspector, "arm"));
    CHECK_OK(ksReportWatch(strict, inspector, "arm"));
    run(20);
    char *text = textOf(strict, KS_REPORT_JUNIT);
    ck_assert_ptr_nonnull(strstr(
        text, "<testsuites name=\"kinetostat\" tests=\"8\" failures=\"4\" skipped=\"4\" errors=\"0\" time=\"0.04\">"));
    ck_assert_ptr_nonnull(
        strstr(text, "<testsuite name=\"arm\" tests=\"4\" failures=\"2\" skipped=\"2\" errors=\"0\" time=\"0.02\">"));
    ck_assert_ptr_nonnull(strstr(text, "<testsuite name=\"arm (2)\" tests=\"4\""));
    ck_assert_ptr_nonnull(strstr(text, "limit 0 %"));
    free(text);
    ksReportDestroy(strict);
}
END_TEST

static void expectFile(const char *path, const char *contents)
{
    char found[64] = "";
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(found, sizeof found, file));
    ck_assert_msg(strncmp(found, contents, strlen(contents)) == 0, "%s", found);
    fclose(file);
}

START_TEST(files_are_replaced_as_a_whole)
{
    char folder[] = "/tmp/kinetostat-XXXXXX", path[64], wrong[64];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.txt", folder);
    snprintf(wrong, sizeof wrong, "%s/none/a.txt", folder);
    CHECK_OK(ksReportWrite(report, KS_REPORT_TEXT, path));
    expectFile(path, "No world");
    CHECK_OK(ksReportWatch(report, inspector, "arm"));
    CHECK_OK(ksReportWrite(report, KS_REPORT_TEXT, path));
    expectFile(path, "World \"arm\"");
    CHECK_OK(ksReportWrite(report, KS_REPORT_TEXT, "/dev/null"));
    struct stat device;
    ck_assert_int_eq(stat("/dev/null", &device), 0);
    ck_assert(S_ISCHR(device.st_mode));
    CHECK_STATUS(ksReportWrite(report, KS_REPORT_JSON, wrong), KS_ERROR_FILE);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), wrong));
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), strerror(ENOENT)));
    FILE *full = fopen("/dev/full", "w");
    if (full) {
        CHECK_STATUS(ksReportPrint(report, KS_REPORT_JSON, full), KS_ERROR_FILE);
        ck_assert_ptr_nonnull(strstr(ksErrorMessage(), strerror(ENOSPC)));
        fclose(full);
        CHECK_STATUS(ksReportWrite(report, KS_REPORT_JSON, "/dev/full"), KS_ERROR_FILE);
    }
    const struct rlimit small = {.rlim_cur = 10, .rlim_max = RLIM_INFINITY};
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    const ksStatus status = ksReportWrite(report, KS_REPORT_JSON, path);
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK_STATUS(status, KS_ERROR_FILE);
    expectFile(path, "World \"arm\"");
    // no temporary file is left
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* Such as /dev/stdout: an open file gets the last version, and links stay. */
START_TEST(open_files_are_written_in_place)
{
    char folder[] = "/tmp/kinetostat-XXXXXX", path[64], link[64], descriptor[64];
    struct stat known;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.txt", folder);
    snprintf(link, sizeof link, "%s/link", folder);
    const int file = open(path, O_RDWR | O_CREAT, 0600);
    ck_assert_int_ge(file, 0);
    snprintf(descriptor, sizeof descriptor, "/proc/self/fd/%d", file);
    ck_assert_int_eq(symlink(descriptor, link), 0);
    CHECK_OK(ksReportWrite(report, KS_REPORT_TEXT, link));
    CHECK_OK(ksReportWatch(report, inspector, "arm"));
    for (int i = 0; i < 2; i++) {
        CHECK_OK(ksReportWrite(report, KS_REPORT_TEXT, i ? descriptor : link));
        expectFile(path, "World \"arm\"");
        expectFile(descriptor, "World \"arm\"");
        ck_assert_int_eq(lstat(link, &known), 0);
        ck_assert(S_ISLNK(known.st_mode));
    }
    close(file);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(unlink(link), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("report documents");
    tcase_add_checked_fixture(tcase, setUp, tearDown);
    tcase_add_test(tcase, names_harm_nobody);
#ifdef KS_HAVE_DYGRAPHS
    tcase_add_test(tcase, a_page_holds_the_document);
#else
    tcase_add_test(tcase, without_dygraphs_there_is_no_page);
#endif
    tcase_add_test(tcase, junit_has_a_case_for_each_joint);
    tcase_add_test(tcase, files_are_replaced_as_a_whole);
    tcase_add_test(tcase, open_files_are_written_in_place);
    return runCase("report documents", tcase);
}
