"""manual.py FOLDER [PICTURES]  Searches the HTML manual in headless Chromium, from file://, and reads it at 400 px."""
import pathlib
import sys

import chromium
from chromium import expect
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

folder = pathlib.Path(sys.argv[1]).resolve()
pictures = sys.argv[2] if len(sys.argv) > 2 else None
browser = chromium.start(1280, 900)

# a hang, not a slow machine
PATIENCE = 120

# words that are neither a symbol nor a title, and a page that has each
WORDS = {"ragdoll": "gallery.html", "NaN": "questions.html", "python": "overview.html", "freeDirection": "structksReaction.html",
         "self-stress door": "glossary.html"}


def picture(name):
    if pictures:
        browser.save_screenshot(f"{pictures}/manual-{name}.png")


def show(page):
    browser.get(f"file://{folder}/{page}")


def search(words):
    field = WebDriverWait(browser, PATIENCE).until(lambda b: b.find_element(By.CSS_SELECTOR, "#find input"))
    field.clear()
    field.send_keys(words)
    return WebDriverWait(browser, PATIENCE).until(lambda b: b.find_elements(By.CSS_SELECTOR, "#find li"))


def check_search():
    for words, page in WORDS.items():
        show("index.html")
        search(words)
        links = [link.get_attribute("href") for link in browser.find_elements(By.CSS_SELECTOR, "#find li a")]
        expect(any(f"/{page}" in link for link in links), f"'{words}' does not find {page}, but {links}")
        expect(browser.find_elements(By.CSS_SELECTOR, "#find mark"), f"'{words}' is not marked")
        picture(words.split()[0])
    expect("nothing found" in search("zyzzyva")[-1].text, "a word that is nowhere is found")
    # the first result is a key away
    show("index.html")
    search("ragdoll")
    browser.find_element(By.CSS_SELECTOR, "#find input").send_keys(Keys.ENTER)
    WebDriverWait(browser, PATIENCE).until(lambda b: "index.html" not in b.current_url)


def check_narrow():
    # headless Chromium has no window this narrow
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                            {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": False})
    for page in ("index.html", "overview.html", "tutorial.html", "questions.html", "kinetostat_8h.html", "structksReaction.html"):
        show(page)
        WebDriverWait(browser, PATIENCE).until(lambda b: b.find_elements(By.CSS_SELECTOR, "#find input"))
        text = browser.find_element(By.CSS_SELECTOR, ".contents p, .contents td").rect
        box = browser.find_element(By.CSS_SELECTOR, ".contents").rect
        expect(box["x"] >= 0 and box["x"] + box["width"] <= 401, f"{page}: its text is from {box['x']}, {box['width']} wide")
        expect(box["width"] > 340, f"{page}: its column is {box['width']} wide")
        expect(text["x"] < 60, f"{page}: its text begins at {text['x']}")
        wide = browser.execute_script("return document.documentElement.scrollWidth")
        expect(wide <= 400, f"{page}: is {wide} wide")
        picture(page.split(".")[0])
    expect(search("ragdoll"), "no search at 400 px")
    picture("narrow")


def main():
    check_search()
    check_narrow()
    entries = [entry["message"] for entry in browser.get_log("browser") if "favicon" not in entry["message"]]
    expect(not entries, f"the console has {entries}")


try:
    main()
finally:
    browser.quit()
