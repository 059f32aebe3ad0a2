"""browser.py PAGE [PICTURE]  Opens an HTML report in headless Chromium and uses it: with the mouse, with the keyboard alone."""
import json
import re
import sys

import chromium
from chromium import expect
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

page, picture = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
browser = chromium.start(1280, 4500)

# how many pixels of a chart have a colour of the page, within 40 of 255 in each part
COUNT_PIXELS = """
const drawn = arguments[0].querySelector("canvas"), canvas = document.createElement("canvas");
[canvas.width, canvas.height] = [drawn.width, drawn.height];
const context = canvas.getContext("2d", {willReadFrequently: true}), probe = document.createElement("i");
context.drawImage(drawn, 0, 0);
probe.style.color = `var(--${arguments[1]})`;
document.body.append(probe);
const wanted = getComputedStyle(probe).color.match(/[0-9]+/g).map(Number);
probe.remove();
const data = context.getImageData(0, 0, canvas.width, canvas.height).data;
let count = 0;
for (let i = 0; i < data.length; i += 4)
    count += data[i + 3] > 128 && [0, 1, 2].every(k => Math.abs(data[i + k] - wanted[k]) < 40);
return count;
"""


def find(selector, root=None):
    return (root or browser).find_elements(By.CSS_SELECTOR, selector)


def chart(title, root=None):
    """The last chart of this title."""
    return [box for box in find(".chart", root) if find(".title", box)[0].text == title][-1]


def press(*keys):
    ActionChains(browser).send_keys(*keys).perform()


def focus(element):
    browser.execute_script("arguments[0].focus()", element)


def pixels(box, colour):
    return browser.execute_script(COUNT_PIXELS, box, colour)


def scale(box, axis="x"):
    return browser.execute_script("return arguments[0].chart.range(arguments[1])", box, axis)


def panels():
    return [find("h3", panel)[0].text for panel in find(".panel")]


def number_after(word, text):
    return float(re.search(word + r" (-?[0-9.e-]+)", text).group(1))


def check_console():
    entries = [entry["message"] for entry in browser.get_log("browser")]
    expect(not entries, f"the console has {entries}")


def check_opens(report):
    check_console()
    loaded = browser.execute_script("return performance.getEntriesByType('resource').map(entry => entry.name)")
    expect(not loaded, f"the page loads {loaded}")
    expect(browser.execute_script("return window.harmed") is None, "a name was run as a script")
    expect(not find("img") and not find("b"), "a name has become an element")
    call = [" ".join([run["program"], *run["arguments"]]) for run in report["runs"]]
    expect(browser.title == (f"{report['summary'].get('runs')} runs: joint forces" if len(call) > 1 else f"{call[0]}: joint forces" if call
                             else "Joint forces"), browser.title)
    for words in call if len(call) == 1 else [run["file"] for run in report["runs"]]:
        expect(words in browser.find_element(By.TAG_NAME, "body").text, "what was run")
    expect(len(find("tbody tr input")) == len(world_shown(report)["joints"]), "a line for each joint")


def world_shown(report):
    """The worst one, at first."""
    name = report["summary"]["worstFirst"][0]
    return next(world for world in report["worlds"] if world["name"] == name)


def check_summary(report):
    """Of several worlds: the page opens on all of them, and a button shows one."""
    if len(report["worlds"]) < 2:
        expect(not find(".summary"), "one world needs no summary")
        return
    names = [button.text.removeprefix("! ") for button in find(".summary td button")]
    expect(names == report["summary"]["worstFirst"], f"worlds are told as {names}")
    expect(find(".summary")[0].location["y"] < find("main")[0].location["y"], "the summary comes later")
    find(".summary td button")[1].click()
    expect(find("main h1")[0].text == names[1], "a button does not show its world")
    find(".summary td button")[0].click()
    expect(find("main h1")[0].text == names[0], "nor does the first one")


def check_checks(report):
    """What else was checked is not silent about what fails, and neither are suppressions."""
    lists = [report[key]["cases"] for key in ("baseline", "loads") if key in report]
    lists += [report["suppressed"]] if "suppressed" in report else []
    tables = [find("tbody tr", part) for part in find(".checks section")]
    expect(len(tables) == len(lists), f"{len(tables)} tables of checks and suppressions, not {len(lists)}")
    for rows, told in zip(tables, lists, strict=True):
        expect([find("td", row)[0].text for row in rows] == [one.get("world", one.get("name")) for one in told], "what is told of checks")
    if report.get("loads", {}).get("failures"):
        expect("verdict failed" in find(".checks p")[0].get_attribute("class"), "loads beyond their limits look well")
        expect("Nothing: no joint fails" not in find("body")[0].text, "nothing is to be done, though a load is beyond its limit")


