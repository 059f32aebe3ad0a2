#!/usr/bin/python3
"""gallery.py FOLDER [demo...]  Makes the pictures of README.md again, and the film, by the page that each demo writes: --html. Called in the
build directory; `make gallery` does. On Debian: apt-get install chromium-driver python3-selenium python3-pil."""
import base64
import collections
import io
import os
import subprocess
import sys
import tempfile

from PIL import Image
from selenium.webdriver.support.ui import WebDriverWait

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "page"))
import chromium

WIDTH, HEIGHT = 800, 450  # of the page, and of the film; a picture has twice as many pixels each way
COLOURS = 256

# world: how its name begins; s of it; where the camera stands, degrees: turned about the vertical, and lifted; how large the mechanism is, of
# the picture, with its arrows; how far it is shifted, of the picture: to the right, and up; how much larger arrows are than in the page; N and N.m that are as
# long as the scale, where the page's own choice, which is for the whole run, is not that of this moment; whether torques are shown
Scene = collections.namedtuple("Scene", "world time turn lift size shift room force torque torques",
                               defaults=(-63, 20, .78, (0, -.03), 1.6, None, None, False))

SCENES = {
    "chain": Scene("10 links falling, dWorldQuickStep(20)", .35, -85, 12, .8, room=1.7, force=100),
    "crane": Scene("", .565, -70, 12, .8, room=1.3),
    "arm": Scene("", 4.9, 140, 14, .82, (0, -.04), room=1.2, torques=True),
    "bridge": Scene("bridge, by the engine", 1.07, -70, 14, .92, room=1.1),
    "door": Scene("door on hinges, lower", .1, -120, 15, .8, room=1.8),
    "linkage": Scene("Sarrus", .1, room=1.3, force=10, torque=2, torques=True),
    "pile": Scene("pile, dWorldQuickStep(20)", 1.4, -63, 16, .82, room=1.5, force=5000),
    "ragdoll": Scene("", .65, size=.85, shift=(0, -.05), room=1.3, force=1000),
    "vehicle": Scene("", 2.05, -55, 16, .8, room=1.8),
    "walker": Scene("", 1, -60, 10, .82, room=1.8),
    "wrist": Scene("wrist, dWorldQuickStep(5)", 1, size=.8, shift=(0, -.04), force=200, torques=True),
    "pendulum": Scene("", .65, -70, 18, room=2.2),
    "atwood": Scene("Atwood, light pulley, dWorldQuickStep", .02, -85, 8, .8, room=1.8),
    "incline": Scene("pulley of 1e+00 kg, dWorldQuickStep", .02, -85, 8, .8, room=1.6),
    "rotating_line": Scene("", .2, -85, 8, .7, room=1.8, force=10),
    "false_report": Scene("", .3, -85, 12, .8, room=1.7, force=50),
    "fourbar": Scene("", 1, force=20, room=1.8, torques=True),
    "impact": Scene("blow at P, dWorldQuickStep(20)", 0, room=1.8, force=200),
}

# of the film, which follows the bodies: the demo; from where it is seen; from when to when, s; frames in a second; how much slower than the
# world, and how much farther away than in that picture
Film = collections.namedtuple("Film", "demo scene begin end rate slower farther")
FILM = Film("ragdoll", Scene("", .65, room=1.5, force=500), .1, 1.9, 20, 1.8, .96)

# the scene alone, as large as the window
LAY_OUT = """
const style = document.createElement("style");
style.textContent = `.run { position: fixed; inset: 0; z-index: 9; display: block; background: white } .run .details, .tip { display: none }
    .stage { width: 100vw; height: 100vh !important; border: 0; background: white }
    .stage .key { inset: .8rem 1.1rem auto auto; font-size: 14px; align-items: start }
    .names { position: absolute; left: 1.1rem; top: .8rem; display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; font-size: 14px }
    .names .dot { border-radius: 50% } .names .pale { opacity: .35 }`;
document.head.append(style);
document.body.style.overflow = "hidden";
"""

# Waits for what is drawn; answers when it is there.
DRAWN = "requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)));"

