"""The page's other rooms in a real browser: Learn, the shelf, the keyboard, languages."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import Opened, browser_only, opened_page, running_browser, running_server

server = pytest.fixture(running_server, scope="module")
driver = pytest.fixture(running_browser, scope="module")
page = pytest.fixture(opened_page)


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
