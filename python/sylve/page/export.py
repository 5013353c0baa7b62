"""A review as one HTML file that needs nothing else: curve, worst moves with boards, all moves."""

from __future__ import annotations

from typing import Any

from sylve.markup import escape
from sylve.own import game_text
from sylve.page.review import reviewed
from sylve.records import InvalidRecord, Record

WORST = 6  # moves that are shown with a board
WORDS = {
    "en": {
        "title": "Review", "curve": "Value for the first player", "worst": "The largest losses",
        "all": "All moves", "head": ("", "move", "best", "before", "after", "loss"),
        "played": "played", "best": "best was", "loss": "loss", "exact": "exact",
        "unknown": "unknown players", "from": "Exact from move {} on.",
        "how": "Values are winning chances in percent, for the player who moved.",
    },
    "fr": {
        "title": "Analyse de partie", "curve": "Valeur pour le premier joueur",
        "worst": "Les plus grandes pertes", "all": "Tous les coups",
        "head": ("", "coup", "meilleur", "avant", "après", "perte"),
        "played": "joué", "best": "le meilleur était", "loss": "perte", "exact": "exact",
        "unknown": "joueurs inconnus", "from": "Exact à partir du coup {}.",
        "how": "Les valeurs sont des chances de gain en pour cent, pour le joueur qui a joué.",
    },
}  # fmt: skip
STYLE = """
:root{color-scheme:light dark;--ink:#1d2430;--paper:#fbfaf7;--line:#d8d3c8;--accent:#1d5b8f}
@media(prefers-color-scheme:dark){:root{--ink:#e8e6e1;--paper:#16191f;--line:#3a404c;--accent:#7db8ea}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);
max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}th,td{text-align:right;padding:.25rem .6rem;
border-bottom:1px solid var(--line)}th:nth-child(-n+3),td:nth-child(-n+3){text-align:left}
.boards{display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:1rem}
figure{margin:0}figure svg{width:100%;height:auto}polyline{stroke:var(--accent)}
"""


def review_page(record: Record, language: str) -> str:
    """The whole page."""
    found = reviewed(record)
    if found is None:
        raise InvalidRecord("the record has no analysis: review the game first")
    words: dict[str, Any] = WORDS[language]
    players = " / ".join(filter(None, record.players)) or words["unknown"]
    about = [game_text(record.opening.game), record.result, record.date, record.event]
    parts = [
        f'<!doctype html><html lang="{language}"><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f"<title>{escape(players)}</title><style>{STYLE}</style>",
        f"<h1>{escape(words['title'])}: {escape(players)}</h1>",
        f"<p>{escape(' · '.join(filter(None, about)))}</p>",
        f"<p>{escape(record.comment)}</p>" if record.comment else "",
        f"<h2>{escape(words['curve'])}</h2>{curve_svg(found['curve'])}",
    ]
    if found["exact_from"] is not None:
        parts.append(f"<p>{escape(words['from'].format(found['exact_from'] + 1))}</p>")
    parts.append(f'<h2>{escape(words["worst"])}</h2><div class="boards">')
    worst = sorted(found["rows"], key=lambda row: -(row["loss"] or 0))[:WORST]
    parts += [figure(record, row, words) for row in worst if row["loss"]]
    parts.append(f"</div><h2>{escape(words['all'])}</h2><p>{escape(words['how'])}</p><table><tr>")
    parts += [f"<th>{escape(cell)}</th>" for cell in words["head"]]
    parts.append("</tr>")
    for row in found["rows"]:
        cells = [
            row["ply"] + 1,
            row["name"],
            row["best"],
            percent(row["before"]),
            percent(row["after"]),
            percent(row["loss"]) + (f" ({words['exact']})" if row["exact"] else ""),
        ]
        parts.append("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>")
    return "\n".join([*parts, "</table></html>\n"])


def figure(record: Record, row: dict[str, Any], words: dict[str, Any]) -> str:
    """A position before a bad move: the board, the best move and the one that was played."""
    position = record.positions[row["ply"]]
    marks = [row["best"]] if row["best"] != row["name"] else []
    drawing = position.svg(arrows=marks, turn=False, size=300)
    text = (
        f"{row['ply'] + 1}. {words['played']} {row['name']}, {words['best']} {row['best']}: "
        f"{words['loss']} {percent(row['loss'])}"
    )
    return f"<figure>{drawing}<figcaption>{escape(text)}</figcaption></figure>"


def curve_svg(curve: list[list[Any]]) -> str:
    """The values from left to right; gaps where nothing is known."""
    width, height = 600.0, 140.0
    step = width / max(1, len(curve) - 1)
    points = " ".join(
        f"{index * step:.1f},{height * (1 - value):.1f}"
        for index, (value, _) in enumerate(curve)
        if value is not None
    )
    return (
        f'<svg viewBox="0 -4 {width:g} {height + 8:g}" role="img">'
        f'<line x1="0" x2="{width:g}" y1="{height / 2:g}" y2="{height / 2:g}" stroke="#888"'
        f' stroke-dasharray="4"/><polyline points="{points}" fill="none" stroke-width="2.5"/></svg>'
    )


def percent(value: float | None) -> str:
    """A chance for people."""
    return "" if value is None else f"{100 * value:.1f} %"
