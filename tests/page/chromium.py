"""chromium.py  What the tests in a browser share: headless Chromium, and an expectation."""
from selenium import webdriver
from selenium.webdriver.chrome.service import Service


def start(width, height):
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--use-angle=swiftshader",
                     "--enable-unsafe-swiftshader", f"--window-size={width},{height}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.binary_location = "/usr/bin/chromium"
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


def expect(condition, words):
    if not condition:
        raise AssertionError(words)