def check_runs(report):
    """Of several runs: the page opens on a table of them, the worst first; a chart of peaks by a parameter; joints over all of them."""
    if report["summary"].get("runs", 1) < 2:
        expect(not find(".runs"), "one run needs no table")
        return
    heads = [head.text for head in find(".runs section:first-child th")]
    parameters = sorted({name for run in report["runs"] for name in run["parameters"]})
    expect(heads[2:2 + len(parameters)] == parameters, f"no columns of parameters: {heads}")
    rows = [[cell.text for cell in find("td", row)] for row in find(".runs section:first-child tbody tr")]
    for run, row in zip(report["runs"], rows, strict=True):
        expect(row[0].removeprefix("! ") == run["file"] and row[0].startswith("!") == (run["failed"] > 0), f"{row[0]}: not {run['file']}")
        expect(row[2:2 + len(parameters)] == [run["parameters"].get(name, "\u2013") for name in parameters], f"{row}")
        peak = run["peak"]["force"]["physical"]
        expect(abs(float(row[-3]) - peak) <= 1e-3 * peak, f"{row}: not {peak} N")
    errors = [run["worstError"] for run in report["runs"]]
    expect(errors == sorted(errors, reverse=True), f"the worst run is not first: {errors}")
    expect(find(".runs .chart canvas"), "no chart by a parameter")
    names = [find("td", row)[0].text for row in find(".runs section:last-child tbody tr")]
    expect(names == [joint["name"] for joint in report["pooled"]], f"joints over all runs: {names}")
    find(".runs td button")[-1].click()
    expect(find("main h1")[0].text == report["runs"][-1]["worstWorld"], "a button does not show the run's world")
    find(".runs td button")[0].click()
    browser.execute_script("scrollTo(0, 0)")


def check_first_joint(world):
    """The one that bears most is open; it tells its sizes, and what the verdicts and values mean."""
    most = max(world["joints"], key=lambda joint: joint["force"]["physical"]["largest"] or 0)
    expect(panels() == [most["name"]], f"{panels()} is open, not {most['name']}")
    words = find(".panel")[0].text
    for meaning in ("the exact solution of the engine's own equations", "the engine has not solved its own equations"):
        expect(meaning in words, f"no word of: {meaning}")
    for value in ("engine", "physical", *(["mean"] if "mean" in most["force"] else [])):
        row = next(row for row in find(".panel tr") if f"force, N, {value}" in row.text)
        largest = most["force"][value]["largest"]
        expect(abs(float(find("td", row)[-1].text) - largest) <= 1e-3 * largest, f"{row.text}: not {largest}")


def check_means(world):
    """A joint's largest mean, with its bar and its time; joints that were not judged, and why; bodies that touch something."""
    words = find("main")[0].text
    shown = next(joint for joint in world["joints"] if joint["name"] == panels()[0])
    if shown["peakMean"]["force"]:
        expect(f"The largest mean force of the motion over {world['meanWindow']:g} s: " in words, "no largest mean")
    left = world["jointCount"] - world["judged"]
    if left:
        expect(re.search(rf"\b{left} joints? (was|were) not judged: ", words), f"no word of {left} that were not judged")
    else:
        expect("not judged:" not in words, "some were not judged, though all were")
    expect(("In contact: body " in words) == bool(world["contacts"]["bodies"]), "bodies in contact")
    expect(("Pairs in contact" in words) == bool(world["pairs"]), "pairs in contact")
    for pair in world["pairs"]:
        name = " \u2013 ".join(f"body {body}" if body else "world" for body in pair["bodies"])
        row = next(row for row in find("tr") if row.text.startswith(name))
        median = pair["force"]["physical"]["median"]
        expect(abs(float(find("td", row)[4].text) - median) <= 1e-3 * median, f"{row.text}: not {median}")


