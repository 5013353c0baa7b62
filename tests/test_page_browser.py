"""The page in a real browser: Debian's chromium through selenium."""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from page_server import Serving, serving
from sylve import Outcome, Player, Position

ROOT = Path(__file__).parents[1]
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
    with serving({"Race": Race()}, shelf=ROOT / "docs/results") as running:
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

    def until(self, holds, seconds: float = 60):
        return WebDriverWait(self.driver, seconds, 0.02).until(lambda _: holds())

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


def short_game(start: Position) -> tuple[int, ...]:
    """The shortest of some random games: every move takes a browser a while."""
    chance, found = random.Random(1), []
    for _ in range(40):
        position = start
        while position.outcome is None:
            # Go: two passes end it.
            passes = str(start.game).startswith("go") and len(position.played) > 2
            position = position.play(
                position.moves[-1] if passes else chance.choice(position.moves)
            )
        found.append(position.played)
    return min(found, key=len)


@browser_only
@pytest.mark.parametrize(
    "keys", [False, pytest.param(True, marks=pytest.mark.long)], ids=["mouse", "keyboard"]
)
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game(page: Opened, game: str, keys: bool) -> None:
    page.open(f"game={game}&x=person&o=person")
    position = Position.start(Race() if game == "Race" else game)
    for move in short_game(position):
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
@pytest.mark.parametrize("width", [320, pytest.param(390, marks=pytest.mark.long), 1200])
def test_nothing_is_wider_than_the_screen(page: Opened, width: int) -> None:
    page.driver.set_window_size(width, 900)
    measure = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", measure)
    try:
        for mode in ("play", "analyse", "learn", "review", "shelf"):
            page.open(f"mode={mode}&game=go&how=grave&k=60&entry=1")
            page.until(lambda mode=mode: mode != "shelf" or page.has("#entry table"))
            page.until(lambda mode=mode: mode != "learn" or page.has("#learned table"))
            script = "return document.documentElement.scrollWidth"
            assert page.driver.execute_script(script) <= width
    finally:
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        page.driver.set_window_size(1200, 900)


@browser_only
def test_a_game_against_a_level(page: Opened) -> None:
    page.open("game=tic_tac_toe&x=person&o=person&moves=a1 b1 a2")
    page.find("#player-o option[value='level(9)']").click()
    page.until(lambda: len(page.played()) == 4)
    page.id("swap").click()
    page.until(lambda: len(page.played()) == 5)
    assert "x=level%289%29" in page.driver.current_url


@browser_only
def test_the_tree_of_a_search(page: Opened) -> None:
    page.open("mode=analyse&game=othello&how=rave&playouts=20000")
    page.id("start").click()
    page.until(lambda: page.id("result0").get_attribute("data-running") == "false", 60)
    page.find("#tree0 summary").click()
    page.until(lambda: page.has("#tree0 li") >= 4)
    page.driver.execute_script("document.querySelector('#tree0 li button').click()")
    page.until(lambda: page.find("#tree0 li button").text.startswith("▾"))
    page.until(lambda: page.has("#tree0 li li") >= 2)
    for _ in range(30):  # everything that can be opened, as long as there is room
        page.driver.execute_script(
            """document.querySelector('#tree0 [aria-expanded="false"]')?.click()"""
        )
        time.sleep(0.05)
    page.until(lambda: page.has("#tree0 li") > 60)
    assert page.has("#tree0 li") <= 200


@browser_only
def test_the_answer_to_a_move_on_hover(page: Opened) -> None:
    page.open("mode=analyse&game=tic_tac_toe&how=uct(solver=false)&playouts=3000")
    page.id("start").click()
    page.until(lambda: page.id("result0").get_attribute("data-running") == "false")
    page.driver.execute_script("document.querySelector('#result0 tbody button').focus()")
    page.until(lambda: "Then " in page.text("then0"))
    assert page.has(".marks .ring.best") == page.has(".marks .ring.reply") == 1


