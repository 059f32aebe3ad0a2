/* page_files.h  Parts of an HTML report as null-terminated text. embed.sh makes them from dygraphs,
 * three.js and the files in page/. It embeds scripts and style unchanged, because the policy
 * (policy.sh) permits only their hashes. */
#ifndef KSI_REPORT_DOCUMENT_PAGE_FILES_H
#define KSI_REPORT_DOCUMENT_PAGE_FILES_H

extern const char ksiPagePolicy[], ksiPageStyle[], ksiPageScript[], ksiChartScript[];
extern const char ksiSceneScript[], ksiSceneLicence[]; /* only with KS_HAVE_THREE; the script is
                                                          compressed by gzip, in base 64 */

#endif
