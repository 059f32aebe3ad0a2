# names.awk  Names of the headers, and their links in Doxygen's language; for comments.awk and pages.awk.
#
#     -v include=FOLDER   of the headers

# Functions and enumerators, which Doxygen does not link by itself, as it does structs.
BEGIN {
    list = "ls " include "/*.h"
    while ((list | getline header) > 0) {
        inside = 0
        while ((getline line <header) > 0) {
            if (inside && !sub(/^.*\*\//, "", line))
                continue
            inside = 0
            while (match(line, /\/\*([^*]|\*[^\/])*\*\//))
                line = substr(line, 1, RSTART - 1) substr(line, RSTART + RLENGTH)
            if (sub(/\/\*.*/, "", line))
                inside = 1
            if (line ~ /^#/)
                continue
            while (match(line, /ks[A-Z][A-Za-z0-9]*\(|KS_[A-Z0-9_]+/)) {
                name = substr(line, RSTART, RLENGTH)
                line = substr(line, RSTART + RLENGTH)
                sub(/\($/, "", name)
                if (name !~ /^KS_(API|MUST_USE)$/)
                    known[name] = 1
            }
        }
        close(header)
    }
    close(list)
    list = ""
}

function escaped(text)
{
    gsub(/[<>&%]/, "\\\\&", text)
    return text
}

# Text in which known names are links; the rest is as it is.
function linked(text,    result, before, name)
{
    while (match(text, /ks[A-Z][A-Za-z0-9]*|KS_[A-Z0-9_]+/)) {
        before = substr(text, RSTART - 1, RSTART > 1)
        name = substr(text, RSTART, RLENGTH)
        result = result substr(text, 1, RSTART - 1)
        text = substr(text, RSTART + RLENGTH)
        if (name in known && before !~ /[A-Za-z0-9_#:]/ && text !~ /^(::|\.\.\.)/)
            name = "#" name
        result = result name
    }
    return result text
}
