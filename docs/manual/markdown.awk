# markdown.awk  A section of docs/questions.md as roff, for manual.awk: in place of
#
#     @SECTION Reasons    the text below "## Reasons"
#
# It may hold paragraphs, lists of one level, `code`, **labels** and links, with "### Heading" and "#### `NAME`" below it.

function unmarked(text,    link)
{
    while (match(text, /\[[^]]*\]\([^)]*\)/)) {
        link = substr(text, RSTART + 1, RLENGTH - 1)
        sub(/\].*/, "", link)
        text = substr(text, 1, RSTART - 1) link substr(text, RSTART + RLENGTH)
    }
    return text
}

# Labels stand first in their lines.
function flowMarkdown(text)
{
    if (text == "")
        return
    text = unmarked(text)
    if (match(text, /^\*\*[^*]*\*\*/)) {
        print ".I " substr(text, 3, RLENGTH - 4)
        text = substr(text, RSTART + RLENGTH + 1)
    }
    flow(text)
}

# Of a list in an entry each item is a paragraph of the entry.
function printSection(heading, file,    line, inside, met, text, entry)
{
    while ((getline line <file) > 0) {
        if (line ~ /^## /) {
            flowMarkdown(text)
            text = ""
            inside = line == "## " heading
            met += inside
        } else if (inside && line ~ /^#/) {
            flowMarkdown(text)
            text = ""
            entry = line ~ /^#### /
            sub(/^#+ /, "", line)
            gsub(/`/, "", line)
            print (entry ? ".TP\n.B " : ".SS ") escaped(line)
        } else if (inside && (line ~ /^ *$/ || line ~ /^- /)) {
            flowMarkdown(text)
            text = ""
            if (line ~ /^- /) {
                print (entry ? ".IP" : ".PP")
                text = substr(line, 3)
            }
        } else if (inside) {
            text = text (text == "" ? "" : " ") trimmed(line)
        }
    }
    flowMarkdown(text)
    close(file)
    if (!met) {
        print file ": no section " heading >"/dev/stderr"
        failed = 1
    }
}

/^@SECTION / {
    printSection(substr($0, 10), questions)
    next
}
