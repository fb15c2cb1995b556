# SPDX-License-Identifier: GPL-2.0-or-later
"""What the page of `perf report --html` does in a browser, with mouse and keys, as TAP.

checks.py FOLDER      with orders.html and orders.json, hostile.html, many.html, compared.html, releases.html, layouts.html, advice.html, types.html, code.html, events.html, checkouts.html, thread.html, kind-*.html, shop-*.html in it
"""
import json
import os
import sys
import time
import traceback

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser, Failure, find  # noqa: E402
import shop  # noqa: E402

checks = []


def check(name):
    def add(function):
        checks.append((name, function))
        return function
    return add


def need(fine, *what):
    if not fine:
        raise Failure(" ".join(map(str, what)) or "it is not so")


class Page:
    """The open page, and what its JSON says should be on it."""

    def __init__(self, browser, folder):
        self.browser, self.folder = browser, folder
        with open(os.path.join(folder, "orders.json"), encoding="utf-8") as file:
            self.document = json.load(file)
        self.tab = self.open("orders")

    def open(self, name, **look):
        return self.browser.open("file://%s/%s.html%s" % (self.folder, name, look.pop("at", "")), **look)

    def rows(self, kind, key=None):
        page = next(p for p in self.document["pages"] if p.get("kind") == kind and key in (None, p["facts"].get("key")))
        return [row["cells"] for row in page["rows"]]

    def frames(self):
        open_rows = [(row, 1) for row in next(p for p in self.document["pages"] if p.get("kind") == "frames")["rows"]]
        while open_rows:
            row, depth = open_rows.pop()
            open_rows += [(below, depth + 1) for below in row.get("rows", [])]
            yield row["cells"], depth

    def samples(self, keep):
        return sum(g["samples"] for g in self.rows("samples") if keep(g))

    def shown(self):
        """The number of samples that the page says are selected."""
        return page_samples(self.tab)

    def clear(self):
        self.tab.run("document.activeElement.blur()")
        self.tab.key("Escape")
        need(self.shown() == 483, self.tab.text("#status"))

    def hover(self, name):
        """A point of the flame graph where the frame of that name is."""
        left, top, width, height = self.tab.box("#flame canvas")
        for y in range(10, int(height), 20):
            for x in range(6, int(width), 12):
                self.tab.mouse("mouseMoved", left + x, top + y)
                if self.tab.text("#flame .info").split(" \u2014 ")[-1].startswith(name + " "):
                    return left + x, top + y
        raise Failure("no frame " + name)


def page_samples(tab):
    return int(tab.text("#status").split()[0].replace(",", ""))


@check("opens without a word on the console, and asks no network")
def opens(page):
    need(page.tab.complaints() == [], page.tab.complaints())
    need(page.shown() == 483, page.tab.text("#status"))
    for panel in ("timeline", "flame", "table", "lists", "structure", "code"):
        need(page.tab.run("document.getElementById('%s').offsetHeight > 40" % panel), panel)
    need(page.tab.run("document.title") == "orders.data \u2013 perf report", page.tab.run("document.title"))


@check("the flame graph zooms by a click, the other panels follow, and a button resets")
def flame_click(page):
    tab = page.tab
    tab.click(*page.hover("handle_place"))
    need(tab.run("document.getElementById('flame').dataset.root") == "handle_place")
    want = max(frame["samples"] for frame, _ in page.frames() if frame["name"] == "handle_place")
    need(page.shown() == want, tab.text("#status"), want)
    need("handle_place" in tab.text("#crumbs"), tab.text("#crumbs"))
    need("handle_report" not in tab.text("#code"), "code of another function")
    tab.press("#flame-reset")
    need(tab.run("document.getElementById('flame').dataset.root") == "all")
    need(page.shown() == 483)


@check("the flame graph moves and zooms by keys, and says where it is")
def flame_keys(page):
    tab = page.tab
    tab.run("document.activeElement.blur()")
    tab.key("2")
    need(tab.run("document.activeElement.id") == "flame-tree", tab.run("document.activeElement.id"))
    tab.key("Home", "ArrowDown")
    depth = 1
    while tab.run("document.getElementById('flame-item').ariaSetSize") == "1":
        tab.key("ArrowDown")
        depth += 1
        need(depth < 20, "no frame has a sibling")
    first = tab.text("#flame-item")
    need(first.split(" \u00b7 ")[1].endswith("% of all"), first)
    tab.key("ArrowRight")
    second = tab.text("#flame-item")
    need(second != first and tab.run("document.getElementById('flame-item').ariaPosInSet") == "2", second)
    tab.key("Enter")
    need(tab.run("document.getElementById('flame').dataset.root") == second.split(" \u00b7 ")[0], second)
    tab.key(*["Backspace"] * depth)
    need(tab.run("document.getElementById('flame').dataset.root") == "all")


@check("inverted, leaves stand above their callers")
def flame_inverted(page):
    tab = page.tab
    tab.press("#flame-invert")
    tab.run("document.getElementById('flame-tree').focus()")
    tab.key("ArrowDown")
    names = {frame["id"]: frame["name"] for frame, _ in page.frames()}
    leaves = {}
    for g in page.rows("samples"):
        leaves[names[g["frame"]]] = leaves.get(names[g["frame"]], 0) + g["period"]
    hottest = max(leaves, key=leaves.get)
    need(tab.text("#flame-item").startswith(hottest + " "), tab.text("#flame-item"), hottest)
    tab.key("i")
    need(tab.run("document.getElementById('flame-invert').ariaPressed") == "false")


@check("search highlights frames, in the picture too, and says how many and how much")
def search(page):
    tab = page.tab
    picture = "document.querySelector('#flame canvas').toDataURL()"
    before = tab.run(picture)
    tab.run("document.activeElement.blur()")
    tab.key("/")
    tab.type("handle_")
    need(int(tab.run("document.getElementById('flame').dataset.hits")) >= 4, "hits")
    need("frames found" in tab.text("#flame .info"), tab.text("#flame .info"))
    need(tab.run(picture) != before, "the picture is the same")
    tab.run("(() => { const e = document.getElementById('search'); e.value = ''; e.focus(); })()")
    tab.type("/^handle_(place|match)$/")
    want = sum(frame["name"] in ("handle_place", "handle_match") for frame, _ in page.frames())
    need(tab.run("document.getElementById('flame').dataset.hits") == str(want), tab.text("#flame .info"), want)
    need(tab.run("document.querySelectorAll('.code .found').length > 0"), "lines of code")
    tab.run("(() => { const e = document.getElementById('search'); e.value = '/(/'; e.dispatchEvent(new Event('input')); })()")
    need(tab.run("document.getElementById('flame').dataset.hits") == "0", "an expression that is none")
    tab.run("(() => { const e = document.getElementById('search'); e.value = ''; e.dispatchEvent(new Event('input')); })()")
    need(tab.run(picture) == before or tab.complaints() == [], "the search is over")


