/* page_files.h  What an HTML report is made of, as text that ends with a 0. embed.sh makes them from the files in page/, and from dygraphs. */
#ifndef KSI_REPORT_PAGE_FILES_H
#define KSI_REPORT_PAGE_FILES_H

extern const char ksiPageStyle[], ksiPageScript[], ksiChartStyle[], ksiChartScript[], ksiChartLicence[];

#endif