@browser_only
@pytest.mark.parametrize("number", ["mean", "amaf", "beta", "exploration", "exact"])
def test_colours_by_every_number(page: Opened, number: str) -> None:
    page.open(
        f"mode=analyse&game=tic_tac_toe&moves=b2&how=rave(c=0.3)&playouts=500&number={number}"
    )
    if number != "exact":
        page.id("start").click()
    page.until(lambda: page.has(".marks circle") >= 3)
    page.until(lambda: page.id("legend").is_displayed())


@browser_only
def test_one_simulation_forward_and_back(page: Opened) -> None:
    page.open("mode=learn&game=breakthrough(columns=5, rows=5)&how=rave&k=30")
    page.until(lambda: "d2-e3" in page.text("learned"))
    page.id("node-1").click()
    page.until(lambda: "(1 - 0.6667) * 0.5 + 0.6667 * 0.5 = 0.5" in page.text("formula"))
    assert "4 / (2 + 4 + 1e-05 * 2 * 4) = 0.6667" in page.text("formula")
    assert page.text("status").startswith("Black chooses")
    assert page.has(".tree .lit") == 3
    before = page.text("learned")
    page.id("k-on").click()
    page.until(lambda: "Simulation 31 " in page.text("learned"))
    page.id("k-back").click()
    page.until(lambda: "Simulation 30 " in page.text("learned"))
    assert page.text("learned") == before
    assert "k=30" in page.driver.current_url


@browser_only
def test_the_playout_and_the_update_by_keyboard(page: Opened) -> None:
    page.open("mode=learn&game=breakthrough(columns=5, rows=5)&how=rave&k=30")
    page.until(lambda: page.has("#learned table"))
    page.keys("2")
    page.until(lambda: "22 random moves to the end. White wins" in page.text("learned"))
    stones = 'return document.querySelectorAll(".cell[aria-label*=White]").length'
    full = page.driver.execute_script(stones)
    page.keys("+" * 22)
    page.until(lambda: page.text("status") == "White wins")
    page.until(lambda: page.driver.execute_script(stones) < full)
    page.keys("3")
    page.until(lambda: page.has("#changes tbody tr") > 10)
    assert "a2-a3" in page.text("changes")
    assert "6/3/0" in page.text("changes")
    assert "7/4/0" in page.text("changes")
    page.keys("f")
    page.until(lambda: "Simulation 31 " in page.text("learned"))
    page.keys("b")
    page.until(lambda: "Simulation 30 " in page.text("learned"))


LESSONS = ["flat", "ucb", "uct", "flat_amaf", "amaf_uct", "grave", "rave(schedule=hand)",
           "rave(schedule=bias)", "rave(schedule=slides)", "rave(schedule=course)",
           "rave(schedule=fixed)", "rave(schedule=mse)"]  # fmt: skip


@browser_only
def test_every_search_can_be_learned(page: Opened) -> None:
    page.open("mode=learn&game=connect_four(columns=5, rows=4)&k=40&lang=fr")
    for how in LESSONS:
        page.fill("how", how)
        page.fill("k", "40")
        name, _, schedule = how.rstrip(")").partition("(")
        page.until(lambda: page.has("#learned h2"))
        page.until(lambda name=name: page.text("learned").startswith(f"Simulation 40 de {name}("))
        page.until(lambda to=schedule: to in ("", "schedule=slides") or to in page.text("learned"))
        page.until(lambda: " choisit, au nœud : racine" in page.text("status"))
        assert not page.id("problem").is_displayed()


@browser_only
def test_a_game_of_ones_own_can_be_learned(page: Opened) -> None:
    page.open("mode=learn&game=Race&how=uct&k=3")
    page.until(lambda: page.has("#learned table"))


@browser_only
def test_alpha_beta_step_by_step(page: Opened) -> None:
    page.open("mode=learn&game=connect_four&how=alpha_beta(3)&moves=4 4 3")
    page.until(lambda: "Enter root with the window (" in page.text("walk"))
    page.keys("f")
    page.until(lambda: page.text("status").startswith("Event 2 of "))
    page.until(lambda: page.has("#frames tbody tr") == 2)
    page.fill("k", "20000")
    page.until(lambda: "The search is over: " in page.text("event"))
    for k in range(60, 200):
        page.driver.execute_script(
            "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))",
            page.id("slider"),
            k,
        )
        page.until(lambda k=k: page.text("status").startswith(f"Event {k} of "))
        if "Cut-off: " in page.text("event"):
            break
    assert "moves are not looked at" in page.text("event")


