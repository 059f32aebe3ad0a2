"""looks_on.py [browser]  Looks on at one run after the other, as a page does or in a page in Chromium, until there is no more. A line of the input is

    WHO ADDRESS GO HELD

Holds the run back before it begins, makes the file GO, and HELD once it is held, asks for everything, and lets the run go. WHO answers: the command at
once, a demo once it steps. Answers by a line: how often the run had not ended yet, or what has gone wrong."""
import http.client
import json
import os
import sys
import time
import urllib.parse

PATIENCE = 600  # s: for what hangs
PAUSE = .02  # s: between two looks, for the run to go on


class Line:
    """Of HTTP, to the run."""

    def __init__(self, address):
        self.place = urllib.parse.urlsplit(address)
        self.line = http.client.HTTPConnection(self.place.netloc, timeout=PATIENCE)

    def answer(self):
        found = self.line.getresponse()
        body = found.read()
        assert found.status == 200, (found.status, body)
        return body

    def begin(self, method, path):
        self.line.request(method, self.place.path + path)

    def ask(self, method, path):
        self.begin(method, path)
        return self.answer()


class Client:
    """Asks for all that a page asks for, again and again."""

    def open(self, line):
        self.line = line
        line.ask("GET", "")

    def is_over(self):
        names = [world["name"] for world in json.loads(self.line.ask("GET", "report"))["worlds"]] or ["none"]
        told = [json.loads(self.line.ask("GET", "motion?" + urllib.parse.urlencode({"world": name, "from": 0}))) for name in names]
        return told[-1]["state"]["isOver"]

    def take(self):
        self.line.ask("GET", "run.html")

    def end(self):
        self.line.ask("POST", "wish?done=1")

    def close(self):
        pass


class Browser:
    """The page itself: it asks, draws, and tells the run that it has all."""

    def __init__(self):
        sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "page"))
        import chromium
        self.browser = chromium.start(1280, 900)

    def open(self, line):
        self.browser.get(line.place.geturl())

    def is_over(self):
        told = self.browser.execute_script("return document.querySelector('main').textContent")
        assert "gives up" not in told, "the page gives up"
        return "The run is over" in told

    def take(self):
        self.browser.execute_script("if (shownMotion?.player) run(shownMotion.player, true)")

    def end(self):
        told = [entry["message"] for entry in self.browser.get_log("browser") if "favicon" not in entry["message"]]
        assert not told, told
        self.browser.get("about:blank")

    def close(self):
        self.browser.quit()


def look_on(page, who, address, go, held):
    line = Line(address)
    line.begin("POST", "wish?hold=1")
    if who == "command":
        line.answer()
    open(go, "w").close()
    if who == "demo":
        line.answer()
    open(held, "w").close()
    page.open(line)
    seen = 0
    for wish in ["goon=50000", "goon=10000", "hold=0"]:
        seen += not page.is_over()
        page.take()
        line.ask("POST", "wish?" + wish)
    begun = time.monotonic()
    while not page.is_over():
        seen += 1
        assert time.monotonic() < begun + PATIENCE, "it does not end"
        time.sleep(PAUSE)
    page.take()
    page.end()
    return seen


page = Browser() if sys.argv[1:] == ["browser"] else Client()
try:
    for words in sys.stdin:
        try:
            print(look_on(page, *words.split()), flush=True)
        except Exception as error:
            print("failed:", " ".join(repr(error).split()), flush=True)
finally:
    page.close()
