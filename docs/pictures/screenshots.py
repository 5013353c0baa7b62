"""Every mode of the page as a picture: `python docs/pictures/screenshots.py [FOLDER]`.

Wide and light, wide and dark, and as narrow as a phone. Without a folder, the pictures of
docs/page.md are made anew, and no others. It needs chromium and chromedriver, and selenium.
"""

from __future__ import annotations

import base64
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "tests"))

from selenium import webdriver  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

from page_server import Serving, serving  # noqa: E402

OPENING = "f5 d6 c3 d3 c4 f4 c5 b3 c2 b4"
SMALL = "b3 d2 e1 b4 c5 b2 c2 b1 a1 c6 e5 e2 c1 a2 a5 a4"
SIZES = {"light": (1200, 900), "dark": (1200, 900), "phone": (390, 844)}


class Camera:
    """A browser that looks at a server."""

    def __init__(self, server: Serving, driver: webdriver.Chrome) -> None:
        self.server, self.driver = server, driver
        driver.get(server.url)

    def open(self, address: str, kind: str) -> None:
        """Show an address, in one of the three ways."""
        width, height = SIZES[kind]
        measure = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", measure)
        theme = "dark" if kind == "dark" else "light"
        self.driver.get("about:blank")
        self.driver.get(f"{self.server.origin}/#{address}&theme={theme}")
        self.until("return document.getElementById('status').textContent !== ''")
        time.sleep(0.3)

    def until(self, script: str) -> None:
        """Wait until a script says true."""
        WebDriverWait(self.driver, 60, 0.05).until(lambda _: self.driver.execute_script(script))

    def click(self, name: str) -> None:
        """Press a button."""
        self.driver.find_element(By.ID, name).click()

    def save(self, path: Path, *, whole: bool) -> None:
        """The picture; `whole`: the page to its end."""
        time.sleep(0.4)
        options = {"format": "png", "captureBeyondViewport": whole}
        if whole:
            high = "return document.documentElement.scrollHeight"
            clip = {"x": 0, "y": 0, "width": 390, "scale": 1}
            options["clip"] = {**clip, "height": self.driver.execute_script(high)}
        found = self.driver.execute_cdp_cmd("Page.captureScreenshot", options)
        path.write_bytes(base64.b64decode(found["data"]))


def nothing(camera: Camera) -> None:
    """The page as it opens."""
    del camera


def hint(camera: Camera) -> None:
    """A hint on the board."""
    camera.click("hint")
    camera.until("return document.querySelector('.marks .ring, .marks polygon') !== null")


def analyse(camera: Camera) -> None:
    """Two searches that have ended, and a part of the tree."""
    camera.click("start")
    camera.until(
        "const all = [...document.querySelectorAll('.result')].filter((card) => !card.hidden);"
        "return all.every((card) => card.dataset.running === 'false')"
    )
    camera.driver.execute_script("document.querySelector('#tree0 summary')?.click()")
    camera.until("return document.querySelectorAll('#tree0 li').length > 1")
    camera.driver.execute_script("document.querySelector('#tree0 li button')?.click()")
    time.sleep(0.3)


def learn(camera: Camera) -> None:
    """A simulation, its update in sight."""
    camera.until("return document.querySelector('#learned table') !== null")


def walk(camera: Camera) -> None:
    """A step of alpha-beta."""
    camera.until("return document.querySelector('#walk table') !== null")


def review(camera: Camera) -> None:
    """A game with its losses."""
    camera.click("review-it")
    camera.until("return document.querySelector('#losses tbody tr') !== null")
    camera.driver.execute_script("document.querySelector('#losses button').click()")


def shelf(camera: Camera) -> None:
    """The first entry of the shelf."""
    camera.until("return document.querySelector('#shelf button') !== null")
    camera.driver.execute_script("document.querySelector('#shelf button').click()")
    camera.until("return document.querySelector('#entry table') !== null")


SCENES: dict[str, tuple[str, Callable[[Camera], None]]] = {
    "play": (f"game=othello&o=person&moves={OPENING}", hint),
    "play-breakthrough": ("game=breakthrough&o=person&moves=c2-c3 c7-c6 d2-d3 f7-f6", nothing),
    "play-go": ("game=go&o=person&moves=E5 C4 G6 D7", nothing),
    "analyse": (f"mode=analyse&game=othello&how=rave&how2=uct&playouts=30000&moves={OPENING}",
                analyse),
    "learn": ("mode=learn&game=breakthrough(columns=6, rows=6)&how=rave&k=600&part=descent&depth=1",
              learn),
    "learn-update": ("mode=learn&game=connect_four&how=grave&k=400&part=update", learn),
    "learn-alpha-beta": ("mode=learn&game=connect_four&how=alpha_beta&k=60&moves=4 4 3", walk),
    "review": (f"mode=review&game=othello(size=6)&moves={SMALL}", review),
    "shelf": ("mode=shelf", shelf),
}  # fmt: skip
BEST = {"analyse": "light", "learn": "light", "learn-update": "dark", "review": "phone"}
"""The pictures of docs/page.md."""


def make_driver() -> webdriver.Chrome:
    """Chromium, as Debian has it."""
    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--lang=en"):
        options.add_argument(word)
    return webdriver.Chrome(
        options=options, service=webdriver.ChromeService(str(shutil.which("chromedriver")))
    )


def main() -> None:
    """All pictures into a folder, or the best ones into this one."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    only = sys.argv[2:]
    target = folder or HERE
    target.mkdir(parents=True, exist_ok=True)
    with serving(shelf=HERE.parent / "results") as server:
        driver = make_driver()
        try:
            camera = Camera(server, driver)
            for name, (address, prepare) in SCENES.items():
                for kind in SIZES:
                    if (only and name not in only) or (not folder and BEST.get(name) != kind):
                        continue
                    camera.open(address, kind)
                    prepare(camera)
                    stem = f"page_{name}" if folder is None else f"{name}-{kind}"
                    camera.save(target / f"{stem}.png", whole=kind == "phone")
                    sys.stdout.write(f"{target / stem}.png\n")
        finally:
            driver.quit()


if __name__ == "__main__":
    main()
