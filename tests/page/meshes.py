"""meshes.py PAGE PICTURE  The surfaces of convex geoms and triangle meshes in the page of solids.c, as the browser draws them."""
import itertools
import math
import sys

import chromium
from chromium import expect
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

page, picture = sys.argv[1:]
browser = chromium.start(1280, 1400)
PATIENCE = 120  # s: for what hangs
SINGLE = 1e-6   # that single precision rounds by
MOST = 2000     # triangles of a surface

# of each body and of what stands still: kinds, corners in the body's axes, which form each has
LOOK = """
const {scene} = shownMotion.player, forms = [], of = group => {
    const found = [];
    group.updateMatrixWorld(true);
    group.traverse(part => {
        if (!part.isMesh || !part.geometry.attributes.position)
            return;
        const inverse = group.matrixWorld.clone().invert?.() ?? new THREE.Matrix4().getInverse(group.matrixWorld), local = inverse.multiply(part.matrixWorld), {position} = part.geometry.attributes;
        if (!forms.includes(part.geometry))
            forms.push(part.geometry);
        found.push({form: forms.indexOf(part.geometry), corners: Array.from({length: position.count},
            (_, i) => new THREE.Vector3().fromBufferAttribute(position, i).applyMatrix4(local).toArray())});
    });
    return found;
};
const standing = scene.scene.children.filter(one => one.isGroup && one.children[0]?.material?.userData.colour === "standing");
return {bodies: scene.forms.map(({body, group}) => ({number: body.number, kinds: body.shapes.map(shape => shape.kind), parts: of(group)})), standing: standing.flatMap(of)};
"""


def corners_of(part):
    return {tuple(round(x, 5) + 0. for x in corner) for corner in part["corners"]}


def expect_corners(part, wanted, words):
    """Each corner is one of these, and each of these is there."""
    for corner in part["corners"]:
        expect(min(math.dist(corner, one) for one in wanted) < 4 * SINGLE, f"{words} has a corner at {corner}")
    expect(len(corners_of(part)) == len(wanted), f"{words} has {len(corners_of(part))} corners, not {len(wanted)}")


def lifted(points):
    return [(x, y, z + .25) for x, y, z in points]


try:
    browser.get("file://" + page)
    WebDriverWait(browser, PATIENCE, .05).until(lambda _: browser.execute_script("return Boolean(shownMotion?.player)"), "there is no scene")
    seen = browser.execute_script(LOOK)
    cube = list(itertools.product((-1, 1), repeat=3))
    golden = (1 + math.sqrt(5)) / 2
    icosahedron = [tuple((a, b, 0)[(k - axis) % 3] for k in range(3)) for axis in range(3) for a in (-1, 1) for b in (-golden, golden)]
    solids = {1: (icosahedron, 20), 2: (cube, 12), 3: ([p for p in cube if math.prod(p) > 0], 4), 4: (icosahedron, 20)}
    expect(len(seen["bodies"]) == len(solids), f"{len(seen['bodies'])} bodies")
    for body in seen["bodies"]:
        points, triangles = solids[body["number"]]
        words = f"body {body['number']}"
        expect(body["kinds"] == ["mesh"] and len(body["parts"]) == 1, f"{words} has {body['kinds']}")
        expect(len(body["parts"][0]["corners"]) == 3 * triangles, f"{words} has {len(body['parts'][0]['corners'])} corners of triangles")
        expect_corners(body["parts"][0], lifted(points), words)
    form = {body["number"]: body["parts"][0]["form"] for body in seen["bodies"]}
    expect(form[1] == form[4] and len(set(form.values())) == 3, f"surfaces are not shared: {form}")
    expect(len(seen["standing"]) == 1, f"{len(seen['standing'])} things stand still")
    hill = seen["standing"][0]["corners"]
    expect(MOST / 4 < len(hill) / 3 <= MOST, f"the hill has {len(hill) / 3} triangles")
    expect(all(abs(z - (4 * math.exp(-12 * (x * x + y * y) / 576) - 8)) < 1e-5 for x, y, z in hill), "a corner of the hill is none of its own")
    expect(abs(max(z for _, _, z in hill) + 4) < .2, "the hill has no top")
    browser.find_elements(By.CSS_SELECTOR, ".stage")[0].screenshot(picture)
    errors = [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
    expect(not errors, f"the console says {errors}")
finally:
    browser.quit()
