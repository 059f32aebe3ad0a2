# reasons.awk  The meaning and the remedy of each reason, from the entries of docs/questions.md: as a constant of JavaScript, or with
# -v language=c as a table of C.
BEGIN {
    if (language == "c")
        print "/* Made by reasons.awk. */\n#include \"report/findings/findings.h\"\n\nconst ksiReasonWords ksiReasonTable[] = {"
    else
        print "/* Made by reasons.awk. */\nconst reasonMeanings = {"
}
function plain(words,   begin, word) {
    while (match(words, /\[[^]]*\]\([^)]*\)/)) {
        word = substr(words, RSTART + 1, RLENGTH - 1)
        begin = substr(words, 1, RSTART - 1)
        words = begin substr(word, 1, index(word, "]") - 1) substr(words, RSTART + RLENGTH)
    }
    gsub(/[`*]/, "", words)
    gsub(/[\\"]/, "\\\\&", words)
    return words
}
function finish() {
    if (name && meaning && language == "c") {
        sub(/^[a-z]/, toupper(substr(remedy, 1, 1)), remedy)
        printf "    {\"%s\", \"%s\", \"%s\"},\n", name, plain(meaning), plain(remedy)
    } else if (name && meaning) {
        printf "    %s: \"%s\",\n", name, plain(meaning)
    }
    name = meaning = remedy = part = ""
}
/^#### `KS_REASON_/ { finish(); name = $2; gsub(/`/, "", name); part = "meaning"; next }
/^#/ { finish(); next }
/^- \*\*What to do:\*\* / { sub(/^- \*\*What to do:\*\* /, ""); remedy = $0; part = "remedy"; next }
/^$/ || /^- / { if (meaning) part = ""; next }
part == "meaning" { meaning = meaning (meaning ? " " : "") $0 }
part == "remedy" { sub(/^ +/, ""); remedy = remedy " " $0 }
END {
    finish()
    print language == "c" ? "    {0, 0, 0}};" : "};"
}
