/* font.h  Letters for the frame: drawn in the source, so that they are the same everywhere. */
#ifndef KSI_VIEW_FONT_H
#define KSI_VIEW_FONT_H

/* Pixels of a letter with the gaps behind it and below, and of the picture of all letters, in which each pixel is made four. */
enum { KSI_FONT_WIDTH = 6, KSI_FONT_HEIGHT = 10, KSI_FONT_COLUMNS = 16, KSI_FONT_LINES = 6 };
enum {
    KSI_ATLAS_WIDTH = 2 * KSI_FONT_WIDTH * KSI_FONT_COLUMNS,
    KSI_ATLAS_HEIGHT = 2 * KSI_FONT_HEIGHT * KSI_FONT_LINES
};

/* Draws all letters, 255 where there is ink; the last letter's cell is full. */
void ksiFontDraw(unsigned char atlas[KSI_ATLAS_HEIGHT][KSI_ATLAS_WIDTH]);

/* The cell of the next letter of an UTF-8 text, which is moved on; what has no letter shows as a question mark. -1: the end. */
int ksiFontNext(const char **text);
enum { KSI_FONT_FULL = KSI_FONT_COLUMNS * KSI_FONT_LINES - 1 };

#endif