def check_widths():
    """Nothing is cut, nothing is wider than the page."""
    for width in (1280, 400):
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                {"width": width, "height": 3000, "deviceScaleFactor": 1, "mobile": width < 500})
        wide = browser.execute_script("""
            return [document.documentElement, ...document.querySelectorAll("body *:not(svg *):not(noscript *)")].filter(part =>
                part.getBoundingClientRect().right > innerWidth + 1 || (part.scrollWidth > part.clientWidth + 1 &&
                part.clientWidth > 0 && getComputedStyle(part).overflowX !== "visible")).map(part => part.outerHTML.slice(0, 120))""")
        expect(not wide, f"wider than {width} pixels: {wide[:3]}")
        if picture:
            browser.save_screenshot(picture.replace(".png", f"-{width}.png"))
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def check_empty(world):
    """A joint that nothing holds has no chart; it says why."""
    idle = next((joint for joint in world["joints"] if not any(joint["bodies"])), None)
    if not idle:
        return
    box = next(box for box in find("tbody tr input") if box.get_attribute("aria-label") == "show " + idle["name"])
    box.click()
    words = [part.text for part in find(".panel")[-1].find_elements(By.CSS_SELECTOR, ".nothing")]
    expect(len(words) == 4 and all("not solved" in text for text in words), f"empty charts say {words}")
    box.click()


def check_energy(world):
    """Causes are those that the numbers have, without rounding."""
    by = {cause: work for cause, work in world["energy"]["by"].items() if work}
    given = sum(max(work, 0) for work in by.values())
    told = [text for text in (part.text for part in find(".facts")) if text.startswith("Kinetic energy")]
    expect(len(told) == (given > 0), f"the energy is told as {told}")
    count = sum(abs(work) > 1e-6 * given for work in by.values())
    expect(not told or len(told[0].split(", by ")[1].split(", ")) == count, f"not {count} causes: {told}")


def check_curves(world):
    """Lines and bands are where they should be, by their colours."""
    timeline = chart("Verdicts")
    for verdict in (name for name, steps in world["verdicts"].items() if steps > world["steps"]["inspected"] / 2):
        expect(pixels(timeline, verdict) > 300, f"{verdict} is not in the timeline")
    for value in ("engine", "converged", "physical"):
        expect(pixels(chart("Force"), value) > 100, f"no curve of {value}")
    expect(pixels(chart("Error of the engine's force"), "converged") > 100, "no curve of errors")
    expect(pixels(chart("Steps by error"), "converged") > 30, "no histogram")
    if world["iterations"]["table"]:
        expect(pixels(chart("Error by iterations"), "converged") > 100, "no errors by iterations")