def column(tab, name):
    return tab.run("""(() => { const at = [...document.querySelectorAll('#table th')].findIndex((e) => e.textContent.startsWith(%s));
        return [...document.querySelectorAll('#table tbody tr')].map((tr) => tr.children[at].textContent); })()""" % json.dumps(name))


@check("the table sorts by any column, both ways, and filters")
def table(page):
    tab = page.tab
    nr = len(page.document["pages"][0]["rows"])
    need(len(column(tab, "Symbol")) == nr > 20, len(column(tab, "Symbol")), nr)
    tab.press("#table th:last-child button")
    names = column(tab, "Symbol")
    need(names == sorted(names) and len(set(names)) > 5, names[:5])
    need(tab.run("document.querySelector('#table th:last-child').ariaSort") == "ascending")
    tab.press("#table th:last-child button")
    need(column(tab, "Symbol") == names[::-1] or column(tab, "Symbol") == sorted(names, reverse=True), "the other way")
    tab.press("#table th:first-child button")
    shares = [float(text.rstrip("%")) for text in column(tab, "Overhead")]
    need(shares == sorted(shares, reverse=True), shares[:5])
    tab.press("#table-filter")
    tab.type("handle_cancel")
    need(set(column(tab, "Symbol")) == {"[.] handle_cancel"}, column(tab, "Symbol"))
    need("of %d rows" % nr in tab.text("#table .info"), tab.text("#table .info"))
    tab.run("(() => { const e = document.getElementById('table-filter'); e.value = ''; e.dispatchEvent(new Event('input')); })()")
    need(len(column(tab, "Symbol")) == nr)


@check("a click on a span leaves its samples in every panel, and ESC brings all back")
def span(page):
    tab = page.tab
    tab.press("#list1 li button")
    name = tab.text("#list1 button[aria-pressed=true] .name")
    ids = {k["name"]: k["id"] for k in page.rows("keys", "span")}
    want = page.samples(lambda g: g["span"] == ids[name])
    need(page.shown() == want, tab.text("#status"), want)
    need(set(column(tab, "Span")) == {name}, set(column(tab, "Span")))
    selected = sum(float(text.rstrip("%")) for text in column(tab, "Selected"))
    need(abs(selected - 100 * want / 483) < 1.5, selected)
    bases = [tab.text(at) for at in ("#list1 .info", "#list2 .info", "#code > .body > .info", "#flame-item")]
    of = "in percent of Span %s" % name
    need(bases[:2] == ["in percent of all samples", of] and bases[2].startswith(of) and "% of all " in bases[3], bases)
    types = {g["type"] for g in page.rows("samples") if g["span"] == ids[name]}
    need(tab.run("document.querySelectorAll('#list2 li').length") == len(types), "types of the span")
    page.clear()


@check("a click on a field leaves the code lines that access it")
def field(page):
    tab = page.tab
    tab.press("#structure .fields .pick")
    kind, name = tab.run("document.getElementById('structure').dataset.type"), tab.text("#structure .fields [aria-pressed=true]")
    sites = {s["id"] for s in page.rows("sites") if s["type"] == kind and s["member"] and s["member"].split(".")[0] == name}
    want = page.samples(lambda g: g["site"] in sites)
    need(want and page.shown() == want, tab.text("#status"), want)
    data = tab.run("[...document.querySelectorAll('.code .site .muted')].map((e) => e.textContent)")
    need(set(data) == {"%s %s" % (kind, name)}, data)
    tab.press(".code .site")
    need(0 < page.shown() <= want, tab.text("#status"))
    page.clear()
    tab.press("#structure .member")
    need("struct" in tab.text("#crumbs"), tab.text("#crumbs"))
    page.clear()


@check("a type without members is one box with all of its samples")
def scalar(page):
    for name in ("orders", "types"):
        tab = page.open(name, at="#structure=struct%20order*")
        need(tab.run("[...document.querySelectorAll('#structure .member')].map((e) => e.textContent)") == ["struct order*100%"], name, tab.text("#structure"))
        first = tab.run("[...document.querySelectorAll('#structure .fields tbody tr')].map((tr) => [...tr.children].map((e) => e.textContent))")
        need(len(first) == 1 and first[0][0] == "100%" and first[0][2:4] == ["100%", "0x0"], name, first)
        tab.close()


@check("a drag over the timeline selects a range of time, the wheel zooms")
def time_range(page):
    tab = page.tab
    left, top, width, height = tab.box("#timeline canvas")
    tab.drag(left + width * .25, top + 20, left + width * .5, top + 20)
    first, last = tab.run("new URLSearchParams(location.hash.slice(1)).get('time')").split(";")
    slices = next(p for p in page.document["pages"] if p.get("kind") == "timeline")["facts"]["slices"]
    need(abs(int(first) - slices * .25) < slices * .02 and abs(int(last) - slices * .5) < slices * .02, first, last, slices)
    want = sum(m["samples"] for m in page.rows("timeline") if int(first) <= m["slice"] < int(last))
    need(page.shown() == want, tab.text("#status"), want)
    page.clear()
    tab.wheel(left + width / 2, top + 20, -120)
    tab.wait("location.hash.includes('timeline.view')")
    tab.press("#timeline-all")
    need("timeline.view" not in tab.run("location.hash"), tab.run("location.hash"))


@check("the timeline moves, selects and zooms by keys")
def time_keys(page):
    tab = page.tab
    tab.run("document.activeElement.blur()")
    tab.key("1", "Home", "ArrowRight", "ArrowRight")
    tab.key("ArrowRight", "ArrowRight", shift=True)
    need("time=" in tab.run("location.hash"), tab.run("location.hash"))
    need(" s" in tab.run("document.getElementById('timeline-surface').ariaValueText"), "a value in words")
    tab.key("+")
    need("timeline.view" in tab.run("location.hash"), tab.run("location.hash"))
    tab.press("#timeline-all")
    page.clear()


