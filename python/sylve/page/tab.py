"""A tab of the browser: what it has asked for, and what waits to be sent to it."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable
from typing import Any

from sylve.page import limits, protocol
from sylve.page.boards import view_of
from sylve.page.lessons import Lesson, lesson_key, make_lesson
from sylve.page.live import Live
from sylve.page.offers import Offers
from sylve.page.protocol import VERSION, Refused, read_message
from sylve.page.turns import Memory, Turns, problem
from sylve.page.works import FindExact, Sweep, Task, choose_move

WORKS: dict[str, Callable[..., Task]] = {"move": choose_move, "solve": FindExact, "review": Sweep}


class Outbox:
    """Messages to a tab, from any thread. Of reports that wait only the latest is kept."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.ready = asyncio.Event()
        self.messages: deque[dict[str, Any]] = deque()
        self.full = False

    def put(self, message: dict[str, Any]) -> None:
        """Send a message when there is time."""
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self._put, message)

    def _put(self, message: dict[str, Any]) -> None:
        if message.get("do") == "report":
            key = message["slot"]
            kept = [m for m in self.messages if m.get("do") != "report" or m["slot"] != key]
            self.messages = deque(kept)
        self.messages.append({"v": VERSION, **message})
        self.full = self.full or len(self.messages) > limits.WAITING_MESSAGES
        self.ready.set()

    async def take(self) -> str:
        """The next message, as it is sent."""
        while not self.messages:
            self.ready.clear()
            await self.ready.wait()
        return json.dumps(self.messages.popleft(), separators=(",", ":"))


class Tab:
    """What one tab has asked for. Whatever computes for it ends with it."""

    def __init__(self, offers: Offers, turns: Turns, memory: Memory, outbox: Outbox) -> None:
        self.offers, self.turns, self.memory, self.outbox = offers, turns, memory, outbox
        self.slots: dict[int, Live] = {}
        self.tasks: dict[str, Task] = {}
        self.lesson: Lesson | None = None

    def hear(self, content: str) -> None:
        """Do what a message asks for; whatever is wrong with it, the answer says so."""
        number = None
        try:
            fields = protocol.read_object(content)
            number, name = fields.pop("id", None), fields.pop("do", None)
            if type(number) is not int or not isinstance(name, str):
                raise Refused("field", "a message has a number (id) and a name (do)")
            if name not in protocol.MESSAGES:
                raise Refused("field", "there is no such message")
            asked: Any = read_message(protocol.MESSAGES[name], fields)
            answer = self.serve(name, number, asked)
            if answer is not None:
                self.outbox.put({"do": name, "id": number, **answer})
        except Exception as error:
            self.outbox.put({"do": "error", "id": number, "error": problem(error)})

    def serve(self, name: str, number: int, asked: Any) -> dict[str, Any] | None:
        """The answer to a message, or None if it comes later."""
        if name in WORKS:
            self.end_task(name)
            position = self.offers.position(asked)
            task = WORKS[name](position, asked, number, self.memory, self.outbox.put)
            self.tasks[name] = task
            self.turns.add(task)
            return None
        if name == "stop":
            self.stop(asked.what)
            return {}
        if name == "learn":
            self.learn(number, asked)
            return None
        if name == "scene":
            if self.lesson is None:
                raise Refused("gone", "there is no lesson here")
            return view_of(self.offers, self.lesson.scene(asked.simulation, asked.ply))
        if name == "analyse":
            self.end_slot(asked.slot)
            live = Live(self.offers.position(asked), asked, self.memory, self.outbox.put)
            self.slots[asked.slot] = live
            self.turns.add(live)
            return {"slot": asked.slot, "share": live.share.size}
        live = self.slot(asked.slot)
        match name:
            case "pause":
                live.pause()
            case "resume":
                live.resume(asked.playouts)
                self.turns.add(live)
            case "number":
                live.number = asked.number
                if live.paused:
                    live.pause()  # says it again
            case "tree":
                return {"slot": asked.slot, "nodes": live.look(asked)}
        return {"slot": asked.slot}

    def learn(self, number: int, asked: protocol.Learn) -> None:
        """Show a simulation; of the lesson at hand, if it is the same search."""
        if self.lesson is None or self.lesson.key != lesson_key(asked):
            self.end_lesson()
            position = self.offers.position(asked)
            self.lesson = make_lesson(position, asked, self.memory, self.outbox.put)
        self.lesson.ask(number, asked.simulation)
        self.turns.add(self.lesson)

    def slot(self, number: int) -> Live:
        """The search of a slot."""
        if number not in self.slots:
            raise Refused("gone", "there is no search here")
        return self.slots[number]

    def stop(self, what: str) -> None:
        """End what has this name."""
        if what.startswith("slot"):
            self.end_slot(int(what[-1]))
        elif what == "learn":
            self.end_lesson()
        else:
            self.end_task(what)

    def end_slot(self, number: int) -> None:
        """End the search of a slot."""
        if live := self.slots.pop(number, None):
            live.end()

    def end_task(self, name: str) -> None:
        """End a work."""
        if task := self.tasks.pop(name, None):
            task.end()

    def end_lesson(self) -> None:
        """End the lesson."""
        lesson, self.lesson = self.lesson, None
        if lesson is not None:
            lesson.end()

    def close(self) -> None:
        """The tab was closed."""
        self.end_lesson()
        for number in list(self.slots):
            self.end_slot(number)
        for name in list(self.tasks):
            self.end_task(name)
