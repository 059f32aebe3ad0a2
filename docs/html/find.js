/* find.js  A search over the full text of the manual, in any browser, also from file://. The words are loaded with the first key. */
"use strict";
(function () {
    const most = 40, around = 70;
    const form = document.createElement("form"), input = document.createElement("input"), list = document.createElement("ol");
    const contents = document.createElement("a");
    let loading = false;

    function excerpt(text, words) {
        const lower = text.toLowerCase(), at = Math.min(...words.map(word => lower.indexOf(word)).filter(place => place >= 0));
        const from = isFinite(at) ? Math.max(0, at - around) : 0, part = text.substr(from, 3 * around);
        const box = document.createElement("p");
        box.append(from ? "… " : "");
        let rest = part;
        while (rest) {
            const places = words.map(word => [rest.toLowerCase().indexOf(word), word.length]).filter(place => place[0] >= 0);
            const [place, length] = places.length ? places.reduce((a, b) => (b[0] < a[0] ? b : a)) : [rest.length, 0];
            const mark = document.createElement("mark");
            mark.textContent = rest.substr(place, length);
            box.append(rest.substr(0, place), length ? mark : "");
            rest = rest.substr(place + length);
        }
        return box;
    }

    /* Each word is somewhere in the section; those in its heading come first, then those that name it most often. */
    function rank([, page, section, text], words) {
        const heading = `${page} ${section}`.toLowerCase(), lower = text.toLowerCase();
        let sum = 0;
        for (const word of words) {
            const count = lower.split(word).length - 1;
            if (!count && !heading.includes(word))
                return 0;
            sum += (section.toLowerCase().includes(word) ? 100 : 0) + (page.toLowerCase().includes(word) ? 20 : 0) + Math.min(count, 10);
        }
        return sum;
    }

    function find() {
        const words = input.value.toLowerCase().split(/\s+/).filter(word => word.length > 1);
        list.replaceChildren();
        list.hidden = !words.length;
        if (!words.length || !window.ksWords)
            return;
        const found = window.ksWords.map(entry => [rank(entry, words), entry]).filter(entry => entry[0]);
        found.sort((a, b) => b[0] - a[0]);
        for (const [, [address, page, section, text]] of found.slice(0, most)) {
            const item = document.createElement("li"), link = document.createElement("a");
            link.href = address;
            link.textContent = section && section !== page ? `${page}: ${section}` : page;
            item.append(link, excerpt(text, words));
            list.append(item);
        }
        const end = document.createElement("li");
        end.textContent = found.length ? (found.length > most ? `and ${found.length - most} more` : "") : "nothing found";
        list.append(end);
    }

    function load() {
        if (loading)
            return;
        loading = true;
        const script = document.createElement("script");
        script.src = "words.js";
        script.onload = find;
        document.head.append(script);
    }

    input.type = "search";
    input.placeholder = "Search the manual";
    input.setAttribute("aria-label", input.placeholder);
    input.addEventListener("focus", load);
    input.addEventListener("input", () => { load(); find(); });
    form.addEventListener("submit", event => {
        event.preventDefault();
        const first = list.querySelector("a");
        if (first)
            location.href = first.href;
    });
    document.addEventListener("keydown", event => {
        if (event.key === "Escape")
            list.hidden = true;
        if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) {
            event.preventDefault();
            input.focus();
        }
    });
    // a result in this page is reached without loading another
    list.addEventListener("click", () => { list.hidden = true; });
    list.hidden = true;
    form.id = "find";
    contents.href = "index.html";
    contents.textContent = "Contents";
    form.append(contents, input, list);
    (document.getElementById("titlearea") || document.body).append(form);
})();
