"""looks_on.py WHO ADDRESS GO HELD  Looks on as a page does, until there is no more. Holds the run back before it begins, makes the file GO, and HELD
once it is held, asks for everything, and lets the run go. WHO answers: the command at once, a demo once it steps. Tells how often the run had not ended yet."""
import http.client
import json
import sys
import urllib.parse

place = urllib.parse.urlsplit(sys.argv[2])
line = http.client.HTTPConnection(place.netloc, timeout=600)


def answer():
    found = line.getresponse()
    body = found.read()
    assert found.status == 200, (found.status, body)
    return body


def ask(method, path):
    line.request(method, place.path + path)
    return answer()


def look():
    """Whether it is over."""
    names = [world["name"] for world in json.loads(ask("GET", "report"))["worlds"]] or ["none"]
    told = [json.loads(ask("GET", "motion?" + urllib.parse.urlencode({"world": name, "from": 0}))) for name in names]
    return told[-1]["state"]["isOver"]


line.request("POST", place.path + "wish?hold=1")
if sys.argv[1] == "command":
    answer()
open(sys.argv[3], "w").close()
if sys.argv[1] == "demo":
    answer()
open(sys.argv[4], "w").close()
ask("GET", "")
seen = 0
for wish in ["goon=50000", "goon=10000", "hold=0"]:
    seen += not look()
    ask("GET", "run.html")
    ask("POST", "wish?" + wish)
while not look():
    seen += 1
ask("GET", "run.html")
ask("POST", "wish?done=1")
print(seen)
