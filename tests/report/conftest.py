"""A real browser for the pages: Debian's chromium, or another of its kind that is installed."""

import shutil

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ["--no-sandbox", "--disable-gpu", "--use-gl=angle", "--use-angle=swiftshader"]


@pytest.fixture(scope="session")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = next((path for path in map(shutil.which, NAMES) if path), None)
    if program is None:
        pytest.skip(f"no browser is installed: looked for {', '.join(NAMES)}")
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def visit(browser):
    """Opens a page and keeps what it complains about: `page.complaints`."""
    contexts = []

    def opened(path, width=1280, scripts=True, **options):
        context = browser.new_context(
            viewport={"width": width, "height": 800}, java_script_enabled=scripts, **options
        )
        contexts.append(context)
        page = context.new_page()
        page.complaints = []
        page.on("console", lambda one: one.type in ("error", "warning") and note(page, one.text))
        page.on("pageerror", lambda error: note(page, f"error: {error}"))
        page.on(
            "dialog", lambda dialog: (note(page, f"dialog: {dialog.message}"), dialog.dismiss())
        )
        page.on("request", lambda asked: is_foreign(asked.url) and note(page, asked.url))
        page.goto(path.as_uri())
        if scripts:
            page.wait_for_selector("html.map-live #map-plot canvas", state="attached")
            page.wait_for_function("Bokeh.documents[0].is_idle")
        return page

    yield opened
    for context in contexts:
        context.close()


def note(page, text):
    page.complaints.append(text)


def is_foreign(url):
    return not url.startswith(("file:", "data:", "blob:"))
