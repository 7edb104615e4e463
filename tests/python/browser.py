"""A real browser without a window, to see pages as readers do."""

import base64
import os
import shutil

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


class Browser:
    def __init__(self):
        program = next(filter(None, map(shutil.which, PROGRAMS)), None)
        driver = shutil.which("chromedriver")
        if not program or not driver:
            pytest.fail(
                "no browser to open the report in: install chromium and chromium-driver, or set SPICYMKL_NO_BROWSER=1"
            )
        options = webdriver.ChromeOptions()
        options.binary_location = program
        for argument in ("--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--force-device-scale-factor=1"):
            options.add_argument(argument)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")  # which Chromium refuses to root
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(driver))

    def close(self):
        self.driver.quit()

    def emulate(self, width=1200, scheme="light", media=""):
        """The next page is seen in a window of this width, by a reader who prefers this colour scheme.

        With media="print" it looks as on paper.
        """
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})

    def open(self, path):
        self.driver.get(path.as_uri())

    def ask(self, script):
        return self.driver.execute_script("return " + script)

    def console(self):
        """What the page wrote to the console since the last call, errors included."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def screenshot(self):
        """The whole page as PNG."""
        answer = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "format": "png"})
        return base64.b64decode(answer["data"])

    def pdf(self):
        """The page as it prints."""
        answer = self.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": False, "preferCSSPageSize": True})
        return base64.b64decode(answer["data"])
