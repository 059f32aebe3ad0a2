"""bench.py NAME=PAGE...  What HTML reports cost a browser that draws without a graphics card: headless Chromium, SwiftShader. For each page:

    words     s, from the navigation until the first text is drawn
    picture   s, until the scene of the run in motion is; and the processor time of all of Chromium's processes by then
    script    ms, of a frame: the page's own
    draw      ms, with the drawing, which is waited for; and the processor time
    frames/s  that are drawn while the run plays

Each is the median of ROUNDS. Processor time hardly depends on what else the machine does."""
import glob
import os
import statistics
import sys

import chromium
from selenium.webdriver.support.ui import WebDriverWait

ROUNDS, PATIENCE = 3, 300  # s: for what hangs
FRAMES, SECONDS = 60, 3  # of a measurement

# From the beginning of each page: when the scene has been drawn, ms since the navigation. A pixel that is read is drawn.
LOOK_ON = """
window.bench = {
    picture: null,
    finish: p => {
        const gl = p.scene.renderer.getContext();
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    },
    look: () => {
        const p = typeof shownMotion === "undefined" ? null : shownMotion?.player;
        if (!p?.scene.renderer.info.render.frame)
            return requestAnimationFrame(bench.look);
        bench.finish(p);
        bench.picture = performance.now();
    },
};
addEventListener("load", bench.look);
"""

PLAY = """
const [seconds, done] = arguments, p = shownMotion.player, {info} = p.scene.renderer;
p.speed = .9 * (p.last - p.first) / seconds;
seek(p, p.first);
run(p, true);
setTimeout(() => {
    const first = info.render.frame, begin = performance.now();
    setTimeout(() => {
        const rate = 1000 * (info.render.frame - first) / (performance.now() - begin);
        run(p, false);
        done(rate);
    }, .8 * 1000 * seconds);
}, .1 * 1000 * seconds);
"""

DRAW = """
const [count] = arguments, p = shownMotion.player;
run(p, false);
const frame = i => {
    p.time = p.first + i / count * (p.last - p.first);
    const begin = performance.now();
    draw(p, begin);
    const script = performance.now() - begin;
    bench.finish(p);
    return [script, performance.now() - begin];
};
frame(0);
const all = Array.from({length: count}, (_, i) => frame(i)), middle = k => all.map(one => one[k]).sort((a, b) => a - b)[count >> 1];
return [middle(0), middle(1)];
"""


def spent(root):
    """Processor time of a process and all below it, s."""
    parents, times = {}, {}
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path, encoding="utf-8") as file:
                number, rest = file.read().split(" (", 1)
        except (FileNotFoundError, ProcessLookupError):
            continue
        fields = rest.rsplit(")", 1)[1].split()
        parents[int(number)], times[int(number)] = int(fields[1]), (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def is_below(number):
        return number == root or (number in parents and is_below(parents[number]))
    return sum(time for number, time in times.items() if is_below(number))


def measure(browser, page):
    browser.get("about:blank")
    begin = spent(browser.service.process.pid)
    browser.get("file://" + os.path.abspath(page))
    WebDriverWait(browser, PATIENCE, .05).until(lambda _: browser.execute_script("return bench.picture"))
    opened = spent(browser.service.process.pid)
    words = browser.execute_script("return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN")
    picture = browser.execute_script("return bench.picture")
    before = spent(browser.service.process.pid)
    script, drawn = browser.execute_script(DRAW, FRAMES)
    drawing = spent(browser.service.process.pid) - before
    return [words / 1000, picture / 1000, opened - begin, script, drawn, 1000 * drawing / FRAMES, browser.execute_async_script(PLAY, SECONDS)]


COLUMNS = ["words, s", "picture, s", "processor, s", "script, ms", "draw, ms", "processor, ms", "frames/s"]
SIZES = "const {motion} = shownMotion.player; return [motion.bodies.length, motion.joints.length, motion.contacts.length, motion.frames]"


def main():
    browser = chromium.start(1280, 1000)
    browser.set_script_timeout(PATIENCE)
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": LOOK_ON})
    print(f"{'page':<10} {'MB':>5}" + "".join(f" {word:>8}" for word in ("bodies", "joints", "contacts", "frames")) +
          "".join(f" {word:>13}" for word in COLUMNS), flush=True)
    for name, page in (one.split("=", 1) for one in sys.argv[1:]):
        found = [measure(browser, page) for _ in range(ROUNDS)]
        sizes = browser.execute_script(SIZES)
        print(f"{name:<10} {os.path.getsize(page) / 1e6:5.2f}" + "".join(f" {size:8}" for size in sizes) +
              "".join(f" {statistics.median(column):13.2f}" for column in zip(*found, strict=True)), flush=True)
    browser.quit()


main()
