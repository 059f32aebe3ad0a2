/* page_files.h  What an HTML report is made of, as text that ends with a 0. embed.sh makes them from the files in page/, from dygraphs and three.js.
 * Scripts and style stand in their elements as they are: the policy (policy.sh) tells their sums, and nothing else is run, or styles anything. */
#ifndef KSI_REPORT_DOCUMENT_PAGE_FILES_H
#define KSI_REPORT_DOCUMENT_PAGE_FILES_H

extern const char ksiPagePolicy[], ksiPageStyle[], ksiPageScript[], ksiChartScript[];
extern const char ksiSceneScript[], ksiSceneLicence[]; /* with KS_HAVE_THREE; the script is gzip in base 64 */

#endif
