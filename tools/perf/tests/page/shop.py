# SPDX-License-Identifier: GPL-2.0-or-later
"""Text for the forge of recordings whose content the checks know.

shop.py requests          thread states of a shop: two threads, five requests, run-queue time without call chains
shop.py spans             names of these requests, a right and a wrong statement of times, as OTLP JSON
shop.py names             functions with names of C++ and Rust; a() calls b() or c() in turn, and c() calls a() again
shop.py symbols           a function for each name of SYMBOLS
shop.py deep              a call chain of 100 frames
shop.py checkouts         MANY requests "checkout" of two samples each, and one whose path has very many segments; their names: checkout-spans
"""
import struct
import sys

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
RUNNING, QUEUED, SLEEP = 1, 2, 3
FUTEX = 202
MS = 10**6
# id, name, thread, begin, end (ms)
REQUESTS = [(1, "search", 11, 100, 400), (2, "checkout", 11, 500, 560), (3, "search", 12, 100, 160),
            (4, "checkout", 12, 200, 900), (5, "report", 11, 600, 980)]
# What the file states: begin and end. The samples agree with the first, and contradict the second.
STATED = {5: (590, 990), 4: (0, 1)}
WALL_NS, CLOCK_NS = 1700000000 * 10**9, 10**9
NAMES = {"a": "std::map<int, std::vector<std::string>>::operator[](int const&)",
         "b": "<alloc::vec::Vec<T> as core::iter::Extend<T>>::extend::h0123456789abcdef",
         "c": "run(int)::{lambda(char)#1}::operator()(char) const"}
SHORT = {"a": "std::map<\u2026>::operator[]", "b": "<Vec<\u2026> as Extend<\u2026>>::extend", "c": "run::{lambda#1}::operator()"}
# Names, and what is shown of them.
SYMBOLS = {
    "std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char const*)": "std::operator<< <\u2026>",
    "void std::sort<int*>(int*, int*)": "std::sort<\u2026>",
    "std::shared_ptr<item> shop::get<int>(int)": "shop::get<\u2026>",
    "auto shop::total(int)::{lambda(auto:1&)#2}::operator()<int>(int&) const": "shop::total::{lambda#2}::operator()<\u2026>",
    "non-virtual thunk to shop::view<int>::draw(int)": "non-virtual thunk to shop::view<\u2026>::draw",
    "shop::price<int>::operator std::vector<int>() const": "shop::price<\u2026>::operator std::vector<\u2026>",
    "std::function<void (int)>::operator()(int) const": "std::function<\u2026>::operator()",
    "std::__cxx11::basic_string<char>::~basic_string()": "std::__cxx11::basic_string<\u2026>::~basic_string",
    "call<&shop::operator-> >(int)": "call<\u2026>",
    "(anonymous namespace)::parse(char const*)": "(anonymous namespace)::parse",
    "shop::price::operator bool() const": "shop::price::operator bool",
    "core::Core<T,S>::poll::{{closure}}::h89abcdef01234567": "core::Core<\u2026>::poll::{{closure}}",
    "<T as core::convert::Into<U>>::into": "<T as Into<\u2026>>::into",
    "serve(request*) [clone .cold]": "serve [clone .cold]",
    "<" + "A<x>" * 40 + ":b as T>::f": "<b as T>::f",  # hostile: brackets that could be paired in very many ways
    "operator<": "operator<", "a<b": "a<b", "main": "main", "</b><i>": "</b><i>", "<!--<p>": "<!--<p>", "f(((": "f(((",
}


def state(thread, begin, end, what, span, chain):
    raw = struct.pack("<BBBBi6QQQQ8I", 3, what, 0, 0, FUTEX if what == SLEEP else -1, *[0] * 6, (end - begin) * MS, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0) + b"\0" * 4
    print("sample pid=10 tid=%d ip=0x500010 time=%d period=%d misc=user chain=user,%s raw=%s%s" %
          (thread, 10**9 + end * MS, (end - begin) * MS, chain, raw.hex(),
           " activity=%s:%016x" % (TRACE, span) if span else ""))


def requests():
    print("info hostname=alpha wall=%d clock=%d" % (WALL_NS, CLOCK_NS))
    print("event wall sample_type=IP|TID|TIME|PERIOD|CALLCHAIN|RAW|TLS_USER tls_user=64")
    print("comm pid=10 text=shop")
    for thread in (11, 12):
        print("comm pid=10 tid=%d text=shop" % thread)
    print("tls_layout pid=10 at=0 tp_offset=-64 size=64 kind=0 layout=activity symbol=activity_record object=/none/shop")
    for span, _, thread, begin, end in sorted(REQUESTS, key=lambda r: r[4]):
        middle = begin + (end - begin) // 2
        state(thread, begin, middle, SLEEP, span, "0x500010,0x400100,0x400200")
        state(thread, middle, end, QUEUED, span, "0x500010")


