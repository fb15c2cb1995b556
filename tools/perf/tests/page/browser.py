# SPDX-License-Identifier: GPL-2.0-or-later
"""A headless Chromium, driven over a pipe by the DevTools protocol: no library, no port.

    with Browser() as browser:
        tab = browser.open("file:///tmp/perf.html")
        tab.run("document.title")
"""
import base64, json, os, select, shutil, subprocess, tempfile, time

NAMES = ("chromium", "chromium-browser", "google-chrome")


def find():
    """The browser's path; None: there is none that runs."""
    for name in NAMES:
        path = shutil.which(name)
        if path and subprocess.run([path, "--version"], capture_output=True).returncode == 0:
            return path
    return None


class Failure(Exception):
    """What the browser, or a script in it, says is wrong."""


class Browser:
    def __init__(self, seconds=30):
        self.seconds = seconds
        self.home = tempfile.mkdtemp(prefix="page-test.")
        to_browser, self.writer = os.pipe()
        self.reader, from_browser = os.pipe()

        def take_pipes():
            # The browser reads from 3 and writes to 4.
            ins, outs = os.dup(to_browser), os.dup(from_browser)
            os.dup2(ins, 3)
            os.dup2(outs, 4)

        self.process = subprocess.Popen(
            [find(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--hide-scrollbars", "--remote-debugging-pipe", "--user-data-dir=" + self.home, "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False,
            preexec_fn=take_pipes, start_new_session=True)
        os.close(to_browser)
        os.close(from_browser)
        self.left = b""
        self.number = 0
        self.events = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
        except (Failure, OSError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.writer)
        os.close(self.reader)
        shutil.rmtree(self.home, ignore_errors=True)

    def message(self, until):
        while b"\0" not in self.left:
            if not select.select([self.reader], [], [], max(0, until - time.monotonic()))[0]:
                raise Failure("the browser does not answer")
            more = os.read(self.reader, 1 << 20)
            if not more:
                raise Failure("the browser is gone")
            self.left += more
        text, self.left = self.left.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, session=None, **params):
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if session:
            request["sessionId"] = session
        os.write(self.writer, json.dumps(request).encode() + b"\0")
        until = time.monotonic() + self.seconds
        while True:
            answer = self.message(until)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise Failure("%s: %s" % (method, answer["error"]["message"]))
                return answer["result"]
            self.events.append(answer)

    def open(self, address, **look):
        return Tab(self, address, **look)


KEYS = {"Enter": ("\r", 13), "Escape": ("", 27), "Backspace": ("", 8), "Tab": ("", 9), "ArrowDown": ("", 40),
        "ArrowUp": ("", 38), "ArrowLeft": ("", 37), "ArrowRight": ("", 39), "Home": ("", 36), " ": (" ", 32)}


class Tab:
    """One page. width, height in CSS pixels; dark, still: the system's wish; timed: Performance.getMetrics counts
    CPU time."""

    def __init__(self, browser, address, width=1280, height=900, dark=False, still=False, timed=False):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.target = target
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        if timed:
            self.call("Performance.enable", timeDomain="threadTicks")
        self.look(width, height, dark, still)
        self.start = len(browser.events)
        self.go(address)

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def look(self, width, height, dark=False, still=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"}])

    def go(self, address):
        self.call("Page.navigate", url=address)
        self.wait("document.documentElement?.dataset.painted !== undefined")

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)

    def run(self, script):
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise Failure(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def wait(self, condition):
        until = time.monotonic() + self.browser.seconds
        while not self.run("Boolean(%s)" % condition):
            if time.monotonic() > until:
                raise Failure("never: " + condition)
            time.sleep(0.02)

    def key(self, *keys, shift=False):
        for key in keys:
            text, code = KEYS.get(key, (key, ord(key.upper()) if len(key) == 1 else 0))
            common = {"key": key, "windowsVirtualKeyCode": code, "modifiers": 8 if shift else 0}
            self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
            self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)

    def drag(self, x, y, to_x, to_y):
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        for step in range(1, 5):
            self.mouse("mouseMoved", x + (to_x - x) * step / 4, y + (to_y - y) * step / 4, button="left", buttons=1)
        self.mouse("mouseReleased", to_x, to_y, button="left", clickCount=1)

    def wheel(self, x, y, delta):
        self.mouse("mouseWheel", x, y, deltaX=0, deltaY=delta)

    def box(self, selector):
        """Left, top, width and height on screen, scrolled into view."""
        return self.run("""(() => { const e = document.querySelector(%s); e.scrollIntoView({block: 'center'});
            const r = e.getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })()""" % json.dumps(selector))

    def press(self, selector):
        """A real click on its middle."""
        left, top, width, height = self.box(selector)
        self.click(left + width / 2, top + height / 2)

    def text(self, selector):
        return self.run("document.querySelector(%s)?.textContent ?? null" % json.dumps(selector))

    def complaints(self):
        """What the console says is wrong, exceptions, and what was asked of a network."""
        self.run("1")
        found = []
        for event in self.browser.events[self.start:]:
            if event.get("sessionId") != self.session:
                continue
            params = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                found.append(params["exceptionDetails"].get("exception", {}).get("description", "exception"))
            elif event["method"] == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
                found.append(params["entry"]["text"])
            elif event["method"] == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
                found.append(str(params["args"]))
            elif event["method"] == "Network.requestWillBeSent":
                url = params["request"]["url"]
                if not url.startswith(("file:", "about:")):
                    found.append("asks for " + url)
        return found

    def screenshot(self, path, full=True):
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=full)
        with open(path, "wb") as f:
            f.write(base64.b64decode(shot["data"]))
