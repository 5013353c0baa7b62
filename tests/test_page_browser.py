"""The page in a real browser: Debian's chromium through selenium."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from page_server import Serving, serving
from sylve import Outcome, Player, Position

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")


def test_there_is_a_browser_where_everything_must_be() -> None:
    assert (BROWSER and DRIVER) or os.environ.get("SYLVE_CI") != "1"


browser_only = pytest.mark.skipif(not (BROWSER and DRIVER), reason="no chromium, no chromedriver")
GAMES = ["tic_tac_toe", "breakthrough(columns=5, rows=5)", "othello(size=4)",
         "connect_four(columns=5, rows=4)", "hex(size=3)", "go(size=5)", "Race"]  # fmt: skip


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


@pytest.fixture(scope="module")
def server() -> Iterator[Serving]:
    with serving({"Race": Race()}) as running:
        yield running


@pytest.fixture(scope="module")
def driver() -> Iterator[webdriver.Chrome]:
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


@pytest.fixture
def page(server: Serving, driver: webdriver.Chrome) -> Iterator[Opened]:
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

    def until(self, holds, seconds: float = 20):
        return WebDriverWait(self.driver, seconds, 0.02).until(lambda _: holds())

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


@browser_only
@pytest.mark.parametrize("keys", [False, True], ids=["mouse", "keyboard"])
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game(page: Opened, game: str, keys: bool) -> None:
    page.open(f"game={game}&x=person&o=person")
    position = Position.start(Race() if game == "Race" else game)
    while position.outcome is None:
        # Go: passes end it soon; elsewhere the first or the last move.
        passes = game.startswith("go") and len(position.played) > 2
        move = position.moves[-1] if passes or len(position.played) % 2 else position.moves[0]
        page.play(position, move, keys)
        position = position.play(move)
    page.until(lambda: "win" in page.text("status") or "draw" in page.text("status"))
    assert len(page.played()) == len(position.played)
    assert page.text("announce").endswith(page.text("status"))


@browser_only
def test_a_search_answers_and_a_reload_goes_on(page: Opened) -> None:
    page.open("game=tic_tac_toe&x=person&o=uct&seconds=0.1")
    start = Position.start("tic_tac_toe")
    page.driver.find_element(By.CSS_SELECTOR, '.cell[aria-label^="b2,"]').click()
    page.until(lambda: len(page.played()) == 2)
    known = page.played()
    assert known[0] == start.name(4)
    page.driver.refresh()
    page.until(lambda: page.text("status") != "")
    assert page.played() == known


@browser_only
def test_two_tabs_do_not_disturb_each_other(page: Opened) -> None:
    page.open("game=tic_tac_toe&x=person&o=person&moves=b2")
    first = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    page.open("game=hex(size=3)&x=person&o=person")
    page.id("typed").send_keys("a1" + Keys.ENTER)
    page.until(lambda: page.played() == ["a1"])
    page.driver.close()
    page.driver.switch_to.window(first)
    page.id("typed").send_keys("a1" + Keys.ENTER)
    page.until(lambda: page.played() == ["b2", "a1"])


@browser_only
def test_the_server_goes_and_comes_back(driver: webdriver.Chrome) -> None:
    with serving() as first:
        page = Opened(first, driver)
        page.open("game=tic_tac_toe&x=person&o=person&moves=b2")
    page.until(lambda: page.id("offline").is_displayed())
    with serving(port=first.port):
        page.until(lambda: not page.id("offline").is_displayed())
        page.id("typed").send_keys("a1" + Keys.ENTER)
        page.until(lambda: page.played() == ["b2", "a1"])
        driver.get("about:blank")


@browser_only
def test_two_searches_play_to_the_end(page: Opened) -> None:
    page.open("game=tic_tac_toe&x=flat(50)&o=alpha_beta&seconds=0.1")
    page.until(lambda: "win" in page.text("status") or "draw" in page.text("status"))


@browser_only
def test_undo_hint_resign_and_typed_moves(page: Opened) -> None:
    page.open("game=othello&x=person&o=person&seconds=0.1")
    page.id("typed").send_keys("f5" + Keys.ENTER)
    page.until(lambda: page.played() == ["f5"])
    page.id("typed").send_keys("a1" + Keys.ENTER)
    page.until(lambda: "illegal move 'a1'" in page.text("problem"))
    page.id("undo").click()
    page.until(lambda: page.played() == [])
    page.id("hint").click()
    page.until(lambda: page.text("status").startswith("Hint: "))
    page.id("resign").click()
    page.until(lambda: page.text("status") == "Black resigns: White wins")


@browser_only
@pytest.mark.parametrize(("lang", "words"), [("en", "Black to move"), ("fr", "Trait à Noir")])
def test_both_languages(page: Opened, lang: str, words: str) -> None:
    page.open(f"lang={lang}")
    page.until(lambda: page.text("status") == words)
    assert page.driver.find_element(By.TAG_NAME, "html").get_attribute("lang") == lang


@browser_only
def test_a_live_search(page: Opened) -> None:
    page.open("mode=analyse&game=othello&how=rave&how2=uct")
    page.id("start").click()
    page.until(lambda: "playouts" in page.text("result0") and "playouts" in page.text("result1"))
    page.until(lambda: page.driver.find_elements(By.CSS_SELECTOR, ".marks circle"))
    page.id("start").click()
    page.until(lambda: page.text("start") == "Start")
    assert "AMAF mean" in page.text("result0")
    page.id("mode-play").click()
    page.until(lambda: not page.server.page.turns.known)


@browser_only
def test_exact_values(page: Opened) -> None:
    page.open("mode=analyse&game=tic_tac_toe&moves=b2")
    page.id("solve").click()
    page.until(lambda: page.text("exact") == "Exact value for the side to move: 0")


@browser_only
def test_a_review(page: Opened) -> None:
    page.open("mode=review&game=tic_tac_toe&moves=a1 b2 c1 b1 a2 b3")
    page.id("review-it").click()
    page.until(lambda: page.driver.find_elements(By.CSS_SELECTOR, "#losses tbody tr"))
    rows = page.driver.find_elements(By.CSS_SELECTOR, "#losses tbody tr")
    assert rows[0].text.split()[:2] == ["5", "a2"]


@browser_only
def test_names_in_a_record_never_become_html(page: Opened) -> None:
    page.open("game=tic_tac_toe&x=person&o=person")
    page.driver.execute_script("document.querySelector('details').open = true")
    text = "# game: tic_tac_toe\n# first: <img src=x onerror=alert(1)>\nb2 a1 <b>"
    page.driver.execute_script("arguments[0].value = arguments[1]", page.id("pasted"), text)
    page.id("read").click()
    page.until(lambda: "<b>" in page.text("problem"))
    assert page.driver.find_elements(By.CSS_SELECTOR, "#problem b, img[onerror]") == []
    position = "xx./oo./... x"
    page.driver.execute_script("arguments[0].value = arguments[1]", page.id("pasted"), position)
    page.id("read").click()
    page.until(
        lambda: page.text("status") == "X to move" and "position=" in page.driver.current_url
    )


@browser_only
@pytest.mark.parametrize("width", [320, 390, 1200])
def test_nothing_is_wider_than_the_screen(page: Opened, width: int) -> None:
    page.driver.set_window_size(width, 900)
    measure = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", measure)
    try:
        for mode in ("play", "analyse", "review"):
            page.open(f"mode={mode}&game=go")
            script = "return document.documentElement.scrollWidth"
            assert page.driver.execute_script(script) <= width
    finally:
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        page.driver.set_window_size(1200, 900)
