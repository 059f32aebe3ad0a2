"""travel.py PAGE PICTURE  A car that drives far away: the scene goes with it, until somebody wants to see all of the way."""
import sys

import chromium
from chromium import expect
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

page, picture = sys.argv[1:]
browser = chromium.start(1280, 1400)
PATIENCE = 120     # s: for what hangs
LEAST = .15        # of the picture that a car on its way is wide at least
LEAST_OF_ALL = .1  # that a car is narrower than where all of its way is seen

# where the mass centres are in the picture, from -1 to 1 each way, in the frame that is drawn
SEEN = """
const [frame, done] = arguments, p = shownMotion.player;
seek(p, p.motion.time[frame]);
requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() =>
    done(p.scene.forms.map(({group}) => group.position.clone().project(p.scene.camera).toArray().slice(0, 2))))));
"""


def width_at(frame):
    """Share of the picture; everything is in it."""
    seen = browser.execute_async_script(SEEN, frame)
    expect(all(abs(x) < 1 for place in seen for x in place), f"frame {frame}: a body is not in the picture: {seen}")
    across = [place[0] for place in seen]
    return (max(across) - min(across)) / 2


def press(key):
    browser.find_element(By.CSS_SELECTOR, ".stage").send_keys(key)


try:
    browser.set_script_timeout(PATIENCE)
    browser.get("file://" + page)
    WebDriverWait(browser, PATIENCE).until(lambda _: browser.execute_script("return Boolean(shownMotion?.player)"), "there is no scene")
    driven = browser.execute_script("return report.worlds[0].joints.filter(joint => joint.motors.length).map(joint => "
                                    "[joint.motors[0], jointPanel(joint, 0.15, () => {}).textContent])")
    expect(len(driven) == 4, f"{len(driven)} wheels have motors")
    for motor, words in driven:
        told = f"Motor {motor['axis'] + 1}: at its limit in "
        expect(told in words and f"of {motor['steps']} step" in words, f"no {told} in {words}")
    last = browser.execute_script("return shownMotion.player.motion.frames - 1")
    box = browser.find_element(By.CSS_SELECTOR, "input[aria-label=follow]")
    for frame in (0, last // 2, last):
        expect(width_at(frame) > LEAST, f"frame {frame}: the car is a dot, though it is followed")
    expect(box.is_selected(), "the box does not say that it is followed")
    browser.save_screenshot(picture)
    press("0")
    expect(width_at(last) > LEAST, "0 does not show the car")
    press("f")
    expect(not box.is_selected(), "f does not end it")
    press("0")
    for frame in (0, last):
        expect(width_at(frame) < LEAST_OF_ALL, f"frame {frame}: not all of the way is seen")
    press("f")
    press("0")
    expect(width_at(0) > LEAST, "f and 0 do not show the car again")
finally:
    browser.quit()
