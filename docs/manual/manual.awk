# manual.awk  A page of the manual from the headers and a template.
#
#     awk -v version=0.1.0 -v date=2026-11-20 -v questions=questions.md -f markdown.awk -f manual.awk \
#         HEADER... TEMPLATE.man >PAGE.3
#
# The template is roff without its first line. From the names in its NAME section come, in that order and in place of
#
#     @SYNOPSIS   the prototypes
#     @FUNCTIONS  what the headers say of each function, with its parameters
#     @RETURNS    the same of its statuses
#     @TYPES      what they say of each type and its members, and of unnamed enums "of Type::member"
#
# Lines between .EX and .EE are plain C: tests/manual.sh compiles them.

function escaped(text)
{
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/§/, "\\(sc", text)
    while (match(text, /`[^`]*`/))
        text = substr(text, 1, RSTART - 1) "\\fI" substr(text, RSTART + 1, RLENGTH - 2) "\\fR" substr(text, RSTART + RLENGTH)
    sub(/^[.']/, "\\\\\\&&", text)
    return text
}

function trimmed(text)
{
    sub(/^[ \t]+/, "", text)
    sub(/[ \t]+$/, "", text)
    return text
}

function indentation(text)
{
    match(text, /^ */)
    return RLENGTH
}

# Is the text inside a code span at its end?
function isInCode(text)
{
    return gsub(/`/, "", text) % 2
}

# One line of roff for each sentence, and none that is long. A code span stays on one line.
function flow(text,    line, i, count, word, part)
{
    count = split(text, word, " ")
    for (i = 1; i <= count; i++) {
        part = word[i]
        while (isInCode(part) && i < count)
            part = part " " word[++i]
        if (line != "" && length(line) + length(part) > 70) {
            print escaped(line)
            line = ""
        }
        line = line (line == "" ? "" : " ") part
        if (part ~ /[^.][.:]$/ && word[i + 1] ~ /^[A-Z]/) {
            print escaped(line)
            line = ""
        }
    }
    if (line != "")
        print escaped(line)
}

# --- headers

# A comment without its marks: the lines of its text, indented by what they are beyond the comment's own margin.
function uncomment(text)
{
    gsub(/\n *\*\/$|\*\/$/, "", text)
    sub(/^ *\/\*\*<? ?/, "", text)
    gsub(/\n *\*/, "\n", text)
    gsub(/\n  /, "\n", text)
    gsub(/ @return /, "\n@return ", text)
    return text
}

function declare(text,    name)
{
    gsub(/[ \n]+/, " ", text)
    sub(/^KS_API (KS_MUST_USE )?/, "", text)
    if (text ~ /^typedef [A-Za-z0-9_ ]+;/) {  # opaque
        name = trimmed(substr(text, match(text, / [A-Za-z]+;/), RLENGTH - 1))
        kind[name] = "opaque"
        prototype[name] = text
    } else {
        match(text, /ks[A-Z][A-Za-z0-9]*\(/)
        name = substr(text, RSTART, RLENGTH - 1)
        kind[name] = text ~ /^typedef/ ? "callback" : "function"
        prototype[name] = text
    }
    said[name] = comment
    if (match(FILENAME, /(coordinates|recording|system|report|trace|view)\.h$/))
        header[name] = substr(FILENAME, RSTART)
}

function define(text,    name, owner)
{
    match(text, /\}[^}]*;$/)
    name = trimmed(substr(text, RSTART + 1, RLENGTH - 2))
    if (name == "") {  # an unnamed enum
        match(comment, /ks[A-Za-z]+::/)
        owner = substr(comment, RSTART, RLENGTH - 2)
        name = owner ":" ++bitsOf[owner]
    }
    kind[name] = text ~ /struct/ ? "struct" : "enum"
    sub(/^[^{]*\{\n?/, "", text)
    sub(/\}[^}]*;$/, "", text)
    body[name] = text
    said[name] = comment
}

FNR == 1 {
    state = comment = ""
}

FILENAME != ARGV[ARGC - 1] {
    if (state == "") {
        text = $0
        if (/^\/\*\*/)
            state = "comment"
        else if (/^KS_API/ || /^typedef (void|ksStatus) / || /^typedef [A-Za-z0-9_ ]+;/)
            state = "declaration"
        else if (/^typedef (struct|enum)/ || /^enum/)
            state = "definition"
        else if (/^$/)
            comment = ""
    } else {
        text = text "\n" $0
    }
    if (state == "comment" && /\*\/$/) {
        comment = text ~ /@file/ ? "" : uncomment(text)
        state = ""
    } else if (state == "declaration" && /;$/) {
        declare(text)
        state = ""
    } else if (state == "definition" && /^[^ ].*;$/) {
        define(text)
        state = ""
    }
    next
}