@check("the address keeps the view: a link opens it, the browser's Back goes back")
def address(page):
    tab = page.tab
    tab.press("#list2 li:nth-child(2) button")
    one = (page.shown(), tab.text("#crumbs"))
    tab.press("#list1 li:nth-child(2) button")
    tab.press("#flame-invert")
    two = (page.shown(), tab.text("#crumbs"))
    need(one != two, one)
    other = page.open("orders", at=tab.run("location.hash"))
    need(other.text("#crumbs") == two[1] and other.text("#status") == tab.text("#status"), other.text("#crumbs"))
    need(other.run("document.getElementById('flame-invert').ariaPressed") == "true", "inverted")
    need(other.complaints() == [], other.complaints())
    other.close()
    tab.press("#flame-invert")
    tab.run("history.back()")
    tab.wait("document.getElementById('crumbs').textContent === %s" % json.dumps(one[1]))
    need(page.shown() == one[0], tab.text("#status"))
    page.clear()
    for broken in ("#in.span=nobody&frame=%25;x&time=9;1&field=a&site=-1&%E0%A4%A", "#" + "a" * 5000):
        other = page.open("orders", at=broken)
        need(other.text("#status").startswith("483 ") and other.complaints() == [], broken[:60], other.complaints())
        other.close()


@check("every control works without a mouse, and help lists the keys")
def keyboard(page):
    tab = page.tab
    tab.run("document.activeElement.blur()")
    for key, panel in zip("123456", ("timeline", "flame", "table", "lists", "structure", "code")):
        tab.key(key)
        need(tab.run("document.getElementById('%s').contains(document.activeElement)" % panel), panel)
        tab.run("document.activeElement.blur()")
    tab.key("4", "Tab", "Enter")
    need(page.shown() < 483, tab.text("#status"))
    page.clear()
    tab.key("?")
    need(tab.run("document.getElementById('help').open"), "help")
    need("zoom" in tab.text("#help-list"))
    tab.key("Escape")
    tab.wait("!document.getElementById('help').open")


NAMED = {"button", "combobox", "searchbox", "textbox", "slider", "tree", "treeitem", "region", "image", "img"}


@check("what can be used has a name for screen readers")
def names(page):
    nodes = page.tab.call("Accessibility.getFullAXTree")["nodes"]
    seen = set()
    for node in nodes:
        role = node.get("role", {}).get("value")
        if node.get("ignored") or role not in NAMED:
            continue
        seen.add(role)
        need(node.get("name", {}).get("value", "").strip(), "a %s without a name: %s" % (role, node))
    need({"button", "combobox", "searchbox", "slider", "tree", "treeitem"} <= seen, seen)


@check("no text is smaller than 12 px, and all stands out from what is behind it")
def readable(page):
    for dark in (False, True):
        tab = page.open("orders", dark=dark)
        small = tab.run("""[...document.querySelectorAll('body *')].filter((e) => e.textContent.trim() && e.checkVisibility() &&
            parseFloat(getComputedStyle(e).fontSize) < 12).map((e) => e.outerHTML.slice(0, 80))""")
        need(small == [], small)
        low = tab.run("""(() => {
            const rgb = (text) => text.match(/[0-9.]+/g).map(Number);
            const light = (c) => { const [r, g, b] = c.slice(0, 3).map((v) => { v /= 255;
                return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
            const behind = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor);
                if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
            return [...document.querySelectorAll('body *')].filter((e) => e.checkVisibility() && !e.disabled &&
                [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())).map((e) => {
                const a = light(rgb(getComputedStyle(e).color)), b = light(behind(e));
                return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), e.outerHTML.slice(0, 80)];
            }).filter(([ratio]) => ratio < 4.5); })()""")
        need(low == [], low[:5])
        paper = tab.run("getComputedStyle(document.body).backgroundColor")
        need((paper == "rgb(20, 20, 20)") == dark, paper)
        tab.close()


# The innermost elements that stand over the right side of the window, where nothing around them scrolls or cuts.
OVER_THE_SIDE = """(() => {
    const cut = (e) => { for (; e && e !== document.documentElement; e = e.parentElement)
        if (getComputedStyle(e).overflowX !== 'visible') return true; return false; };
    const over = [...document.querySelectorAll('body, body *')].filter((e) => e.checkVisibility() && !cut(e.parentElement) &&
        e.getBoundingClientRect().right > innerWidth + 0.5);
    return over.filter((e) => !over.some((inner) => inner !== e && e.contains(inner)))
        .map((e) => Math.round(e.getBoundingClientRect().right) + ' px: ' + (e.closest('.panel')?.id ?? 'page') + ' ' + e.outerHTML.slice(0, 120)); })()"""

# What makes texts wider: another machine's fonts, a user's wish (as WCAG 1.4.12 has it, and more), other names and numbers.
WIDER = {
    "as it is": "",
    "letters apart": "use('* { letter-spacing: 3px; word-spacing: 3px }')",
    "large letters": "use('html { font-size: 21px } body * { font-size: 18px }')",
    "letters of one width": "use('* { font-family: \"DejaVu Sans Mono\", monospace !important }')",
    "each word three times as long": """(() => {
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (texts.nextNode())
            texts.currentNode.data = texts.currentNode.data.replace(/\\S+/g, (word) => word + word + word); })()""",
}


@check("400 pixels are enough, whatever letters, names and numbers: nothing goes over the side")
def narrow(page):
    for name, at in (("orders", ""), ("hostile", ""), ("many", ""), ("types", ""), ("code", ""), ("layouts", ""), ("compared", ""), ("releases", "#structure=struct order"), ("events", ""),
                     ("kind-hierarchy", ""), ("kind-stats", ""), ("shop-requests", ""), ("orders", "#flame.view=time"),
                     ("shop-names", "#flame.view=around"), ("shop-symbols", "#names=full"), ("checkouts", ""), ("thread", "")):
        tab = page.open(name, at=at, width=400, height=800)
        tab.run("""{ window.use = (style) => { const sheet = new CSSStyleSheet(); sheet.replaceSync(style);
            document.adoptedStyleSheets = [sheet]; }; 0 }""")
        for wider, how in WIDER.items():
            tab.run("use('')")
            if how:
                tab.run(how)
            wide = "document.documentElement.scrollWidth > innerWidth"
            for _ in range(50):  # canvases follow in the next frames
                if not tab.run(wide):
                    break
                time.sleep(0.02)
            need(not tab.run(wide), name, wider, tab.run("document.documentElement.scrollWidth"), "\n".join(["", *tab.run(OVER_THE_SIDE)]))
            need(tab.run(OVER_THE_SIDE) == [], name, wider, "\n".join(["", *tab.run(OVER_THE_SIDE)]))
        need(tab.complaints() == [], name, tab.complaints())
        tab.close()