def spans():
    rows = ['{"traceId":"%s","spanId":"%016x","name":"%s"%s}' %
            (TRACE, span, name, ',"startTimeUnixNano":"%d","endTimeUnixNano":"%d"' %
             tuple(WALL_NS + ms * MS for ms in STATED[span]) if span in STATED else "") for span, name, _, _, _ in REQUESTS]
    print('{"resourceSpans":[{"scopeSpans":[{"spans":[%s]}]}]}' % ",".join(rows))


def names():
    print("event cpu-clock sample_type=IP|TID|TIME|PERIOD|CALLCHAIN")
    at = {}
    for i, (letter, name) in enumerate(NAMES.items()):
        at[letter] = 0xffffffffc0001000 + i * 0x1000
        print("ksymbol addr=%#x len=256 type=1 name='%s' time=1" % (at[letter], name))
    print("comm pid=10 text=shop time=1")
    time = 10**9
    for letters, nr in (("ba", 30), ("aca", 20), ("ba", 10)):
        for _ in range(nr):
            time += MS
            chain = ",".join("%#x" % (at[letter] + 8) for letter in letters)
            print("sample pid=10 ip=%s time=%d period=%d misc=kernel chain=kernel,%s" % (chain.split(",")[0], time, MS, chain))


def symbols():
    print("event cpu-clock sample_type=IP|TID|TIME|PERIOD")
    for i, name in enumerate(SYMBOLS):
        print("ksymbol addr=%#x len=256 type=1 name='%s' time=1" % (0xffffffffc0001000 + i * 0x1000, name))
    print("comm pid=10 text=shop time=1")
    for i in range(len(SYMBOLS)):
        print("sample pid=10 ip=%#x time=%d period=%d misc=kernel" % (0xffffffffc0001008 + i * 0x1000, 1000 + i, 100))


def deep():
    print("event cpu-clock sample_type=IP|TID|TIME|PERIOD|CALLCHAIN")
    print("comm pid=10 text=deep")
    for i in range(100):
        print("mmap2 pid=10 start=%#x len=0x1000 file=/none/deep%d misc=user" % (0x400000 + i * 0x1000, i))
    chain = ",".join("%#x" % (0x400010 + i * 0x1000) for i in range(100))
    print("sample pid=10 ip=0x400010 time=1000 period=40 misc=user chain=user," + chain)


MANY, SEGMENTS = 3000, 2200


def clock_sample(time, span):
    print("sample event=0 pid=10 tid=11 ip=0x500010 time=%d period=%d misc=user activity=%s:%016x" % (10**9 + time, MS, TRACE, span))


def checkouts():
    print("info hostname=alpha wall=%d clock=%d" % (WALL_NS, CLOCK_NS))
    for event in ("cpu-clock type=1 config=0", "offcpu-time type=1 config=10"):
        print("event %s sample_type=IDENTIFIER|IP|TID|TIME|PERIOD|RAW|TLS_USER tls_user=64" % event)
    print("comm pid=10 text=shop")
    print("tls_layout pid=10 at=0 tp_offset=-64 size=64 kind=0 layout=activity symbol=activity_record object=/none/shop")
    for i in range(MANY):
        clock_sample(i * MS, i + 1)
        clock_sample(i * MS + (i % 7 + 1) * MS // 10, i + 1)
    for i in range(SEGMENTS):  # by turns for the long request and for something else
        clock_sample(MANY * MS + i * 1000, i % 2 and MANY + 2 or MANY + 1)
    raw = struct.pack("<IIQQQBBBBI9Q8I", 10, 11, MS, 0, 0, 3, SLEEP, 0, 0, FUTEX, *[0] * 6, MS, 0, 0, 1, 0, 0, 0, 10, 12, 0, 0) + b"\0" * 6
    print("sample event=1 pid=10 tid=11 ip=0x500010 time=%d period=%d misc=user raw=%s" % (10**9 + (MANY + 9) * MS, MS, raw.hex()))


def checkout_spans():
    print('{"resourceSpans":[{"scopeSpans":[{"spans":[%s]}]}]}' %
          ",".join('{"traceId":"%s","spanId":"%016x","name":"checkout"}' % (TRACE, i + 1) for i in range(MANY + 1)))


if __name__ == "__main__":
    {"requests": requests, "spans": spans, "names": names, "symbols": symbols, "deep": deep,
     "checkouts": checkouts, "checkout-spans": checkout_spans}[sys.argv[1]]()