# The scene at its time, seen so that the bodies and arrows that are there fill as much of the picture as size says.
AIM = """
const [scene, done] = arguments, p = shownMotion.player, s = p.scene, {view, apply, pixel} = s.orbit;
p.shown.torques = scene.torques;
p.follows = false;
s.orbit.follow(null);
s.room = scene.room;
for (const quantity of ["force", "torque"])
    s.scale[quantity] = scene[quantity] ?? s.scale[quantity];
p.parts.key.replaceWith(p.parts.key = keyOf(s));
/* Each mesh that is there, and where. */
const meshes = function* () {
    for (const {group} of s.forms.filter(form => form.group.visible)) {
        const parts = [];
        group.traverse(part => part.isMesh && parts.push(part));
        for (const part of parts)
            yield [part.geometry, part.matrixWorld];
    }
    const place = new THREE.Matrix4();
    for (const set of acting.flatMap(name => [s.arrows[name].firm, s.arrows[name].pale]))
        for (const part of set.group.children)
            for (let i = 0; i < part.count; i++) {
                part.getMatrixAt(i, place);
                yield [part.geometry, place];
            }
};
/* Its corners in the picture, from -1 to 1 each way. */
const look = () => {
    const low = [Infinity, Infinity], high = [-Infinity, -Infinity];
    for (const [geometry, place] of meshes()) {
        geometry.computeBoundingBox();
        const {min, max} = geometry.boundingBox;
        for (let corner = 0; corner < 8; corner++) {
            const point = new THREE.Vector3(corner & 1 ? min.x : max.x, corner & 2 ? min.y : max.y, corner & 4 ? min.z : max.z);
            point.applyMatrix4(place).project(s.camera);
            [point.x, point.y].forEach((x, k) => {
                low[k] = Math.min(low[k], x);
                high[k] = Math.max(high[k], x);
            });
        }
    }
    return {low, high};
};
const render = ratio => {
    s.renderer.setPixelRatio(ratio);
    s.renderer.setSize(s.place.clientWidth, s.place.clientHeight, false);
    drawScene(s, hereIn(p), {chosen: null, shown: p.shown, worst: null, follow: false});
};
const aim = () => {
    view.turn = scene.turn * Math.PI / 180;
    view.lift = scene.lift * Math.PI / 180;
    const half = [s.place.clientWidth / 2, s.place.clientHeight / 2];
    for (let round = 0; round < 20; round++) {
        apply();
        render(.1);
        const {low, high} = look();
        low.forEach((x, k) => view.target.addScaledVector(new THREE.Vector3().setFromMatrixColumn(s.camera.matrixWorld, k),
            ((x + high[k]) / 2 - 2 * scene.shift[k]) * half[k] * pixel()));
        view.distance *= Math.sqrt(Math.max(...low.map((x, k) => (high[k] - x) / 2)) / scene.size);
    }
    apply();
    render(2);
    redraw(p);
    """ + DRAWN + """
};
seek(p, scene.time);
requestAnimationFrame(() => requestAnimationFrame(aim));
"""

# What the colours of this picture are, above.
TELL = """
const p = shownMotion.player, s = p.scene, names = element("div", {class: "names"});
const tell = (name, words, kind = "") => {
    const mark = swatch(name);
    mark.className += " " + kind;
    names.append(element("span", null, mark, words));
};
const isDrawn = set => Object.values(set.group.children).some(mesh => mesh.visible && mesh.count);
for (const name of acting) {
    const {firm, pale} = s.arrows[name], word = name === "contact" ? "contacts" : name;
    if (isDrawn(firm))
        tell(name, word);
    if (isDrawn(pale))
        tell(name, word + ", one of many", "pale");
}
for (const verdict of verdicts.filter(one => s.joints.some(({at}) => at.state.verdict === one)))
    tell(verdict, verdictWords[verdict], "dot");
document.querySelector(".names")?.remove();
p.place.append(names);
"""


def open_browser():
    browser = chromium.start(1000, 700)
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 2, "mobile": False})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "light"}]})
    return browser


def open_run(browser, page, world):
    browser.get("file://" + page)
    is_there = browser.execute_script("""const select = document.querySelector("header select"), name = arguments[0];
        if (!select)
            return report.worlds[0].name.startsWith(name);
        const option = [...select.options].find(one => one.text.startsWith(name) && packedMotionOf(report.worlds[one.value]));
        if (option) { select.value = option.value; select.dispatchEvent(new Event("change")); }
        return Boolean(option);""", world)
    if not is_there:
        sys.exit(f"{page} does not show {world}")
    WebDriverWait(browser, 60).until(lambda _: browser.execute_script("return Boolean(shownMotion?.player)"))
    browser.execute_script(LAY_OUT)


def take(browser):
    browser.execute_script(TELL)
    png = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]
    return Image.open(io.BytesIO(base64.b64decode(png))).convert("RGB")


def take_at(browser, time):
    browser.execute_async_script("const [time, done] = arguments; seek(shownMotion.player, time);" + DRAWN, time)
    return take(browser).resize((WIDTH, HEIGHT), Image.Resampling.BOX)


def film(browser, folder):
    browser.execute_async_script(AIM, FILM.scene._asdict())
    browser.execute_script("shownMotion.player.scene.orbit.view.distance *= arguments[0]; shownMotion.player.follows = true;", FILM.farther)
    count = round((FILM.end - FILM.begin) * FILM.rate * FILM.slower)
    frames = [take_at(browser, FILM.begin + i / FILM.rate / FILM.slower) for i in range(count)]
    frames[0].save(os.path.join(folder, FILM.demo + ".webp"), save_all=True, append_images=frames[1:], duration=round(1000 / FILM.rate), loop=0,
                   quality=50, method=4)


def draw(browser, folder, work, demo):
    scene = SCENES[demo]
    page = os.path.join(work, demo + ".html")
    subprocess.run(["demos/" + demo, "--quiet", "--html", page], check=True, stdout=subprocess.DEVNULL)
    open_run(browser, page, scene.world)
    browser.execute_async_script(AIM, scene._asdict())
    picture = take(browser).quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    picture.save(os.path.join(folder, demo + "-view.png"), optimize=True)
    if demo == FILM.demo:
        film(browser, folder)


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
