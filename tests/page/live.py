"""live.py PICTURE LINK COMMAND...  Looks on while a command runs: kinetostat --view PROGRAM, whose program is live.c. It goes there by the file that the
command hands over to be opened, holds the program back, lets it go, and saves the run; the page stays when the command has ended."""
import atexit
import base64
import os
import re
import subprocess
import sys
import time
import urllib.request

import chromium
from chromium import expect
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

PATIENCE = 120  # s: for what hangs
picture, link, command = sys.argv[1], sys.argv[2], sys.argv[3:]

browser = chromium.start(1280, 1400)
run = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
atexit.register(browser.quit)
atexit.register(run.kill)


def find(selector):
    return browser.find_elements(By.CSS_SELECTOR, selector)


def wait(condition, words):
    return WebDriverWait(browser, PATIENCE, .05).until(lambda _: condition(), words)


def state():
    return browser.execute_script("""const p = shownMotion?.player;
        return p?.live?.state && {frames: p.motion.frames, bodies: p.motion.bodies.length, joints: p.motion.joints.length, time: p.time, last: p.last,
            state: p.live.state, follows: p.live.isFollowed, chosen: p.chosen?.joint?.label ?? null, told: report.worlds[0].steps.seen}""")


def click(words):
    next(one for one in find("section button") if one.text == words).click()


def come_to(condition, words):
    def holds():
        now = state()
        return now and condition(now) and now
    return wait(holds, words)


def settle():
    """The state when nothing has come for two seconds: what was sent to the judge before it was held is judged yet."""
    before, now = None, state()
    begun = time.monotonic()
    while not before or before["frames"] != now["frames"]:
        expect(time.monotonic() < begun + PATIENCE, "held, it goes on")
        before = now
        time.sleep(2)
        now = state()
    return now


address = None
while not address:
    line = run.stderr.readline()
    expect(line, "the command tells no address")
    address = re.search(r"http://127\.0\.0\.1:\d+/[0-9a-f]{32}/", line)
address = address.group(0)


def wish(words):
    urllib.request.urlopen(urllib.request.Request(address + "wish?" + words, method="POST"))


# held from the start, so that nothing here depends on how fast this machine is
wish("hold=1")
wait(lambda: os.path.exists(link), "nothing is handed over to be opened")
browser.get("file://" + link)
wait(lambda: browser.current_url == address, "it does not lead to the page")
wait(lambda: "No world has been stepped yet" in find("main")[0].text, "there is a step before it has begun")
wish("goon=300000")
run.stdin.write("\n")
run.stdin.flush()
come_to(lambda now: now["state"]["isHeld"], "a held run is not shown")
Select(find("select[aria-label='pace of the program']")[0]).select_by_visible_text("at most \u00d7 0.25")
click("let the program go on")

# it grows, and the scene stays at the newest frame
begin = come_to(lambda now: now["frames"] > 2, "there are no frames")
come_to(lambda now: now["frames"] > begin["frames"] + 5 and now["follows"] and now["last"] - now["time"] < .5, "it does not go on")
expect("Going on at 0.25" in find("section .moment")[0].text, "what it does is not told")
Select(find("select[aria-label='joint or body']")[0]).select_by_index(2)
second = state()["chosen"]
expect(second, "nothing is chosen")

# held: what was sent by then is seen yet, and no more
click("hold the program")
come_to(lambda now: now["state"]["isHeld"], "it is not held")
held = settle()
click("one frame")
come_to(lambda now: now["frames"] > held["frames"], "no frame comes")
after = settle()
expect(after["frames"] <= held["frames"] + 2, f"for a frame it goes on from {held} to {after}")

# what was seen can be seen again, while more comes
browser.execute_script("seek(shownMotion.player, 0); run(shownMotion.player, false)")
Select(find("select[aria-label='pace of the program']")[0]).select_by_visible_text("as fast as it goes")
click("let the program go on")
after = come_to(lambda now: now["frames"] > held["frames"] + 10, "it does not go on")
expect(after["time"] == 0 and not after["follows"], f"the scene goes on by itself: {after}")
expect(after["chosen"] == second, f"{second} was chosen, and now {after}")

# a body and a joint come, a joint goes; the report below grows
come_to(lambda now: now["bodies"] == 5 and now["joints"] == 5, "what is added is not seen")
come_to(lambda now: now["told"] > 300, "the report does not grow")

# the end: the page has all, and the command ends with the program's status
over = come_to(lambda now: now["state"]["isOver"], "it does not end")
words = run.communicate(timeout=PATIENCE)
expect(run.returncode == 0, f"the command ends with {run.returncode}: {words[1]}")
expect(over["bodies"] == 5, f"at the end: {over}")
expect("The run is over" in find("section .moment")[0].text, "that it is over is not told")
expect(browser.execute_script("return report.runs[0].end") == "exit status 0", "the report is not that of the end")
expect(not find(".banners .failed"), "a run that has ended well is told to be bad")
browser.execute_script("seek(shownMotion.player, 1.5)")
expect(abs(state()["time"] - 1.5) < .1, "what was seen is gone with the program")
browser.save_screenshot(picture)

# its program, its parameter and its joints are called by markup
drawn = find("body")[0].text
expect(all(words in drawn for words in ("<k-1 a>", "<k-7 a>=<k-9 a>", "<k-10 a>")), "names are not shown as they are")
expect(not browser.execute_script("return [...document.querySelectorAll('*')].some(one => one.localName.startsWith('k-'))"), "a name has become an element")

# what is saved is the page of the whole run
saved = browser.execute_async_script("""const [done] = arguments, reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.readAsDataURL(shownMotion.player.live.file);""")
path = picture + ".html"
with open(path, "wb") as file:
    file.write(base64.b64decode(saved.split(",")[1]))
frames = state()["frames"]
entries = [entry["message"] for entry in browser.get_log("browser")]
expect(not entries, f"the console has {entries}")
browser.get("file://" + os.path.abspath(path))
wait(lambda: browser.execute_script("return Boolean(shownMotion?.player)"), "the saved page shows nothing")
found = browser.execute_script("return [shownMotion.player.motion.frames, shownMotion.player.live]")
expect(found == [frames, None], f"the saved page has {found}, not {frames} frames")
os.remove(path)
sys.stdout.write(words[0])