# Panels that lie on each other, and the right end of the widest one.
PANELS = """(() => {
    const boxes = [...document.querySelectorAll('.panel')].filter((e) => e.checkVisibility()).map((e) => [e.id, e.getBoundingClientRect()]);
    const over = boxes.flatMap(([a, x], i) => boxes.slice(i + 1).filter(([, y]) => x.left < y.right - 1 && y.left < x.right - 1 &&
        x.top < y.bottom - 1 && y.top < x.bottom - 1).map(([b]) => a + ' ' + b));
    return [over, Math.max(...boxes.map(([, x]) => x.right)) / innerWidth]; })()"""


@check("1,000 and 1,600 pixels, light and dark: panels fill the width, and none lies on another or goes over the side")
def wide(page):
    for width in (1000, 1600):
        for dark in (False, True):
            for name in ("orders", "waits", "shop-requests", "checkouts"):
                tab = page.open(name, width=width, height=900, dark=dark)
                over, share = tab.run(PANELS)
                need(over == [] and 0.95 < share <= 1, name, width, dark, over, share)
                need(tab.run(OVER_THE_SIDE) == [], name, width, dark, "\n".join(["", *tab.run(OVER_THE_SIDE)]))
                need(tab.complaints() == [], name, tab.complaints())
                tab.close()


@check("where motion is unwanted there is none")
def still(page):
    moves = "[...document.querySelectorAll('*')].filter((e) => parseFloat(getComputedStyle(e).transitionDuration) > 0).length"
    tab = page.open("orders", still=True)
    need(tab.run(moves) == 0, tab.run(moves))
    tab.close()
    need(page.tab.run(moves) > 0, "there would be some")


@check("names that are markup are text, and nothing in them runs")
def hostile(page):
    tab = page.open("hostile")
    need(tab.complaints() == [], tab.complaints())
    need(tab.run("'hit' in window") is False, "a name ran")
    need(tab.run("document.querySelectorAll('script').length") == 1, "scripts")
    need(tab.run("document.querySelectorAll('img, svg, iframe, object, link, base').length") == 0, "elements")
    words = tab.text("#table")
    for name in ("</script><script>", "<!--<script>", "-->", "__proto__", "constructor", "&lt;b&gt;", "]]>", "\\u202e"):
        need(name in words, name, words[:2000])
    rows = tab.run("document.querySelectorAll('#table tbody tr').length")
    need(rows == 13, rows)
    for at in range(1, rows + 1):
        tab.press("#table tbody tr:nth-child(%d) .pick" % at)
        need(tab.run("document.querySelectorAll('#table tbody tr').length") == 1 and tab.text("#status").startswith("1 "),
             at, tab.text("#crumbs"), tab.text("#status"), tab.text("#table tbody"))
        other = tab.run("location.hash")
        tab.run("document.activeElement.blur()")
        tab.key("Escape")
        tab.run("location.hash = %s" % json.dumps(other))
        tab.wait("document.getElementById('status').textContent.startsWith('1 ')")
        tab.key("Escape")
    need(tab.complaints() == [], tab.complaints())
    tab.close()


@check("the policy refuses what names might bring, were they ever taken for markup")
def policy(page):
    tab = page.open("hostile")
    for script in ("document.body.innerHTML = '<b>x</b>'", "document.write('x')"):
        try:
            tab.run(script)
            raise AssertionError(script)
        except Failure:
            pass
    tab.run("""(async () => { const s = document.createElement('div');
        try { s.setAttribute('onclick', 'window.hit = 5'); } catch { }
        document.body.append(s); s.click(); s.setAttribute('style', 'color: red'); window.styled = getComputedStyle(s).color;
        const i = new Image(); i.src = 'http://127.0.0.1:9/x'; await new Promise((r) => { i.onerror = r; i.onload = r; });
        try { await fetch('http://127.0.0.1:9/x'); window.hit = 6; } catch { } })()""")
    need(tab.run("'hit' in window") is False and tab.run("window.styled") != "rgb(255, 0, 0)", "it let something through")
    refused = " ".join(tab.complaints())
    need("asks for http" not in refused or "violates" in refused, refused)
    need(refused.count("Content Security Policy") >= 3, refused)
    tab.close()


@check("100,000 samples: under 3 MB, and painted in less than a second")
def large(page):
    """The best of some times: what else the machine does meanwhile is not the page's. CPU time is of its main thread."""
    size = os.path.getsize(os.path.join(page.folder, "many.html"))
    painted, busy = [], []
    for _ in range(8):
        tab = page.open("many", timed=True)
        metrics = {m["name"]: m["value"] for m in tab.call("Performance.getMetrics")["metrics"]}
        busy.append(round(1000 * metrics["TaskDuration"]))
        painted.append(int(tab.run("document.documentElement.dataset.painted")))
        need(tab.text("#status").startswith("100,000 samples"), tab.text("#status"))
        tab.close()
        if len(painted) >= 3 and min(painted) < 1000:
            break
    print("# %d bytes; ms from navigation until painted %s; of CPU %s" % (size, painted, busy))
    need(size < 3000000, size, "bytes")
    need(0 < min(painted) < 1000, "ms until painted:", painted)
    need(0 < min(busy) < 1000, "ms of CPU:", busy)


@check("two recordings: what became more, and what less, in colours and in numbers")
def compared(page):
    tab = page.open("compared")
    need("compared" in tab.text("h1") and "before.data" in tab.text("#about"), tab.text("#about"))
    need(tab.run("document.getElementById('flame-colour').value") == "change")
    need("more than before" in tab.text("#flame .legend"), tab.text("#flame .legend"))
    tab.run("document.getElementById('flame-tree').focus()")
    tab.key("ArrowDown", "ArrowDown")
    need("points" in tab.text("#flame-item") and "before" in tab.text("#flame-item"), tab.text("#flame-item"))
    need(sum(float(t.rstrip("%")) for t in column(tab, "Before")) > 99, column(tab, "Before"))
    need(tab.complaints() == [], tab.complaints())
    tab.close()


