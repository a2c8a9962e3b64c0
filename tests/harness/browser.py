"""A headless Chromium, driven over its debugging pipe: JSON messages that end with a NUL, on descriptors 3 and 4."""

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Moves two pipes to the descriptors that Chromium reads and writes, and becomes it.
MOVE = """
import fcntl, os, sys
pipes = [fcntl.fcntl(int(pipe), fcntl.F_DUPFD, 10) for pipe in sys.argv[1:3]]
os.dup2(pipes[0], 3)
os.dup2(pipes[1], 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
PATIENCE = 120.0  # seconds for one answer: a loaded machine is slow, a hung browser is not waited for for ever


def find() -> str | None:
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Page:
    """One tab: what it is told, and all that happened in it."""

    def __init__(self, read: int, write: int) -> None:
        self.read, self.write = read, write
        self.number = 0
        self.session: str | None = None
        self.buffer = b""
        self.events: list[dict[str, Any]] = []

    def command(self, method: str, **parameters: Any) -> dict[str, Any]:
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self.number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return dict(answer["result"])

    def _next(self) -> dict[str, Any]:
        deadline = time.monotonic() + PATIENCE
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.read], [], [], max(0.0, deadline - time.monotonic()))
            chunk = os.read(self.read, 1 << 16) if ready else b""
            assert chunk, "the browser does not answer"
            self.buffer += chunk
        line, _, self.buffer = self.buffer.partition(b"\0")
        message = dict(json.loads(line))
        if "method" in message:
            self.events.append(message)
        return message

    def attach(self) -> None:
        target = self.command("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.command("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.command(f"{domain}.enable")

    def open(self, path: Path, width: int, height: int = 900, dark: bool = False) -> None:
        """The file, from disk, in a window of this size."""
        phone = width < 500
        self.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone
        )
        self.emulate("screen", dark)
        self.events.clear()
        self.command("Page.navigate", url=path.as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self._next()

    def emulate(self, media: str, dark: bool = False) -> None:
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.command("Emulation.setEmulatedMedia", media=media, features=[scheme])

    def evaluate(self, expression: str) -> Any:
        """The value of an expression; a promise is waited for, an exception in the page fails."""
        found = self.command("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def key(self, key: str, code: int) -> None:
        """One key, pressed and released."""
        text = {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.command("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **text)

    def screenshot(self, path: Path) -> None:
        """What the window shows."""
        path.write_bytes(base64.b64decode(self.command("Page.captureScreenshot", format="png")["data"]))

    def complaints(self) -> list[str]:
        """Everything on the console that is an error or a warning, and every exception."""
        found = []
        for event in self.events:
            parameters = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                found.append(str(parameters["exceptionDetails"].get("text")))
            elif event["method"] == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
                found.append(str(parameters["args"]))
            elif event["method"] == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
                found.append(str(parameters["entry"]["text"]))
        return found

    def requests(self) -> list[str]:
        """Every address that was asked for."""
        return [e["params"]["request"]["url"] for e in self.events if e["method"] == "Network.requestWillBeSent"]


@contextmanager
def browser(profile: Path) -> Iterator[Page]:
    """Starts Chromium with a profile of its own, and ends it."""
    program = find()
    assert program is not None
    to_browser, from_us = os.pipe()
    from_browser, to_us = os.pipe()
    arguments = [
        "--headless=new",
        "--remote-debugging-pipe",
        "--no-sandbox",  # inside a container there is none to be had
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        f"--user-data-dir={profile}",
    ]
    process = subprocess.Popen(
        [sys.executable, "-c", MOVE, str(to_browser), str(to_us), program, *arguments],
        pass_fds=(to_browser, to_us),
        env={**os.environ, "HOME": str(profile)},  # nothing is left in the user's own
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(to_browser)
    os.close(to_us)
    page = Page(from_browser, from_us)
    try:
        page.attach()
        yield page
    finally:
        os.close(from_us)  # Chromium ends when its pipe does
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        os.close(from_browser)
