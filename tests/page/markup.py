"""markup.py ADDRESS SHOWN...  Looks at a page all of whose texts are markup (markup.c): none has become an element, a style or a script, and those with these
numbers are shown as they are."""
import sys

import chromium
from chromium import expect
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

PATIENCE = 120  # s: for what hangs
address, shown = sys.argv[1], [int(number) for number in sys.argv[2:]]
browser = chromium.start(1280, 4500)

# the text that is drawn, and that is told by attributes
TEXTS = """return {
    elements: [...document.querySelectorAll("*")].map(one => one.localName).filter(name => name.startsWith("k-")),
    drawn: document.body.innerText, title: document.title,
    told: [...document.querySelectorAll("body *")].flatMap(one => [...one.attributes].map(attribute => attribute.value)).join("\\n"),
    labels: [...document.querySelectorAll(".dygraph-xlabel")].map(one => one.textContent)};"""


def markup(number):
    return f"<k-{number} a>&amp;'\""


def come(condition, words):
    return WebDriverWait(browser, PATIENCE, .05).until(lambda _: condition(), words)


try:
    browser.get(address)
    come(lambda: browser.find_elements(By.CSS_SELECTOR, ".chart canvas"), "no chart is drawn")
    # every joint, and what moves
    browser.execute_script("document.querySelectorAll('tbody input:not(:checked)').forEach(box => box.click())")
    come(lambda: browser.execute_script("return !shownMotion || Boolean(shownMotion.player)"), "the scene does not come")
    browser.execute_script("shownMotion && choose(shownMotion.player, {joint: shownMotion.player.motion.joints[0]})")
    browser.execute_async_script("requestAnimationFrame(() => setTimeout(arguments[0]))")
    found = browser.execute_script(TEXTS)
    expect(not found["elements"], f"texts have become elements: {found['elements']}")
    for number in shown:
        expect(markup(number) in found["drawn"], f"text {number} is not shown as it is")
    is_one = "runs" not in found["title"]
    expect(not is_one or "<k-1 a>&amp;" in found["title"], f"the title is {found['title']}")
    expect(markup(10) in found["told"], "no attribute tells the name of a joint")
    if not is_one:
        expect(found["labels"] and found["labels"][0] == markup(7), f"the axis is called {found['labels'][:1]}")
    entries = [entry["message"] for entry in browser.get_log("browser")]
    expect(not entries, f"the console has {entries}")
    # what would get in all the same is neither run nor styled, leads nowhere and sends nothing
    browser.execute_script("""
        document.body.insertAdjacentHTML("beforeend", "<p id=in style='color: rgb(1, 2, 3)' onclick='window.harmed = 1'>in</p>" +
            "<style>#in { color: rgb(1, 2, 3) }</style><base href='http://127.0.0.1:1/'>");
        const script = document.createElement("script");
        script.append("window.harmed = 1");
        document.body.append(script);
        document.getElementById("in").click();""")
    harmed = browser.execute_script("return [window.harmed ?? null, getComputedStyle(document.getElementById('in')).color, document.baseURI]")
    expect(harmed[0] is None and harmed[1] != "rgb(1, 2, 3)" and harmed[2] == browser.current_url, f"the policy lets markup do this: {harmed}")
finally:
    browser.quit()