@check("two releases: both timelines, and a structure before and after, whose member has moved")
def releases(page):
    tab = page.open("releases", at="#structure=struct order")
    lines = tab.run("""['.before', ':not(.before)'].map((which) => [...document.querySelectorAll(`#structure .lines${which} .line-row`)]
        .map((row) => row.innerText).join(' '))""")
    need("flags" in lines[0].split("line 1")[0], "before: in the first line", lines[0])
    need("flags" in lines[1].split("line 2")[1] and "flags" not in lines[1].split("line 2")[0], "now: in the last line", lines[1])
    row = tab.run("""[...document.querySelectorAll('#structure .fields tbody tr')].map((tr) => [...tr.children].map((e) => e.innerText))
        .find((cells) => cells[cells.length - 1].startsWith('flags'))""")
    need(row[4:6] == ["0x10", "0x80"], row)
    need(float(row[1].rstrip("%")) > 2 * float(row[0].rstrip("%")) > 0, row)
    # The table's row has what the member was elsewhere.
    flags = tab.run("""[...document.querySelectorAll('#table tbody tr')].map((tr) => tr.innerText).find((t) => /checkout.*flags/.test(t))""")
    need(flags and not flags.startswith("0%"), flags)
    # A member that is selected is the same one in the recording before.
    tab.press("#structure .lines:not(.before) .member[title^=flags]")
    need("flags" in tab.text("#crumbs"), tab.text("#crumbs"))
    before = float(column(tab, "Before")[0].rstrip("%"))
    need(before > 0, "before: no samples of the member that moved", column(tab, "Before"))
    tab.key("Escape")
    # The timelines have one scale; a range in the lower one is of the recording before.
    box = "document.querySelector('#%s canvas').getBoundingClientRect().%s"
    need(tab.run(box % ("before", "width")) == tab.run(box % ("timeline", "width")))
    need(tab.text("#timeline .legend") == tab.text("#before .legend"), tab.text("#before .legend"))
    whole = sum(float(text.rstrip("%")) for text in column(tab, "Before"))
    tab.run("document.getElementById('before-surface').focus()")
    tab.key("Home")
    tab.key(*["ArrowRight"] * 5, shift=True)
    need("before: " in tab.text("#crumbs"), tab.text("#crumbs"))
    part = sum(float(text.rstrip("%")) for text in column(tab, "Before"))
    need(0 < part < whole / 2, part, whole)
    need(tab.text("#status").startswith("648 samples, 100%"), "the other one is whole", tab.text("#status"))
    link = tab.run("location.hash")
    again = page.open("releases", at=link)
    need(again.text("#crumbs") == tab.text("#crumbs"), link, again.text("#crumbs"))
    again.close()
    need(tab.complaints() == [], tab.complaints())
    tab.close()


@check("other layouts: pictures before and after, savings, declaration and risks; perf annotate's, too")
def layouts(page):
    for name in ("layouts", "advice"):
        tab = page.open(name)
        need(tab.complaints() == [], name, tab.complaints())
        need(tab.run("[...document.querySelectorAll('.proposal')].map((e) => e.dataset.kind)") == ["reorder", "split"], name)
        first = "document.querySelector('.proposal')"
        lines = tab.run("""['before', 'after'].map((which) => [...%s.querySelectorAll(`.${which} .line-row`)].map((row) =>
            [...row.querySelectorAll('.member')].map((e) => e.title.split(' ')[0])))""" % first)
        need(lines[0][0][:4] == ["id", "nr_changes", "next", "total"] or lines[0][0][:4] == ["id", "next", "nr_changes", "total"], name, lines[0])
        need("flags" in lines[0][2] and "flags" in lines[1][0], name, lines)
        words = tab.run(first + ".innerText")
        need("May save 13.0 %" in words and "(12.3 to 13.8" in words and "1.69, then 1.00" in words, name, words)
        need("'id' is no longer the first member" in words, name, words)
        declaration = tab.run("[...document.querySelectorAll('.proposal pre')].map((e) => e.textContent)")
        need("\tuint32_t flags[4]; // moved\n" in declaration[0] and declaration[0].startswith("struct order {\n"), name, declaration[0])
        need("behind a pointer:\n\tuint64_t id;" in declaration[1], name, declaration[1])
        tab.close()


@check("what annotate answers is a page, too")
def types(page):
    tab = page.open("types")
    need(tab.complaints() == [], tab.complaints())
    need(tab.run("document.querySelectorAll('.member').length") > 3, "members")
    # Its own numbers, which the JSON of the report's page has, too.
    first = tab.run("[...document.querySelector('#structure .fields tbody tr').children].map((e) => e.textContent)")
    kind = tab.run("document.getElementById('structure').dataset.type")
    sites = {s["id"]: s["member"] for s in page.rows("sites") if s["type"] == kind and s["type_offset"] is not None}
    counts = {}
    for g in page.rows("samples"):
        if g["site"] in sites:
            counts[sites[g["site"]]] = counts.get(sites[g["site"]], 0) + g["period"]
    hot = max(counts, key=counts.get)
    need(first[5].split()[0] == hot and first[0] == "%.1f%%" % (100 * counts[hot] / sum(counts.values())), first, hot, counts)
    need(tab.run("innerWidth - document.getElementById('structure').offsetWidth") < 60, "half of the page is empty")
    tab.close()
    tab = page.open("code")
    need(tab.complaints() == [], tab.complaints())
    need(tab.run("document.querySelectorAll('#table tbody tr').length") > 10, "instructions")
    first = tab.text("#table tbody")
    tab.run("(() => { const e = document.getElementById('table-page'); e.value = '2'; e.dispatchEvent(new Event('change')); })()")
    need(tab.text("#table tbody") != first and "table.page=2" in tab.run("location.hash"), tab.run("location.hash"))
    tab.close()


@check("of several events each table is of its own")
def events(page):
    tab = page.open("events")
    need(tab.complaints() == [], tab.complaints())
    names = tab.run("[...document.querySelectorAll('#event option')].map((e) => e.value)")
    need(len(names) > 1, names)
    tab.press("#list1 li button")
    for table in ("#table", "#table2"):
        shares = tab.run("[...document.querySelectorAll('%s tbody tr')].map((e) => [e.children[0].textContent, e.children[1].textContent])" % table)
        need(shares and all(a == b for a, b in shares), table, shares)
    tab.close()