# --- what is printed

# The names of parameters are in italics; lines are broken between them.
function printPrototype(text,    argument, i, count, line, part)
{
    count = split(text, argument, /, /)
    line = ""
    for (i = 1; i <= count; i++) {
        part = argument[i] (i < count ? "," : "")
        if (match(part, /[A-Za-z]+(\[[0-9]\])?(,|\);)$/) && part !~ /void\)/) {
            match(part, /[A-Za-z]+(\[[0-9]\])?(,|\);)$/)
            part = substr(part, 1, RSTART - 1) "\\fI" substr(part, RSTART)
            sub(/(\[[0-9]\])?(,|\);)$/, "\\fB&", part)
        }
        if (line != "" && length(line) + length(part) > 84) {
            print "\\fB" line "\\fR"
            line = "    " part
        } else {
            line = line (line == "" ? "" : " ") part
        }
    }
    print "\\fB" line "\\fR"
}

# A table of the headers' kind, | cell | cell |.
function printTable(row, count,    i, k, cells, cell)
{
    cells = split(row[1], cell, "|") - 2
    print ".TS"
    for (k = 1; k <= cells; k++)
        printf "%s", (k == 1 ? "l" : " lx")
    print "."
    for (i = 1; i <= count; i++) {
        split(row[i], cell, "|")
        if (cell[2] ~ /^-+$/)
            continue
        for (k = 1; k <= cells; k++)
            printf "T{\n\\&%s\nT}%s", escaped(trimmed(cell[k + 1])), (k < cells ? "\t" : "\n")
    }
    print ".TE"
}

# Text with its paragraphs; lines that are set in are formulas, or a list of NAME  text.
function printText(text,    line, i, count, set, rows, row, deep, filled, last)
{
    count = split(text "\n", line, "\n")
    for (i = 1; i <= count; i++) {
        deep = indentation(line[i])
        last = i == count
        if (filled != "" && (line[i] == "" || line[i] ~ /^\|.*\|$/ || (deep >= 2 && set != "list"))) {
            flow(filled)
            filled = ""
        }
        if (set != "" && (line[i] == "" || deep < 2)) {
            flow(filled)
            filled = ""
            print (set == "formula" ? ".EE\n.RE" : ".RE")
            set = ""
        }
        if (rows && line[i] !~ /^\|.*\|$/) {
            printTable(row, rows)
            rows = 0
        }
        if (line[i] == "") {
            if (!last && line[i + 1] !~ /^\|.*\|$/ && indentation(line[i + 1]) < 2)
                print ".PP"
        } else if (line[i] ~ /^\|.*\|$/) {
            row[++rows] = line[i]
        } else if (deep >= 2 && line[i] ~ /^ *KS_[A-Z_]+  /) {
            flow(filled)
            if (set == "")
                print ".RS"
            set = "list"
            sub(/^ */, "", line[i])
            match(line[i], /^[A-Z_]+/)
            print ".TP\n.B " substr(line[i], 1, RLENGTH)
            filled = trimmed(substr(line[i], RLENGTH + 1))
        } else if (deep >= 2 && set != "list") {
            if (set == "")
                print ".PP\n.RS 4\n.EX"
            set = "formula"
            print escaped(substr(line[i], 3))
        } else {
            filled = filled (filled == "" ? "" : " ") trimmed(line[i])
        }
    }
}

# Splits a comment into text, parameters and returns; each as the lines that it is made of.
function dissect(text,    line, i, count, where, last)
{
    plain = returned = ""
    parameters = 0
    where = "text"
    count = split(text, line, "\n")
    for (i = 1; i <= count; i++) {
        if (line[i] ~ /^@param/) {
            where = "parameter"
            sub(/^@param/, "", line[i])
            direction[++parameters] = line[i] ~ /^\[out\]/ ? " (out)" : line[i] ~ /^\[in,out\]/ ? " (in, out)" : ""
            sub(/^\[[a-z,]*\]/, "", line[i])
            line[i] = trimmed(line[i])
            last = match(line[i], /  /) ? RSTART : length(line[i]) + 1
            parameter[parameters] = substr(line[i], 1, last - 1)
            meaning[parameters] = trimmed(substr(line[i], last))
        } else if (line[i] ~ /^@return/) {
            where = "return"
            returned = trimmed(substr(line[i], 8))
        } else if (where != "text" && line[i] ~ /^  /) {
            if (where == "parameter")
                meaning[parameters] = meaning[parameters] "\n" trimmed(line[i])
            else
                returned = returned "\n" trimmed(line[i])
        } else {
            where = "text"
            plain = plain (plain == "" ? "" : "\n") line[i]
        }
    }
}

