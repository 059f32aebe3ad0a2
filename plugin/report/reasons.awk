# reasons.awk  What each reason means, from the first paragraph under its heading in docs/questions.md, as a constant of JavaScript.
BEGIN { print "/* Made by reasons.awk. */\nconst reasonMeanings = {" }
function finish() {
    if (name && text) {
        text = gensubLinks(text)
        gsub(/[`*]/, "", text)
        gsub(/[\\"]/, "\\\\&", text)
        printf "    %s: \"%s\",\n", name, text
    }
    name = text = ""
}
function gensubLinks(words,   begin, word) {
    while (match(words, /\[[^]]*\]\([^)]*\)/)) {
        word = substr(words, RSTART + 1, RLENGTH - 1)
        begin = substr(words, 1, RSTART - 1)
        words = begin substr(word, 1, index(word, "]") - 1) substr(words, RSTART + RLENGTH)
    }
    return words
}
/^#### `KS_REASON_/ { finish(); name = $2; gsub(/`/, "", name); next }
/^#/ { finish(); next }
name && /^$/ { if (text) finish(); next }
name { text = text (text ? " " : "") $0 }
END { finish(); print "};" }