@check("a wait fills its time, has a unit of time, and colours and lists show no key without values")
def waits(page):
    tab = page.open("waits")
    need(tab.text("#status").startswith("3 samples, 100% of 2.20 s: all samples of wall"), tab.text("#status"))
    at = "[...document.querySelector('#timeline canvas').getContext('2d').getImageData(%d, %d, 1, 1).data]"
    width = tab.box("#timeline canvas")[2]
    colours = [tab.run(at % (width * share, 20)) for share in (0.1, 0.3, 0.6, 0.9)]
    need(all(max(c) - min(c[:3]) > 60 for c in colours), "not coloured:", colours)
    line = tab.run("[...document.querySelector('#timeline canvas').getContext('2d').getImageData(%d, 20, %d, 1).data]" % (width * .02, width * .6))
    need({tuple(line[i:i + 4]) for i in range(0, len(line), 4)} == {tuple(colours[0])}, "not even:", line[:40])
    need(tab.run("[...document.querySelectorAll('#table th')].map((e) => e.textContent)") == ["Overhead", "Data Type Offset", "Symbol"], tab.text("#table thead"))
    need(tab.run("document.getElementById('timeline-colour').value") != "span", "coloured by (none)")
    need(tab.run("document.getElementById('list1-by').value") != "span", "lists (none)")
    tab.close()


@check("instances: the slow class beside the others, a set by a drag, and the address keeps both")
def instances(page):
    tab = page.open("checkouts")
    need(tab.text("#instances-title") == "Why slow: checkout", tab.text("#instances-title"))
    need(tab.text("#instances .answer").startswith("The slowest 5 % of checkout (1 of 20, "), tab.text("#instances .answer"))
    about = "#instances [role=status]"
    need(tab.text(about).startswith("Set: the slow class: 1 of 20 instances \u00b7 160 ms"), tab.text(about))
    first = tab.run("[...document.querySelectorAll('#instances tbody tr:first-child td')].map((e) => e.textContent)")
    need(first[:4] == ["81.3%", "0%", "+81.3", "130 ms"] and first[4].startswith("waiting for ") and first[5].startswith("back: "), first)
    # All but the slow one: they are short, so below it.
    left, top, width, height = tab.box("#instances-surface canvas")
    tab.drag(left + 55, top + height - 22, left + width - 2, top + height / 2)
    need(tab.text(about).startswith("Set: 19 of 20 instances \u00b7 p50 10.0 ms \u00b7 "), tab.text(about))
    at = tab.run("location.hash")
    tab.close()
    tab = page.open("checkouts", at=at)
    need(tab.text(about).startswith("Set: 19 of 20 instances"), at, tab.text(about))
    tab.press("#instances-slow")
    need(tab.text(about).startswith("Set: 1 of 20 instances \u00b7 160 ms"), tab.text(about))
    need(tab.complaints() == [], tab.complaints())
    tab.close()


@check("instances by keys: the path of the chosen one is shown")
def instances_by_keys(page):
    tab = page.open("checkouts")
    need("160 ms" in tab.text("#path [role=status]"), tab.text("#path [role=status]"))
    tab.key("8")
    need(tab.run("document.activeElement.id") == "instances-surface", tab.run("document.activeElement.id"))
    tab.key("Home")
    need("0000000000000001" in tab.text("#instances-item") and "begins at 0 ns" in tab.text("#instances-item"), tab.text("#instances-item"))
    need(tab.run("document.getElementById('instances-item').ariaPosInSet") == "1")
    tab.key("ArrowRight", "Enter")
    need("0000000000000002 \u00b7 10.0 ms" in tab.text("#path [role=status]"), tab.text("#path [role=status]"))
    at = tab.run("location.hash")
    tab.close()
    tab = page.open("checkouts", at=at)
    need("0000000000000002 \u00b7 10.0 ms" in tab.text("#path [role=status]"), at, tab.text("#path [role=status]"))
    tab.close()


@check("a path goes over threads, and its segments select thread, time and an event that has samples")
def path(page):
    tab = page.open("checkouts")
    labels = tab.run("[...document.querySelectorAll('#path .lanes > *')].map((e) => e.textContent)")
    need(labels == ["11:front", "12:back"], labels)
    tab.key("9", "Home")
    words, seen = [], set()
    for _ in range(40):
        words = tab.text("#path-item").split(" \u00b7 ")
        seen.add(words[2])
        if "12:back" in words[2] and "(2 of 2 samples)" in words[-2]:
            break
        tab.key("ArrowRight")
    need(seen == {"11:front", "12:back"} and words[-1].startswith("reached through "), words)
    tab.key("Enter")
    need("12:back" in tab.text("#crumbs") and " s to " in tab.text("#crumbs"), tab.text("#crumbs"))
    need(page_samples(tab) > 0, tab.text("#status"))
    need(tab.run("document.getElementById('path-thread').ariaPressed") == "true")
    # A wait of another thread has samples of another event only.
    tab.press("#path .lanes button")
    tab.key("Escape", "9", "Home")
    for _ in range(40):
        if "timer" in tab.text("#path-item"):
            break
        tab.key("ArrowRight")
    tab.key("Enter")
    need(page_samples(tab) > 0 and tab.run("document.getElementById('event').value") == "offcpu-time", tab.text("#status"))
    need(tab.complaints() == [], tab.complaints())
    tab.close()


@check("a path zooms, and a click selects the segment below the mouse")
def path_by_mouse(page):
    tab = page.open("checkouts", width=1000)
    left, top, width, height = tab.box("#path-surface canvas")
    tab.click(left + width * 0.5, top + 26 + 13)
    need("12:back" in tab.text("#crumbs"), tab.text("#crumbs"))
    need(tab.run("document.getElementById('path-all').disabled"))
    left, top, width, height = tab.box("#path-surface canvas")
    tab.wheel(left + width / 2, top + 10, -100)
    tab.wait("!document.getElementById('path-all').disabled")
    tab.press("#path-all")
    need(tab.run("document.getElementById('path-all').disabled"))
    tab.close()


@check("a thread's own time is an instance, too")
def thread_path(page):
    tab = page.open("thread")
    need(tab.text("#instances-title") == "Why slow: 12" and "1 of 1 instances" in tab.text("#instances [role=status]"), tab.text("#instances"))
    need(tab.complaints() == [], tab.complaints())
    tab.close()


