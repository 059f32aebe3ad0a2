"""motion.py PAGE [PICTURE]  Opens the run in motion of an HTML report and uses it: mouse, touch, keys; looks at its pixels, and unpacks it on its own."""
import base64
import json
import math
import sys
import zlib

import chromium
from chromium import expect
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

page, picture = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
browser = chromium.start(1280, 1400)
PATIENCE = 120  # s: for what hangs

# how many pixels of a picture, around a point, have a colour of the page, within 40 of 255 in each part
COUNT_PIXELS = """
const [png, name, x, y, r, done] = arguments, picture = new Image(), probe = document.createElement("i");
picture.onload = () => {
    const canvas = document.createElement("canvas"), context = canvas.getContext("2d");
    [canvas.width, canvas.height] = [picture.width, picture.height];
    context.drawImage(picture, 0, 0);
    probe.style.color = `var(--${name})`;
    document.body.append(probe);
    const wanted = getComputedStyle(probe).color.match(/[0-9]+/g).map(Number), {data} = context.getImageData(x - r, y - r, 2 * r + 1, 2 * r + 1);
    probe.remove();
    let count = 0;
    for (let i = 0; i < data.length; i += 4)
        count += [0, 1, 2].every(k => Math.abs(data[i + k] - wanted[k]) < 40);
    done(count);
};
picture.src = "data:image/png;base64," + png;
"""


def find(selector, root=None):
    return (root or browser).find_elements(By.CSS_SELECTOR, selector)


def run(script, *arguments):
    return browser.execute_script("const player = shownMotion.player; " + script, *arguments)


def state():
    return run("return {time: player.time, chosen: player.chosen?.joint?.label ?? player.chosen?.body?.number ?? null, isPlaying: player.isPlaying, follows: player.follows}")


def wait(condition, words):
    WebDriverWait(browser, PATIENCE, .05).until(lambda _: condition(), words)


def press(*keys):
    ActionChains(browser).send_keys(*keys).perform()


def stage():
    return find(".stage")[0]


def focus():
    browser.execute_script("arguments[0].focus({preventScroll: true})", stage())


def button(words):
    return next(one for one in find(".controls button") if one.text == words)


def settle():
    """A picture is drawn when it is asked for: two frames later it is there."""
    browser.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))")


def pixels(name, x, y, radius):
    settle()
    return browser.execute_async_script(COUNT_PIXELS, stage().screenshot_as_base64, name, round(x), round(y), radius)


def go_over(x, y):
    box = stage().size
    return ActionChains(browser).move_to_element_with_offset(stage(), round(x - box["width"] / 2), round(y - box["height"] / 2))


def check_console():
    entries = [entry["message"] for entry in browser.get_log("browser")]
    expect(not entries, f"the console has {entries}")


def check_opens():
    loaded = browser.execute_script("return performance.getEntriesByType('resource').map(entry => entry.name)")
    expect(not loaded, f"the page loads {loaded}")
    expect(browser.execute_script("return window.harmed") is None, "a name was run as a script")
    expect(not find("img") and not find("b"), "a name has become an element")
    expect(find(".stage canvas"), "nothing is drawn")
    labels = [option.text for option in Select(find("select[aria-label='joint or body']")[0]).options]
    expect(any("</script>" in label for label in labels), f"names are {labels}")


# --- what is told, against a decoder of our own ---

def columns():
    """All columns of the motion, as whole numbers, in their order."""
    packed = json.loads(browser.execute_script("return document.getElementById('motion-0').textContent"))
    data, at = zlib.decompress(base64.b64decode(packed["data"])), 0

    def take(order, count):
        nonlocal at
        out, last, slope = [], 0, 0
        for _ in range(count):
            bits, shift = 0, 0
            while True:
                byte = data[at]
                at += 1
                bits |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    break
            slope = ((bits >> 1) ^ -(bits & 1)) + (slope if order == 2 else 0)
            last += slope
            out.append(last)
        return out

    def count(one):
        return sum(length for _, length in one["stretches"])

    frames = [take(1, packed["frames"]), take(2, packed["frames"])]
    bodies = [[take(2, count(body)) for _ in range(7)] for body in packed["bodies"]]
    joints = [[take(1, count(joint)) for _ in range(28)] for joint in packed["joints"]]
    contacts = [[take(1, count(contact)) for _ in range(6)] for contact in packed["contacts"]]
    expect(at == len(data), "there is more in the columns")
    return packed, frames, bodies, joints, contacts