def check_figures(joint, world):
    """What is told at the cursor is what the document says."""
    force = chart("Force")
    focus(find(".place", force)[0])
    press(Keys.HOME, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    told = find(".at", force)[0].text
    index, timeline = 2, joint["timeline"]
    step = timeline["firstStep"] + index * timeline["stepsPerBucket"]
    expect(re.search(rf"^[0-9.e-]+ (to [0-9.e-]+ )?s, steps? {step}\b", told), f"the cursor is not at step {step}: {told}")
    begin, end = world["steps"]["begin"], world["steps"]["end"]
    share = (step - world["steps"]["first"]) / (world["steps"]["last"] + 1 - world["steps"]["first"])
    expect(abs(float(told.split()[0]) - (begin + share * (end - begin))) < 1e-3 * end, f"not the time of step {step}: {told}")
    for value in ("engine", "converged"):
        expected = timeline[value]["force"]["least"][index]
        expect(abs(number_after(value, told) - expected) <= 1e-3 * abs(expected), f"{value} is {expected}, not as in {told}")


def largest_force(joint, *values):
    return max(x for value in values for x in joint["timeline"][value]["force"]["largest"] if x is not None)


def check_first_view(joint):
    """What the headline compares fills the chart, bars of the physical force included; the rest may be out of sight."""
    top = scale(chart("Force"), "y")[1]
    seen, bar = largest_force(joint, "engine", "physical"), max(x or 0 for x in joint["timeline"]["physical"]["forceBar"]["largest"])
    expect(seen <= top <= 1.2 * (seen + bar), f"up to {top} N is seen at first, of {seen} N")


def check_chart_keys(joint):
    force = chart("Force")
    focus(find(".place", force)[0])
    whole, tall = scale(force), scale(force, "y")
    press("+", "+")
    near = scale(force)
    expect(abs((near[1] - near[0]) / (whole[1] - whole[0]) - 0.25) < 0.05, f"+ + shows {near} of {whole}")
    press(Keys.ARROW_UP)
    expect(scale(force, "y")[1] < tall[1], "upwards does not zoom")
    press("0")
    most = largest_force(joint, "engine", "converged", "physical")
    expect(scale(force) == whole and scale(force, "y")[1] >= most, "0 does not show all again")


def check_joint_keys(world):
    """Graph, table and panels, without a mouse."""
    shown = panels()
    expect(len(shown) == 1, f"one joint is shown at first, not {shown}")
    edges = find("svg .joint")
    held = [joint for joint in world["joints"] if any(joint["bodies"])]
    expect(len(edges) == len(held), "an edge for each joint that holds a body")
    other = next(i for i, joint in enumerate(world["joints"]) if joint["name"] != shown[0])
    name = world["joints"][other]["name"]
    focus(edges[other])
    press(Keys.ENTER)
    expect(panels() == shown + [name], f"Enter at an edge shows {panels()}")
    box = next(box for box in find("tbody tr input") if box.get_attribute("aria-label") == "show " + name)
    expect(box.is_selected(), "the table does not follow the graph")
    focus(box)
    press(Keys.SPACE)
    expect(panels() == shown, "a space in the table does not hide the joint")
    sort = next(button for button in find("th button") if button.text == "joint")
    focus(sort)
    press(Keys.ENTER)
    names = [row.text for row in find("tbody td.name:nth-child(2)")]
    expect(len(names) == len(world["joints"]), "joints are lost by sorting")
    press(Keys.ENTER)
    expect([row.text for row in find("tbody td.name:nth-child(2)")] == names[::-1], "the order does not turn round")
    search = find("input[type=search]")[0]
    focus(search)
    press("no joint has this name")
    expect(not any(row.is_displayed() for row in find("section table tbody tr") if find("input", row)), "all rows are filtered out")
    for _ in range(len("no joint has this name")):
        press(Keys.BACKSPACE)
    # from element to element
    focus(edges[0])
    press(Keys.TAB)
    expect(browser.switch_to.active_element == edges[1], "Tab does not go to the next joint")


def check_graph():
    """Drag and keys move and zoom; a drag over a joint does not choose it."""
    picture = find("svg.mechanism")[0]

    def view():
        return [float(x) for x in browser.execute_script("return arguments[0].getAttribute('viewBox')", picture).split()]

    whole, shown = view(), panels()
    focus(picture)
    press("+", Keys.ARROW_RIGHT)
    expect(view()[2] < whole[2], "+ does not zoom the graph")
    press("0")
    expect(view() == whole, "0 does not show the whole graph again")
    edge = find("svg .joint .hit")[0]
    ActionChains(browser).move_to_element(edge).click_and_hold().move_by_offset(40, 10).move_by_offset(-40, -10).release().perform()
    expect(panels() == shown, "a drag chooses a joint")
    ActionChains(browser).move_to_element(edge).click().click().perform()
    expect(panels() == shown, "two clicks at a joint are not none")


def check_undetermined(world):
    held = [joint for joint in world["joints"] if any(joint["bodies"])]
    for i, joint in enumerate(held):
        marked = "undetermined" in find("svg .joint")[i].get_attribute("class")
        expect(marked == (joint["undetermined"]["freeDirections"] > 0), f"{joint['name']} is marked: {marked}")


def check_mouse():
    force = chart("Force")
    whole = scale(force)
    over = find(".place", force)[0]
    ActionChains(browser).move_to_element_with_offset(over, -100, 0).click_and_hold().move_by_offset(150, 2).release().perform()
    expect(scale(force)[1] - scale(force)[0] < (whole[1] - whole[0]) / 2, "dragging does not zoom")
    ActionChains(browser).double_click(over).perform()
    expect(scale(force) == whole, "a double click does not show all again")


def check_worlds(report):
    for i in range(len(report["worlds"]) - 1, 0, -1):
        Select(find("header select")[0]).select_by_index(i)
        expect(len(find("tbody tr input")) == len(report["worlds"][i]["joints"]), f"joints of world {i}")
        check_undetermined(report["worlds"][i])
    check_console()


try:
    browser.get("file://" + page)
    report = json.loads(browser.execute_script("return document.getElementById('report').textContent"))
    world = world_shown(report)
    check_opens(report)
    check_summary(report)
    check_checks(report)
    check_runs(report)
    first = next(joint for joint in world["joints"] if joint["name"] == panels()[0])
    check_first_view(first)
    check_first_joint(world)
    check_means(world)
    check_empty(world)
    check_widths()
    check_energy(world)
    check_curves(world)
    check_figures(first, world)
    check_chart_keys(first)
    check_undetermined(world)
    check_joint_keys(world)
    # where the page is not so long that it moves under the mouse
    if report["summary"].get("runs", 1) < 2:
        check_graph()
        check_mouse()
    if picture:
        browser.save_screenshot(picture)
    check_worlds(report)
finally:
    browser.quit()
