"""A browser with the page: Debian's chromium through selenium."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from page_server import Serving, serving
from sylve import Outcome, Player, Position

ROOT = Path(__file__).parents[1]
BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")


browser_only = pytest.mark.skipif(not (BROWSER and DRIVER), reason="no chromium, no chromedriver")


class Race:
    """Add 1 or 2; who reaches 5 wins."""

    def start(self):
        return (0, Player.FIRST)

    def turn(self, state):
        return state[1]

    def outcome(self, state):
        return Outcome(state[1].other) if state[0] >= 5 else None

    def moves(self, state):
        return [] if self.outcome(state) else [1, 2]

    def play(self, state, move):
        return (state[0] + move, state[1].other)


def running_server() -> Iterator[Serving]:
    with serving({"Race": Race()}, shelf=ROOT / "docs/results") as running:
        yield running


def running_browser() -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    assert BROWSER
    assert DRIVER
    options.binary_location = BROWSER
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--lang=en"):
        options.add_argument(word)
    options.add_argument("--window-size=1200,900")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    made = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield made
    made.quit()


def opened_page(server: Serving, driver: webdriver.Chrome) -> Iterator[Opened]:
    driver.get_log("browser")
    yield Opened(server, driver)
    logged = [row["message"] for row in driver.get_log("browser") if row["level"] == "SEVERE"]
    assert [text for text in logged if "400 (Bad Request)" not in text] == []


class Opened:
    """The page, opened anew."""

    def __init__(self, server: Serving, driver: webdriver.Chrome) -> None:
        self.server, self.driver = server, driver
        driver.get("about:blank")
        driver.get(server.url)

    def open(self, address: str) -> None:
        self.driver.get("about:blank")
        self.driver.get(f"{self.server.origin}/#{address}")
        self.until(lambda: self.text("status") != "")

    def until(self, holds, seconds: float = 60):
        """Wait. An element may be drawn anew between finding it and asking it: ask again."""
        wait = WebDriverWait(self.driver, seconds, 0.02, [StaleElementReferenceException])
        return wait.until(lambda _: holds())

    def has(self, selector: str) -> int:
        """How many elements there are."""
        return len(self.driver.find_elements(By.CSS_SELECTOR, selector))

    def find(self, selector: str):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def keys(self, keys: str) -> None:
        """Keys, wherever the focus is."""
        self.driver.switch_to.active_element.send_keys(keys)

    def fill(self, name: str, value: str) -> None:
        """Another value of a field."""
        script = (
            "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change'))"
        )
        self.driver.execute_script(script, self.id(name), value)

    def text(self, name: str) -> str:
        return self.driver.find_element(By.ID, name).get_attribute("textContent")

    def id(self, name: str):
        return self.driver.find_element(By.ID, name)

    def played(self) -> list[str]:
        script = "return [...document.querySelectorAll('.list button')].map(b => b.textContent)"
        return self.driver.execute_script(script)

    def act(self, target, keys: bool) -> None:
        if keys:
            self.driver.execute_script("arguments[0].focus()", target)
            self.driver.switch_to.active_element.send_keys(Keys.ENTER)
        else:
            target.click()

    def play(self, position: Position, move: int, keys: bool) -> None:
        """A move on the board, by mouse or keyboard."""
        name, before = position.name(move), len(self.played())
        cells = getattr(position.game, "move_cells", lambda *_: (None, None))(position.state, move)
        if cells[1] is None:
            self.act(self.driver.find_element(By.CSS_SELECTOR, f'[data-move="{name}"]'), keys)
        for cell in cells:
            if cell is not None:
                label = position.game.cell_name(cell)
                self.act(
                    self.driver.find_element(By.CSS_SELECTOR, f'.cell[aria-label^="{label},"]'),
                    keys,
                )
        self.until(lambda: len(self.played()) == before + 1)
