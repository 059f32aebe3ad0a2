# words.awk  The text of Doxygen's pages for the search of find.js: a line for each section.
#
#     awk -f words.awk html/*.html >html/words.js
#
# A section begins at an anchor, and has the heading that follows it: [address, page, section, text].

# Without marks and entities, as a string of JavaScript.
function plain(text)
{
    gsub(/<[^>]*>/, " ", text)
    gsub(/&#?[a-zA-Z0-9]+;/, "\001&\001", text)
    gsub(/\001&lt;\001/, "<", text)
    gsub(/\001&gt;\001/, ">", text)
    gsub(/\001&quot;\001/, "\"", text)
    gsub(/\001&amp;\001/, "\\&", text)
    gsub(/\001[^\001]*\001/, " ", text)
    gsub(/[ \t\n]+/, " ", text)
    sub(/^ /, "", text)
    sub(/ $/, "", text)
    gsub(/\\/, "\\\\&", text)
    gsub(/"/, "\\\"", text)
    return text
}

function finish(    words)
{
    words = plain(text)
    if (words != "")
        printf "[\"%s\",\"%s\",\"%s\",\"%s\"],\n", address, page, plain(section), words
    text = section = ""
}

BEGIN {
    print "window.ksWords = ["
}

FNR == 1 {
    if (inside)
        finish()
    inside = heads = 0
    file = FILENAME
    sub(/.*\//, "", file)
    address = file
    # lists of names and sources: what they hold is elsewhere
    skipped = file ~ /^(functions|globals|dir_|files|annotated|classes|pages|examples)|_source\.html$|(md|dox)\.html$/
}

/<title>/ {
    page = $0
    sub(/.*<title>/, "", page)
    sub(/<\/title>.*/, "", page)
    sub(/^Kinetostat: /, "", page)
    page = plain(page)
}

skipped { next }

/<div class="contents">/ { inside = 1 }
/<!-- contents -->|<!-- start footer/ { if (inside) finish(); inside = 0 }
!inside { next }

match($0, /<a (class="anchor" )?id="[^"]*"/) {
    finish()
    address = substr($0, RSTART, RLENGTH - 1)
    sub(/.*"/, "", address)
    address = file "#" address
}

# a heading goes on to its end
/<h[1-6]/ && section == "" { heads = 1 }
heads {
    section = section " " $0
    if (/<\/h[1-6]>/)
        heads = 0
}
{ text = text " " $0 }

END {
    print "];"
}
