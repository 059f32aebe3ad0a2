# pages.awk  A Markdown page in Doxygen's language: headings get labels, links between pages and to headers become
# references, and names of the headers links.
#
#     awk -v include=FOLDER -f names.awk -f pages.awk PAGE

function stem(path)
{
    if (path ~ /demos\/README\.md$/)
        return "gallery"
    sub(/.*\//, "", path)
    sub(/\.md$/, "", path)
    return path == "README" ? "overview" : tolower(path)
}

# The anchor that a heading has on hosting sites.
function anchor(heading)
{
    heading = tolower(heading)
    gsub(/[^a-z0-9 _-]/, "", heading)
    gsub(/ /, "-", heading)
    return heading
}

# A target of a link as a reference, where it is one of ours.
function target(link,    place)
{
    if (link ~ /^[a-z]+:/)
        return link
    place = ""
    if (match(link, /#.*/)) {
        place = "_" substr(link, RSTART + 1)
        link = substr(link, 1, RSTART - 1)
    }
    if (link == "" || link ~ /\.md$/)
        return "@ref " (link == "" ? page : stem(link)) place
    sub(/.*\//, "", link)
    return link ~ /\.([ch]|hpp)$/ ? "@ref " link : link
}

function withTargets(text,    result, link)
{
    while (match(text, /\]\([^)]*\)/)) {
        link = substr(text, RSTART + 2, RLENGTH - 3)
        result = result substr(text, 1, RSTART + 1)
        text = substr(text, RSTART + RLENGTH - 1)
        result = result target(link)
    }
    return result text
}

# `code` that begins with a name of the headers
function named(code,    name, shown)
{
    # a quotation mark would end it
    if (code ~ /'/)
        return "``" code "``"
    if (!match(code, /^(ks[A-Z]|KS_)[A-Za-z0-9_]*/))
        return "`" code "`"
    name = substr(code, 1, RLENGTH)
    shown = code
    gsub(/[<>&]/, "\\\\&", shown)
    if (!(name in known))
        return name ~ /^ks/ && code ~ /^[A-Za-z0-9:]*$/ ? "<tt>" shown "</tt>" : "`" code "`"
    if (code == name)
        return "<tt>#" name "</tt>"
    return code ~ /["*]/ ? "`" code "`" : "<tt>@ref " name " \"" shown "\"</tt>"
}

# The text of a link is plain: it holds neither code nor further links.
function converted(text,    result, before, code)
{
    text = withTargets(text)
    while (match(text, /`[^`]*`/)) {
        before = substr(text, RSTART - 1, RSTART > 1)
        code = substr(text, RSTART + 1, RLENGTH - 2)
        result = result substr(text, 1, RSTART - 1)
        text = substr(text, RSTART + RLENGTH)
        result = result (before == "[" ? code : named(code))
    }
    return result text
}

# Whatever the folder of all is called: the headers are below it.
FNR == 1 {
    folder = FILENAME
    sub(/[^\/]*$/, "", folder)
    page = (getline line < (folder "include/kinetostat/kinetostat.h")) > 0 ? stem("/" substr(FILENAME, length(folder) + 1)) : stem(FILENAME)
}

/^```/ {
    fenced = !fenced
    print
    next
}

!fenced && /^#+ / {
    heading = $0
    sub(/^#+ /, "", heading)
    if (!titled++) {
        level = 1
        print "# " (page == "overview" ? "Overview" : heading) " {#" page "}"
        next
    }
    label = page "_" anchor(heading)
    if (seen[label]++)
        label = label "-" (seen[label] - 1)
    # Doxygen knows no section that skips a level
    match($0, /^#+/)
    level = RLENGTH > level + 1 ? level + 1 : RLENGTH
    print substr("######", 1, level) " " heading " {#" label "}"
    next
}

fenced || /^    / {
    print
    next
}

# code may go on in the next line
{
    text = held (held == "" ? "" : " ") $0
    held = text
    if (gsub(/`/, "", held) % 2) {
        held = text
        next
    }
    held = ""
    print converted(text)
}
