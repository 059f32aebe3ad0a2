# comments.awk  The comments of a header in Doxygen's language: they are written to be read where they stand.
#
#     awk -v include=FOLDER -f names.awk -f comments.awk HEADER
#
# In a comment, beyond its margin of two columns,
#
#     four columns after an empty line   formulas or code
#     two columns                        a list, "term  meaning" or without terms; deeper lines go on with the entry

function indentation(text)
{
    match(text, /^ */)
    return RLENGTH
}

function endList()
{
    if (list == "")
        return
    print list == "terms" ? "</dd></dl>" : "</li></ul>"
    list = ""
}

function endCode()
{
    if (code)
        print "@endcode"
    code = 0
}

# One line of a comment, without its mark and margin.
function say(text,    deep, term)
{
    deep = indentation(text)
    if (text ~ /^ *$/) {
        if (!code)
            endList()
        empty++
        if (!code)
            print ""
        return
    }
    if (section == "" && deep >= 4 && (code || (empty && list == ""))) {
        if (!code)
            print text ~ /[;{]$/ ? "@code{.c}" : "@code{.unparsed}"
        for (; code && empty > 0; empty--)
            print ""
        code = 1
        empty = 0
        print substr(text, 5)
        return
    }
    if (code)
        print ""
    endCode()
    empty = 0
    if (text ~ /^@(param|return)/)
        section = "@"
    else if (section != "" && deep == 0) {
        section = ""
        print ""
    }
    # "@param  a, b  meaning" for both
    if (match(text, /^@param(\[[a-z,]*\])? +[A-Za-z]+(, [A-Za-z]+)+/)) {
        term = substr(text, 1, RLENGTH)
        text = substr(text, RLENGTH + 1)
        gsub(/, /, ",", term)
        print term " " linked(escaped(text))
        return
    }
    if (section == "" && deep == 2) {
        sub(/^ +/, "", text)
        term = ""
        if (match(text, /  +/)) {
            term = substr(text, 1, RSTART - 1)
            text = substr(text, RSTART + RLENGTH)
        }
        if (list == "")
            list = term == "" ? "items" : "terms"
        else
            print list == "terms" ? "</dd>" : "</li>"
        if (!listed++)
            print list == "terms" ? "<dl>" : "<ul>"
        print list == "terms" ? "<dt>" linked(escaped(term)) "</dt><dd>" : "<li>"
        print linked(escaped(text))
        return
    }
    if (deep < 2 && section == "")
        endList()
    sub(/^ +/, "", text)
    print text ~ /^\|.*\|$/ ? text : linked(escaped(text))
}

function begin()
{
    list = section = ""
    code = empty = 0
}

function end()
{
    endCode()
    endList()
    print "*/"
}

list == "" { listed = 0 }

inside {
    text = $0
    stop = sub(/ *\*\/[ \t]*$/, "", text)
    sub(/^ *\*/, "", text)
    sub(/^ /, "", text)
    sub(/^ /, "", text)
    if (!stop || text != "")
        say(text)
    if (stop) {
        end()
        inside = 0
    }
    next
}

# a comment before a declaration, or behind a member
match($0, /\/\*\*<? ?/) {
    before = substr($0, 1, RSTART - 1)
    mark = substr($0, RSTART, RLENGTH)
    text = substr($0, RSTART + RLENGTH)
    stop = match(text, /\*\//)
    rest = ""
    if (stop) {
        rest = substr(text, RSTART + RLENGTH)
        text = substr(text, 1, RSTART - 1)
    }
    begin()
    if (mark !~ /</)
        inner = 0
    print before (mark ~ /</ ? "/**< " : "/**")
    if (text ~ /^@file/) {
        # the first sentence is what lists of files show
        match(text, /^@file +[^ ]+/)
        print substr(text, 1, RLENGTH)
        print "@brief"
        text = substr(text, RLENGTH + 1)
        sub(/^ +/, "", text)
    }
    # "text. @return statuses" in one line
    if (match(text, /. @return /)) {
        say(substr(text, 1, RSTART))
        print ""
        text = substr(text, RSTART + 2)
    }
    say(text)
    if (stop) {
        end()
        if (rest != "")
            print rest
    } else
        inside = 1
    declared = ""
    next
}

# declarations under one comment
/^KS_API/ {
    if (declared != "" && lastDeclared == NR - 1)
        print "/** @copydoc " declared " */"
    if (match($0, /ks[A-Z][A-Za-z0-9]*\(/)) {
        declared = substr($0, RSTART, RLENGTH - 1)
        lastDeclared = NR
    }
}

{ print }