def check_unpacked(packed, frames, bodies, joints):
    """Single precision in the page."""
    rounding = 1e-6

    def unfold(n):
        return packed["least"] * math.sinh((n - (n > 0)) / packed["perFold"]) if n else None

    def near(a, b, words):
        expect((a is None and b is None) or abs(a - b) <= rounding * max(1, abs(a)), f"{words}: {a}, not {b}")

    for frame in (0, packed["frames"] // 2, packed["frames"] - 1):
        told = run("""const at = {frame: arguments[0], share: 0}, m = player.motion;
            return [m.time[at.frame], m.step[at.frame], m.bodies.map(body => poseAt(body, at)),
                m.joints.map(joint => values.map(value => jointAt(m, joint, at)[value]).map(w => [...w.force, ...w.torque].map(known)))]""", frame)
        near(told[0], frames[1][frame] / 1e6, "time")
        expect(told[1] == frames[0][frame], "step")
        for body, pose in zip(bodies, told[2], strict=True):
            for k in range(3):
                near(pose["place"][k], packed["unit"] * body[k][frame], "place")
        for joint, wrenches in zip(joints, told[3], strict=True):
            for v in range(3):
                for k in range(6):
                    near(wrenches[v][k], unfold(joint[4 + 6 * v + k][frame]), "wrench")


# --- the time ---

def check_time(packed, frames):
    times = [t / 1e6 for t in frames[1]]
    focus()
    press(".", ".", ",")
    expect(abs(state()["time"] - times[1]) < 1e-9, f". . , goes to {state()['time']}")
    slider = find("input[type=range]")[0]
    browser.execute_script("arguments[0].focus()", slider)
    press(Keys.HOME, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    expect(abs(state()["time"] - times[2]) < 1e-9, "the slider does not scrub")
    band = find(".band")[0]
    ActionChains(browser).move_to_element(band).click().perform()
    middle = (times[0] + times[-1]) / 2
    expect(abs(state()["time"] - middle) < .02 * (times[-1] - times[0]), f"a click in the middle of the band goes to {state()['time']}")
    focus()
    before = state()["time"]
    press(Keys.SPACE)
    wait(lambda: state()["time"] > before, "it does not play")
    press(Keys.SPACE)
    expect(not state()["isPlaying"], "it does not stop")
    Select(find("select[aria-label=speed]")[0]).select_by_value("4")
    button("play").click()
    wait(lambda: not state()["isPlaying"], "it does not end")
    expect(state()["time"] == times[-1], "it ends early")
    expect(button("play"), "the button says that it plays")


def check_worst(report):
    joints = report["worlds"][0]["joints"]
    # by the load: a large share of little is none
    moment = lambda joint: joint["physicalError"]["worst"] or {"value": -1, "load": 1}
    worst = max(joints, key=lambda joint: moment(joint)["value"] * moment(joint)["load"])
    run("choose(player, null)")
    focus()
    press("w")
    expect(state()["chosen"] == worst["name"], f"the worst one is {state()['chosen']}")
    expect(state()["time"] == worst["physicalError"]["worst"]["time"], "it is at another time")
    settle()
    words = find(".details")[0].text
    force = math.hypot(*worst["physicalError"]["worst"]["engine"]["force"])
    row = next(row for row in find(".details tbody tr") if "engine" in row.text)
    expect(abs(float(find("td", row)[1].text.split()[0]) - force) <= 1e-3 * force, f"{row.text}: not {force}")
    expect(worst["name"] in words and "solver error" in words, f"told is {words}")
    run("choose(player, {joint: player.motion.joints[0]})")
    press("[")
    expect("." in find("[role=status]")[0].text, "an event has no words")
    check_load(joints)


def check_load(joints):
    """The largest load: of all joints, by the key, and of the chosen one, by the button; its forces are those of that step."""
    largest = max(joints, key=lambda joint: (joint["peak"]["force"] or {"value": -1})["value"])
    other = next(joint for joint in joints if joint is not largest and joint["peak"]["force"])
    for joint in (largest, other):
        peak = joint["peak"]["force"]
        if joint is largest:
            run("choose(player, null)")
            focus()
            press("l")
        else:
            run("choose(player, {joint: player.motion.joints.find(one => one.name === arguments[0])})", joint["name"])
            button("largest load").click()
        expect(state()["chosen"] == joint["name"], f"the one that bears most is {state()['chosen']}, not {joint['name']}")
        expect(state()["time"] == peak["time"], f"it is at {state()['time']}, not at {peak['time']}")
        settle()
        expect(abs(math.hypot(*peak["physical"]["force"]) - peak["value"]) <= 1e-6 * peak["value"], "its wrench is another one")
        row = next(row for row in find(".details tbody tr") if "physical" in row.text)
        expect(abs(float(find("td", row)[1].text.split()[0]) - peak["value"]) <= 1e-3 * peak["value"], f"{row.text}: not {peak['value']}")


# --- what is clicked ---

def place_of(i):
    return run("return seenAt(player.scene, jointAt(player.motion, player.motion.joints[arguments[0]], hereIn(player)).place)", i)


def check_clicks(packed, report):
    focus()
    press("0")
    run("goTo(player, null, player.motion.time[3])")
    settle()
    # the joint that is farthest from the others
    seen = [place_of(i) for i in range(len(packed["joints"]))]
    apart = [min((math.dist(p[:2], q[:2]) for q in seen if q is not p), default=99) for p in seen]
    i = apart.index(max(apart))
    name = packed["joints"][i]["name"]
    go_over(*seen[i][:2]).perform()
    wait(lambda: find(".tip")[0].is_displayed() and find(".tip")[0].text == name, "the joint under the mouse has no name")
    go_over(*seen[i][:2]).click().perform()
    expect(state()["chosen"] == name, f"a click chooses {state()['chosen']}, not {name}")
    settle()
    expect(name in find(".details h3")[0].text, "it is not told of")
    expect("\u00b1" in find(".details")[0].text, "numbers have no bars")
    # a drag is no click
    go_over(*seen[i][:2]).click_and_hold().move_by_offset(60, 20).release().perform()
    expect(state()["chosen"] == name, "a drag chooses")
    press("0")
    settle()
    # a body with a shape, where no joint is
    body = run("""const m = player.motion, at = hereIn(player);
        for (const body of m.bodies.filter(body => body.shapes.length)) {
            const p = seenAt(player.scene, poseAt(body, at).place), hit = pick(player.scene, p[0], p[1]);
            if (hit?.body)
                return [p[0], p[1], hit.body.number];
        }""")
    go_over(*body[:2]).click().perform()
    expect(state()["chosen"] == body[2], f"a click on body {body[2]} chooses {state()['chosen']}")
    settle()
    expect(find(".details h3")[0].text == f"body {body[2]}", "the body is not told of")
    # a row of the table
    rows = [row for row in find("tbody tr") if find("input", row) and not find("input", row)[0].is_selected()]
    other = find("td", rows[0])[1].text
    find("td", rows[0])[2].click()
    expect(state()["chosen"] == other, "a row of the table does not lead to its joint")
    joint = next(joint for joint in report["worlds"][0]["joints"] if joint["name"] == other)
    expect(state()["time"] == joint["physicalError"]["worst"]["time"], "nor to its worst moment")
    # a point of its chart, by mouse and by keys
    panel = next(panel for panel in find(".panel") if find("h3", panel)[0].text == other)
    place = find(".place", panel)[0]
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", place)
    ActionChains(browser).move_to_element(place).click().perform()
    x = browser.execute_script("const {chart} = arguments[0].closest('.chart'); return chart.x[chart.cursor]", place)
    expect(state()["time"] == x and state()["chosen"] == other, f"a point of a chart leads to {state()['time']}, not {x}")
    browser.execute_script("arguments[0].focus()", place)
    press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ENTER)
    expect(state()["time"] > x, "Enter in a chart leads nowhere")
    browser.execute_script("scrollTo(0, 0)")


# --- the camera ---

def eye():
    return run("const c = player.scene.camera; return [c.position.x, c.position.y, c.position.z]")


def check_camera():
    focus()
    press("0")
    home = eye()
    press(Keys.ARROW_LEFT)
    expect(math.dist(eye(), home) > 1e-3, "an arrow does not turn it")
    press("0")
    expect(math.dist(eye(), home) < 1e-9, "0 does not turn it back")
    box = stage().size
    go_over(box["width"] - 30, 30).click_and_hold().move_by_offset(-80, 30).release().perform()
    expect(math.dist(eye(), home) > 1e-3, "a drag does not turn it")
    press("0")
    far = run("return player.scene.orbit.view.distance")
    ActionChains(browser).scroll_from_origin(ScrollOrigin.from_element(stage()), 0, -200).perform()
    wait(lambda: run("return player.scene.orbit.view.distance") < far, "the wheel does not zoom")
    press("0")
    x, y = (browser.execute_script("const b = arguments[0].getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]", stage()))
    for kind, apart in (("touchStart", 40), ("touchMove", 60), ("touchMove", 80)):
        browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x - apart, "y": y, "id": 0}, {"x": x + apart, "y": y, "id": 1}]})
    browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(abs(run("return player.scene.orbit.view.distance") / far - .5) < .05, "two fingers do not zoom")
    expect(not find("input[aria-label=follow]")[0].is_selected(), "what stays in its place is followed")
    press("0", "f")
    expect(state()["follows"], "f does not follow")
    press("f", "0")