@check("an empty selection tells which other event has samples there")
def elsewhere(page):
    tab = page.open("waits")
    tab.press(".lanes button")
    need("sleeper" in tab.text("#crumbs") and tab.text("#status").startswith("2 samples, 90.9% of "), tab.text("#status"))
    tab.run("(() => { const e = document.getElementById('event'); e.value = 'cycles'; e.dispatchEvent(new Event('change')); })()")
    need(tab.text("#status").startswith("0 samples"), tab.text("#status"))
    need("Show wall, which has samples there" in tab.text("#status"), tab.text("#status"))
    tab.press("#status button")
    need(tab.text("#status").startswith("2 samples") and tab.run("document.getElementById('event').value") == "wall", tab.text("#status"))
    tab.close()


@check("a click on one key of a row selects that key alone")
def one_key(page):
    tab = page.open("orders")
    picks = "document.querySelectorAll('#table tbody tr:first-child .pick')"
    need(tab.run(picks + ".length") > 1, tab.text("#table tbody tr"))
    name = tab.run(picks + "[0].textContent")
    tab.press("#table tbody tr:first-child .pick")
    need(tab.run("document.querySelectorAll('#crumbs li').length") == 2 and name in tab.text("#crumbs"), tab.text("#crumbs"))
    tab.close()


@check("spans are bars with their durations, the slowest first; a click selects one")
def spans(page):
    tab = page.open("shop-requests")
    need(tab.complaints() == [], tab.complaints())
    words = "[...document.querySelectorAll('.spans .span-words')].map((e) => e.textContent)"
    need(tab.run(words) == ["700 ms checkout 12:shop", "400 ms report 11:shop", "300 ms search 11:shop", "60.0 ms search 12:shop",
                            "60.0 ms checkout 11:shop"], tab.run(words))
    need("5 spans" in tab.text("#spans .info") and "1 with times from the files" in tab.text("#spans .info"), tab.text("#spans .info"))
    bars = tab.run("""[...document.querySelectorAll('.spans button')].map((e) => { const bar = e.querySelector('.span-bar').getBoundingClientRect(),
        track = e.querySelector('.span-track').getBoundingClientRect();
        return [(bar.left - track.left) / track.width, bar.width / track.width]; })""")
    # All lasts from 100 to 980 ms; the file says that the fifth request lasts until 990.
    sleep, queue = "rgb(86, 180, 233)", "rgb(230, 159, 0)"
    for image in tab.run("[...document.querySelectorAll('.span-bar')].map((e) => e.style.backgroundImage)"):
        need(image.count(sleep) == image.count(queue) == 2 and image.index(sleep) < image.index(queue), image)
    need("colours as in the timeline" in tab.text("#spans .info") and
         tab.run("[...document.querySelectorAll('#timeline .swatch')].map((e) => e.style.backgroundColor)") == [sleep, queue], tab.text("#timeline .legend"))
    for (begin, length), (want_begin, want_length) in zip(bars, ((200, 700), (590, 390), (100, 300), (100, 60), (500, 60))):
        need(abs(begin - (want_begin - 100) / 880) < 0.01 and abs(length - want_length / 880) < 0.01, begin, length, want_begin)
    tab.press(".spans button")
    need(all(word in tab.text("#crumbs") for word in ("checkout", "12:shop", " to ")), tab.text("#crumbs"))
    need(tab.text("#status").startswith("2 samples, 46.7% of 1.50 s"), tab.text("#status"))
    need(tab.run("document.querySelector('.spans button').ariaPressed") == "true")
    tab.press(".spans button")
    need(tab.text("#status").startswith("10 samples"), tab.text("#status"))
    tab.run("(() => { const e = document.getElementById('spans-order'); e.value = 'begin'; e.dispatchEvent(new Event('change')); })()")
    need([text.split()[0] for text in tab.run(words)] == ["300", "60.0", "700", "60.0", "400"], tab.run(words))
    tab.press(".lanes button")
    need(all("12:shop" in text for text in tab.run(words)), tab.run(words))
    tab.run("(() => { const e = document.getElementById('search'); e.value = 'nothing'; e.dispatchEvent(new Event('input')); })()")
    need(tab.run(words) == [] and tab.text("#spans .info").startswith("none of 5 spans"), tab.text("#spans .info"))
    tab.run("(() => { const e = document.getElementById('search'); e.value = 'search'; e.dispatchEvent(new Event('input')); })()")
    tab.run("document.activeElement.blur()")
    tab.key("Escape")
    need(len(tab.run(words)) == 2, tab.run(words))
    tab.key("7")
    need(tab.run("document.getElementById('spans').contains(document.activeElement)"), "key 7")
    tab.close()
    need(page.tab.run("document.getElementById('spans')") is None, "ids that are used again are listed as requests")


def frame_words(tab):
    name, share = tab.text("#flame-item").split(" \u00b7 ")[:2]
    need(share.endswith(" of all"), share)
    return [name, share.removesuffix(" of all")]


@check("thread states open with state and system call; without a call chain they stand apart")
def states(page):
    tab = page.open("shop-requests")
    titles = tab.run("[...document.querySelectorAll('#table th')].map((e) => e.textContent)")
    need(titles == ["Overhead", "Span", "State", "System Call", "Symbol"], titles)
    need(tab.run("[...document.querySelectorAll('#lists select')].map((e) => e.value)") == ["state", "syscall"])
    need("no memory access" not in tab.text("main"), "what a wait accesses")
    tab.run("document.getElementById('flame-tree').focus()")
    tab.key("ArrowDown")
    tops = [frame_words(tab)]
    tab.key("ArrowRight")
    tops.append(frame_words(tab))
    need(sorted(tops) == [["R (run queue), no call chain", "50.0%"], ["[unknown]", "50.0%"]], tops)
    tab.close()


