"""Takes docs/images/report.png, the demo's page in a browser: its first screen and its map.

Run it with the Python of .venv, from anywhere; it needs chromium and playwright.
"""

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from eigenlens.cli.demo import load_wines
from eigenlens.fit import fit
from eigenlens.report.write import report

WIDTH, HEIGHT = 1280, 1400
# What lies between the first screen and the map is left out of the picture.
LEFT_OUT = "main > section:not(#summary):not(#map), footer { display: none; }"


def main() -> None:
    table = load_wines()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = report(
            fit(table.frame(), "auto", scale="std"),
            table.frame(),
            Path(folder) / "report.html",
            groups={"grower": list(table.growers)},
            title="Wines of three growers",
        )
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        view = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        view.goto(page.as_uri())
        view.add_style_tag(content=LEFT_OUT)
        view.wait_for_selector("html.map-live")
        view.wait_for_timeout(1000)
        view.screenshot(path=Path(__file__).with_name("report.png"))
        browser.close()


if __name__ == "__main__":
    main()