# --- bodies and arrows ---

def check_bodies():
    """In the middle of each body that is in view something is drawn, which is not there without bodies."""
    focus()
    press("0")
    run("choose(player, {body: player.motion.bodies[0]}); goTo(player, null, player.motion.time[Math.floor(player.motion.frames / 2)])")
    settle()
    drawn = run("""const {scene: s, motion} = player, at = hereIn(player), gl = s.renderer.getContext(), ratio = s.renderer.getPixelRatio();
        const high = s.place.clientHeight, bodies = motion.bodies.map(body => poseAt(body, at)).filter(Boolean).map(pose => seenAt(s, pose.place))
            .filter(([x, y]) => x > 0 && y > 0 && x < s.place.clientWidth && y < high);
        const colours = () => {
            s.renderer.render(s.scene, s.camera);
            return bodies.map(([x, y]) => {
                const pixel = new Uint8Array(4);
                gl.readPixels(ratio * x, ratio * (high - y), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
                return String(pixel);
            });
        };
        const own = s.forms.map(form => form.group), others = s.scene.children.filter(part => part.visible && !part.isLight && !own.includes(part));
        const show = (parts, isShown) => parts.forEach(part => { part.visible = isShown; });
        show(others, false);
        const first = colours();
        show(own, false);
        const second = colours();
        show(others, true);
        redraw(player);
        return first.map((pixel, i) => pixel !== second[i]);""")
    expect(len(drawn) > 5 and all(drawn), f"{drawn.count(False)} of {len(drawn)} bodies in view are not drawn")