@check("over time: a thread's stacks in their order, neighbours with one frame as one box")
def over_time(page):
    tab = page.open("shop-names")
    tab.press("#flame-time")
    need(tab.run("document.getElementById('flame').dataset.boxes") == "5", tab.run("document.getElementById('flame').dataset.boxes"))
    left, top, width, height = tab.box("#flame canvas")
    seen = []
    for share in (0.05, 0.25, 0.6, 0.8, 0.95):
        tab.mouse("mouseMoved", left + width * share, top + 30)
        words = tab.text("#flame .info").split(" \u00b7 ")
        seen.append((words[0], words[-1]))
    short = shop.SHORT
    need([name for name, _ in seen] == [short["b"], short["b"], short["c"], short["c"], short["b"]], seen)
    need(seen[0] == seen[1] and seen[2] == seen[3] and seen[1] != seen[4], seen)
    begin, end = (float(text.split()[0]) for text in seen[2][1].split(" to "))
    need(abs(begin - 30) < 0.5 and abs(end - 50) < 0.5, seen)
    tab.click(left + width * .6, top + 30)
    need(tab.text("#status").startswith("20 samples"), tab.text("#status"))
    need("flame.view=time" in tab.run("location.hash"), tab.run("location.hash"))
    tab.close()
    tab = page.open("kind-timeless")
    need(tab.run("document.getElementById('flame-time')") is None, "an order without times")
    tab.close()


@check("of keys with one value only, none is in the lists before keys with several")
def telling(page):
    tab = page.open("shop-names")
    need(tab.run("[...document.querySelectorAll('#lists select')].map((e) => e.value)") == ["symbol", "tid"], tab.text("#lists"))
    tab.close()


@check("callers and callees of one function, wherever it is called")
def around(page):
    tab = page.open("shop-names")
    tab.press("#flame-around")
    tab.run("""(() => { const e = document.getElementById('flame-function');
        e.value = [...e.options].find((o) => o.text === %s).value; e.dispatchEvent(new Event('change')); })()""" % json.dumps(shop.SHORT["c"]))
    need(tab.text("#status").startswith("20 samples") and "through " + shop.SHORT["c"] in tab.text("#crumbs"), tab.text("#crumbs"))
    tab.run("document.getElementById('flame-tree').focus()")
    tab.key("Home")
    need(frame_words(tab) == [shop.SHORT["c"], "33.3%"], frame_words(tab))
    tab.key("ArrowUp")
    need(frame_words(tab) == [shop.SHORT["a"], "33.3%"], frame_words(tab))
    tab.key("ArrowUp", "ArrowDown", "ArrowDown")
    need(frame_words(tab) == [shop.SHORT["a"], "33.3%"], frame_words(tab))
    left, top, width, height = tab.box("#flame canvas")
    need(height == 60, "rows: a, c, a", height)
    # A chain that has the function twice counts once.
    tab.click(left + 20, top + 50)
    need(tab.text("#status").startswith("60 samples"), tab.text("#status"))
    tab.key("ArrowDown")
    first = frame_words(tab)
    tab.key("ArrowRight")
    need([first, frame_words(tab)] == [[shop.SHORT["b"], "66.7%"], [shop.SHORT["c"], "33.3%"]], first, frame_words(tab))
    other = page.open("shop-names", at=tab.run("location.hash"))
    need(other.text("#crumbs") == tab.text("#crumbs") and other.run("document.getElementById('flame-around').ariaPressed") == "true", "link")
    other.close()
    tab.press("#flame-reset")
    need("through" not in tab.text("#crumbs"), tab.text("#crumbs"))
    need(tab.complaints() == [], tab.complaints())
    tab.close()


@check("names of C++ and Rust are short until full names are wanted")
def short_names(page):
    tab = page.open("shop-symbols")
    cells = "[...document.querySelectorAll('#table tbody td:last-child span')].map((e) => [e.textContent, e.title])"
    shown = dict((title or text, text) for text, title in tab.run(cells))
    need(shown == {"[k] " + full: "[k] " + short for full, short in shop.SYMBOLS.items()}, shown)
    tab.press("#names")
    need({text for text, _ in tab.run(cells)} == {"[k] " + full for full in shop.SYMBOLS}, tab.run(cells))
    need("names=full" in tab.run("location.hash"), tab.run("location.hash"))
    tab.close()
    need(page.tab.run("document.getElementById('names').hidden"), "nothing is to be shortened")


@check("the flame graph's box grows with its rows, up to the window's height")
def growing(page):
    tab = page.open("shop-deep")
    height, rows = tab.box("#flame-tree")[3], tab.run("document.querySelector('#flame canvas').offsetHeight")
    need(rows == 101 * 20 and 0.8 * 900 < height <= 900, rows, height)
    need(tab.run("getComputedStyle(document.getElementById('flame-tree')).resize") == "vertical")
    tab.close()


@check("a sort key and an annotation that no view has heard of are on it")
def new_key(page):
    tab = page.open("new_key")
    need(tab.complaints() == [], tab.complaints())
    need(sorted(column(tab, "Tide")) == ["high tide", "low tide"], column(tab, "Tide"))
    need(column(tab, "Whim") == ["whim of the sea"] * 2, column(tab, "Whim"))
    tab.run("""(() => { const e = document.querySelector('#list1 select'); e.value = 'tide'; e.dispatchEvent(new Event('change')); })()""")
    need(tab.run("[...document.querySelectorAll('#list1 .name')].map((e) => e.textContent)") == ["high tide", "low tide"], tab.text("#list1"))
    tab.press("#list1 li:nth-child(2) button")
    need(column(tab, "Tide") == ["low tide"] and "low tide" in tab.text("#crumbs"), tab.text("#crumbs"))
    tab.close()


@check("every kind of recording opens: other columns, no times, no samples")
def kinds(page):
    files = sorted(name[:-5] for name in os.listdir(page.folder) if name.startswith("kind-"))
    need(len(files) == 11, files)
    for name in files:
        tab = page.open(name)
        need(tab.complaints() == [], name, tab.complaints())
        need("cannot be shown" not in tab.text("#status"), name, tab.text("#status"))
        need(tab.run("document.querySelectorAll('.panel').length > 0 || document.querySelectorAll('#notes li').length > 0"), name)
        tab.close()


def main(folder):
    with Browser() as browser:
        page = Page(browser, folder)
        for name, function in checks:
            try:
                function(page)
                print("ok - %s" % name)
            except (Failure, AssertionError, KeyError, ValueError, TypeError) as error:
                traceback.print_exc(file=sys.stdout)
                print("%s\nnot ok - %s" % (error, name))
                page.tab.close()
                page.tab = page.open("orders")
            sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1] == "names":
        for name, _ in checks:
            print(name)
    else:
        main(os.path.abspath(sys.argv[1]))
