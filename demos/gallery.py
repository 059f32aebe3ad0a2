#!/usr/bin/python3
"""gallery.py FOLDER [demo...]  Makes the pictures of README.md again, and the film, by the page that each demo writes: --html. Called in the
build directory; `make gallery` does. On Debian: apt-get install chromium-driver python3-selenium python3-pil."""
import io
import os
import subprocess
import sys
import tempfile

from PIL import Image
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

WIDTH, HEIGHT, SCALE = 800, 450, 2  # of the window; pixels of the picture in one of its own
COLOURS = 128

# s of the world that is shown, and what its name begins with; the rest of the page's state: joints that are chosen, values that are shown
SCENES = {
    "chain": (.35, ""), "crane": (.6, ""), "arm": (4.9, ""), "bridge": (1.1, ""), "door": (1.8, ""), "linkage": (1, ""), "pile": (1.4, ""),
    "ragdoll": (.65, ""), "vehicle": (2.05, ""), "walker": (1, ""), "wrist": (1, ""), "pendulum": (.65, ""), "atwood": (.3, ""),
    "incline": (.3, ""), "rotating_line": (.5, ""), "fourbar": (1, ""), "impact": (.003, ""),
}

# of the film: the demo, from when to when, s; frames in a second, and how much slower than the world
FILM = ("ragdoll", 0, 2.4, 20, 2)

# the scene alone, as large as the window
LAY_OUT = """
const style = document.createElement("style");
style.textContent = ".run { position: fixed; inset: 0; z-index: 9; display: block; background: var(--paper, white) } .run .details { display: none }"
    + " .stage { width: 100vw; height: 100vh !important; border: 0 }";
document.head.append(style);
document.body.style.overflow = "hidden";
"""


def open_browser():
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
                     "--hide-scrollbars", f"--force-device-scale-factor={SCALE}", f"--window-size={WIDTH},{HEIGHT}"):
        options.add_argument(argument)
    browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    inner = browser.execute_script("return [innerWidth, innerHeight]")
    browser.set_window_size(2 * WIDTH - inner[0], 2 * HEIGHT - inner[1])
    return browser


def open_run(browser, page, world):
    browser.get("file://" + page)
    browser.execute_script("""const select = document.querySelector("header select"), name = arguments[0];
        const option = name && select ? [...select.options].find(one => one.text.startsWith(name)) : null;
        if (option) { select.value = option.value; select.dispatchEvent(new Event("change")); }""", world)
    WebDriverWait(browser, 60).until(lambda _: browser.execute_script("return Boolean(shownMotion?.player)"))
    browser.execute_script(LAY_OUT)


def take(browser, time):
    browser.execute_async_script("""const [time, done] = arguments;
        seek(shownMotion.player, time);
        requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)));""", time)
    return Image.open(io.BytesIO(browser.get_screenshot_as_png())).convert("RGB")


def draw(browser, folder, work, demo):
    time, world = SCENES[demo]
    page = os.path.join(work, demo + ".html")
    subprocess.run(["demos/" + demo, "--quiet", "--html", page], check=True, stdout=subprocess.DEVNULL)
    open_run(browser, page, world)
    picture = take(browser, time).quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    picture.save(os.path.join(folder, demo + "-view.png"), optimize=True)
    if demo == FILM[0]:
        _, begin, end, rate, slower = FILM
        count = round((end - begin) * rate * slower)
        frames = [take(browser, begin + i / rate / slower).resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS) for i in range(count)]
        frames[0].save(os.path.join(folder, demo + ".webp"), save_all=True, append_images=frames[1:], duration=round(1000 / rate), loop=0,
                       quality=60, method=6)


def main():
    if len(sys.argv) < 2 or set(sys.argv[2:]) - set(SCENES):
        sys.exit(__doc__)
    browser = open_browser()
    with tempfile.TemporaryDirectory() as work:
        for demo in sys.argv[2:] or SCENES:
            print(demo, flush=True)
            draw(browser, sys.argv[1], work, demo)
    browser.quit()


main()
