"""The page in a real browser: Debian's chromium through selenium."""

from __future__ import annotations

import os
import random
import time

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import (
    BROWSER,
    DRIVER,
    Opened,
    Race,
    browser_only,
    opened_page,
    running_browser,
    running_server,
)
from page_server import serving
from sylve import Position

server = pytest.fixture(running_server, scope="module")
driver = pytest.fixture(running_browser, scope="module")
page = pytest.fixture(opened_page)


def test_there_is_a_browser_where_everything_must_be() -> None:
    assert (BROWSER and DRIVER) or os.environ.get("SYLVE_CI") != "1"


GAMES = ["tic_tac_toe", "breakthrough(columns=5, rows=5)", "othello(size=4)",
         "connect_four(columns=5, rows=4)", "hex(size=3)", "go(size=5)", "Race"]  # fmt: skip


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