@browser_only
def test_the_shelf_and_a_game_of_a_tournament(page: Opened) -> None:
    page.open("mode=shelf")
    page.until(lambda: page.has("#shelf button") == 3)
    page.driver.find_elements(By.CSS_SELECTOR, "#shelf button")[1].click()
    page.until(lambda: "800 of 800 games" in page.text("games-done"))
    page.find('[data-game="2"]').click()
    page.until(lambda: len(page.played()) > 20)
    assert "mode=review" in page.driver.current_url
    page.id("mode-shelf").click()
    page.until(lambda: page.has("#entry table") >= 3)


@browser_only
def test_a_saved_review_is_not_made_again(page: Opened) -> None:
    page.open("mode=review&game=tic_tac_toe&moves=a1 b2 c1 b1 a2 b3")
    page.id("review-it").click()
    page.until(lambda: page.has("#losses tbody tr"))
    text = page.driver.execute_async_script(
        "const done = arguments[0]; import('/static/main.js').then((m) => done(m.app.found.record))"
    )
    losses = page.text("losses")
    page.open("game=othello")
    page.driver.execute_script("document.querySelector('details').open = true")
    page.driver.execute_script("arguments[0].value = arguments[1]", page.id("pasted"), text)
    page.id("read").click()
    page.until(lambda: len(page.played()) == 6)
    page.id("mode-review").click()
    page.until(lambda: page.has("#losses tbody tr"))
    assert page.text("losses") == losses
    assert not page.server.page.turns.known


@browser_only
def test_the_keyboard_alone_reaches_everything(page: Opened) -> None:
    page.open("game=tic_tac_toe&x=person&o=person")
    page.driver.execute_script("document.body.focus()")
    reached = set()
    for _ in range(40):
        page.keys(Keys.TAB)
        active = page.driver.switch_to.active_element
        reached.add(active.get_attribute("id") or active.get_attribute("class").split(" ")[0])
    wanted = {"mode-play", "mode-analyse", "mode-learn", "mode-review", "mode-shelf", "language",
              "theme", "help-button", "cell", "game", "size", "player-x", "player-o", "seconds",
              "new", "undo", "hint", "resign", "swap", "typed"}  # fmt: skip
    assert wanted <= reached


@browser_only
def test_the_board_is_a_grid_for_a_screen_reader(page: Opened) -> None:
    page.open("game=othello&x=person&o=person")
    assert page.find('[role="grid"]').get_attribute("aria-label") == "Board of othello"
    assert page.has('[role="grid"] [role="row"]') == 8
    assert page.has('[role="gridcell"] button[aria-label]') == 64
    assert page.has('.cell[tabindex="0"]') == 1
    assert page.has('.cell[aria-label$="can be played"]') == 4
    page.find('.cell[aria-label^="f5"]').click()
    page.until(lambda: page.text("announce") == "Black plays f5. White to move")


@browser_only
@pytest.mark.parametrize("mode", ["play", "analyse", "learn", "review", "shelf"])
def test_french_and_dark_in_every_mode(page: Opened, mode: str) -> None:
    page.open(f"mode={mode}&game=tic_tac_toe&lang=fr&theme=dark")
    page.until(lambda: page.driver.execute_script("return document.body.innerText").strip())
    ground = page.driver.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(18, 22, 27)"
    text = page.driver.execute_script("return document.body.innerText")
    for word in ("Play", "Learn", "Search", "Playouts", "undefined", "[object", "NaN"):
        assert word not in text, word
    page.id("language").click()
    page.until(lambda: page.text("mode-play") == "Play")


@browser_only
def test_a_reload_in_the_middle_of_a_lesson(page: Opened) -> None:
    page.open("mode=learn&game=tic_tac_toe&how=grave&k=12&part=update")
    page.until(lambda: page.has("#changes"))
    known = page.text("changes")
    page.driver.refresh()
    page.until(lambda: page.has("#changes"))
    assert page.text("changes") == known