function printFunctions(    i, k)
{
    for (i = 1; i <= names; i++) {
        if (kind[name[i]] != "function" || said[name[i]] == "")
            continue
        dissect(said[name[i]])
        printf ".SS %s", name[i]
        while (i < names && said[name[i + 1]] == said[name[i]])  # neighbours under one comment
            printf ", %s", name[++i]
        print ""
        printText(plain)
        for (k = 1; k <= parameters; k++) {
            print ".TP\n.IR \"" parameter[k] "\" \"" direction[k] "\""
            printText(meaning[k])
        }
    }
}

function printReturns(    i)
{
    for (i = 1; i <= names; i++) {
        dissect(said[name[i]])
        if (kind[name[i]] == "function" && returned != "") {
            print ".TP\n.B " name[i]
            printText(returned)
        }
    }
}

function printMember(declaration, text)
{
    declaration = trimmed(declaration)
    gsub(/[ \n]+/, " ", declaration)
    sub(/,$|;$/, "", declaration)
    sub(/ = .*/, "", declaration)
    if (declaration == "")
        return
    print ".TP\n.B \"" escaped(declaration) "\""
    if (text != "")
        printText(text)
}

# Members: a comment before them, or /**< behind; without one, what stands in a line is one entry.
function printMembers(text,    before, start, stop, line, rest, declaration)
{
    before = declaration = ""
    while (text != "") {
        if (match(text, /^[ \n]*\/\*\*[^<]/)) {
            stop = index(text, "*/")
            before = uncomment(trimmed(substr(text, match(text, /\/\*\*/), stop + 2 - RSTART)))
            text = substr(text, stop + 2)
            sub(/^\n/, "", text)
            continue
        }
        start = index(text, "\n")
        if (!start)
            start = length(text) + 1
        line = substr(text, 1, start - 1)
        if ((stop = index(line, "/**<"))) {
            declaration = declaration " " substr(line, 1, stop - 1)
            text = substr(text, stop)
            stop = index(text, "*/")
            rest = substr(text, 5, stop - 5)
            gsub(/\n */, "\n", rest)
            printMember(declaration, trimmed(rest))
            declaration = before = ""
            text = substr(text, stop + 2)
            sub(/^\n/, "", text)
            continue
        }
        declaration = declaration " " line
        text = substr(text, start + 1)
        if (declaration ~ /[,;] *$/ || text == "") {
            printMember(declaration, before)
            declaration = before = ""
        }
    }
}

function printType(of, title)
{
    if (title != "")
        print ".SS " title
    if (said[of] != "")
        printText(said[of])
    printMembers(body[of])
}

function printTypes(    i, k)
{
    for (i = 1; i <= names; i++) {
        if (kind[name[i]] != "struct" && kind[name[i]] != "enum")
            continue
        printType(name[i], name[i])
        for (k = 1; k <= bitsOf[name[i]]; k++) {
            print ".PP"
            printType(name[i] ":" k, "")
        }
    }
}

function printSynopsis(    i)
{
    print ".nf\n.B #include <kinetostat/" (header[name[1]] == "" ? "kinetostat.h" : header[name[1]]) ">\n.PP"
    for (i = 1; i <= names; i++) {
        if (kind[name[i]] == "opaque")
            print ".B " prototype[name[i]]
        else if (name[i] in prototype)
            printPrototype(prototype[name[i]])
    }
    print ".fi"
}

# --- the template

FNR == 1 {
    match(FILENAME, /[^\/]*\.man$/)
    print "'\\\" t"
    print ".TH " toupper(substr(FILENAME, RSTART, RLENGTH - 4)) " 3 \"" date "\" \"Kinetostat " version "\" \"Library Functions Manual\""
    print ".nr HY 0\n.nh\n.ad l"  # identifiers stay whole
}

/^\.SH/ {
    in_names = $2 == "NAME"
}

in_names && !/^\.SH/ {
    text = $0
    sub(/ *\\-.*/, "", text)
    gsub(/,/, " ", text)
    count = split(text, part, " ")
    for (i = 1; i <= count; i++) {
        # ksReason: bits without a type
        if (part[i] ~ /^ks/ && part[i] != "ksReason" && !(part[i] in kind)) {
            print FILENAME ": no header declares " part[i] >"/dev/stderr"
            failed = 1
        }
        name[++names] = part[i]
    }
    if (/\\-/)
        in_names = 0
}

/^\.EX/ {
    in_code = 1
}

/^\.EE/ {
    in_code = 0
}

in_code && !/^\.EX/ {
    print escaped($0)
    next
}

/^@SYNOPSIS$/ {
    printSynopsis()
    next
}

/^@FUNCTIONS$/ {
    printFunctions()
    next
}

/^@RETURNS$/ {
    printReturns()
    next
}

/^@TYPES$/ {
    printTypes()
    next
}

{
    print
}

END {
    exit failed
}