def check_arrows(packed):
    """Of a joint that is shown alone: along the force, by the length that the key tells, in its colour, beside the line by its lane; none on the
    other side, and none when it is off."""
    focus()
    press("0")
    run("choose(player, null); goTo(player, null, player.motion.time[Math.floor(player.motion.frames / 2)])")
    settle()
    # of the longest that stand across the view: the place, and the points in a third and two thirds of its length
    lines = run("""const m = player.motion, {scene} = player, at = hereIn(player), long = arrowLength * scene.room;
        return m.joints.map(joint => {
            const found = jointAt(m, joint, at), force = found.engine.force, size = Math.hypot(...force) / scene.scale.force;
            const [x, y] = seenAt(scene, found.place), c = scene.camera;
            const pixel = 2 * Math.tan(c.fov * Math.PI / 360) * Math.abs(depthOf(scene, found.place)) / arguments[0].clientHeight;
            const to = found.place.map((p, k) => p + force[k] / Math.hypot(...force) * Math.min(size, 1.6) * long * pixel), [u, v] = seenAt(scene, to);
            return {x, y, u, v, length: Math.hypot(u - x, v - y)};
        })""", stage())
    line = max(lines, key=lambda one: one["length"])
    run("choose(player, {joint: player.motion.joints[arguments[0]]})", lines.index(line))
    find("input[aria-label='show chosen alone']")[0].click()
    expect(line["length"] > 15, f"no arrow is longer than {line['length']} pixels")

    def engine_pixels(*shares):
        return [pixels("engine", line["x"] + share * (line["u"] - line["x"]), line["y"] + share * (line["v"] - line["y"]), 6) for share in shares]

    there, beyond = engine_pixels(.5, .8), engine_pixels(-.5, -.8, 1.4)
    expect(min(there) > 3, f"no arrow where it should be: {there}")
    expect(max(beyond) == 0, f"an arrow where there should be none: {beyond}")
    box = find("input[aria-label='show engine']")[0]
    box.click()
    gone = engine_pixels(.5, .8)
    expect(max(gone) == 0, f"the arrow is there when it is off: {gone}")
    box.click()
    find("input[aria-label='show chosen alone']")[0].click()
    key = find(".key .force i")[0].size["width"]
    expect(abs(key - run("return arrowLength * player.scene.room")) <= 1, "the key is not as long as an arrow")


def check_colours():
    """The ground has the colour of the page, and follows it from light to dark and back."""
    box = stage().size
    for scheme in ("light", "dark", "light"):
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        count = pixels("ground", box["width"] / 2, box["height"] - 12, 6)
        expect(count > 30, f"{scheme}: {count} pixels of the ground")


def check_widths():
    """Nothing is cut, nothing is wider than the page."""
    for width in (1280, 800, 400):
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                {"width": width, "height": 1400, "deviceScaleFactor": 1, "mobile": width < 500})
        settle()
        wide = browser.execute_script("""
            return [...document.querySelectorAll(".stage, .stage ~ *, .controls *, .toggles *, .details *")].filter(part =>
                part.getBoundingClientRect().right > innerWidth + 1).map(part => part.outerHTML.slice(0, 120))""")
        expect(not wide, f"wider than {width} pixels: {wide[:3]}")
        size = run("return [player.scene.renderer.domElement.clientWidth, arguments[0].clientWidth]", stage())
        expect(size[0] == size[1], f"the scene does not fit at {width}: {size}")
        if picture:
            browser.execute_script("arguments[0].scrollIntoView()", stage())
            settle()
            browser.save_screenshot(picture.replace(".png", f"-{width}.png"))
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


try:
    browser.set_script_timeout(PATIENCE)
    browser.get("file://" + page)
    wait(lambda: browser.execute_script("return Boolean(shownMotion?.player)"), "there is no scene")
    settle()
    report = json.loads(browser.execute_script("return document.getElementById('report').textContent"))
    packed, frames, bodies, joints, contacts = columns()
    check_opens()
    check_unpacked(packed, frames, bodies, joints)
    check_time(packed, frames)
    check_worst(report)
    check_bodies()
    check_arrows(packed)
    check_camera()
    check_colours()
    check_clicks(packed, report)
    check_widths()
    check_console()
finally:
    browser.quit()
