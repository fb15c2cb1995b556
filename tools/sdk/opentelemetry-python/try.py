# SPDX-License-Identifier: GPL-2.0-or-later
"""Tries activity_otel.py, first call by call, then as something to record:

    OTEL_PYTHON_CONTEXT=activity python3 try.py MILLISECONDS WORK-LIBRARY

Two threads work for spans of their own, then two tasks in one thread that wait for each other. The
work is done by functions of WORK-LIBRARY (work.c), so that a sample's function says which span
there was. Prints "FUNCTION TRACE SPAN", which holds for each sample in that function.
"""

import asyncio
import ctypes
import sys
import threading
import time

from opentelemetry import context, trace

import activity_otel

activity = ctypes.CDLL("libactivity.so.1")
activity.activity_get.restype = ctypes.c_bool


def make_span(trace_byte, span_byte):
    ids = trace.SpanContext(int.from_bytes(bytes([trace_byte] * 16), "big"), int.from_bytes(bytes([span_byte] * 8), "big"),
                            is_remote=False, trace_flags=trace.TraceFlags(trace.TraceFlags.SAMPLED))
    return trace.NonRecordingSpan(ids)


def expect(span, what):
    ids = ctypes.create_string_buffer(16), ctypes.create_string_buffer(8)
    found = activity.activity_get(*ids)
    now = span and span.get_span_context()
    right = not found if span is None else found and int.from_bytes(ids[0].raw, "big") == now.trace_id and \
        int.from_bytes(ids[1].raw, "big") == now.span_id
    if not right:
        sys.exit(f"try.py: wrong activity: {what}")


def try_calls():
    outer, inner = make_span(1, 2), make_span(1, 3)
    expect(None, "before any span")
    with trace.use_span(outer):
        expect(outer, "in a span")
        with trace.use_span(inner):
            expect(inner, "in a span within")
            other = []
            thread = threading.Thread(target=lambda: other.append(activity.activity_get(*[ctypes.create_string_buffer(16)] * 2)))
            thread.start()
            thread.join()
            if other != [False]:
                sys.exit("try.py: another thread has an activity")
        expect(outer, "after the span within")
        token = context.attach(context.Context())
        expect(None, "in an empty context")
        context.detach(token)
        expect(outer, "after it")
        try:
            with trace.use_span(inner, record_exception=False, set_status_on_exception=False):
                raise ValueError
        except ValueError:
            expect(outer, "after an exception")
    expect(None, "after all")


def try_sdk():
    """Spans that record, where the SDK is installed."""
    try:
        from opentelemetry.sdk.trace import TracerProvider
    except ImportError:
        return
    tracer = TracerProvider().get_tracer("try")
    with tracer.start_as_current_span("outer") as outer:
        expect(outer, "in the SDK's span")
        with tracer.start_as_current_span("inner") as inner:
            expect(inner, "in the SDK's span within")
            if inner.get_span_context().trace_id != outer.get_span_context().trace_id:
                sys.exit("try.py: two spans of one trace have two")
        expect(outer, "after the SDK's span within")
    expect(None, "after the SDK's spans")


async def try_tasks():
    asyncio.get_running_loop().set_task_factory(activity_otel.task_factory)
    spans = [make_span(3, 4), make_span(5, 6)]

    async def task(span):
        expect(None, "at a task's begin")
        with trace.use_span(span):
            for _ in range(5):
                expect(span, "in a task")
                await asyncio.sleep(0)
            try:
                await asyncio.wait_for(asyncio.sleep(9), 0.01)
            except asyncio.TimeoutError:
                expect(span, "in a task that waited in vain")
            await asyncio.create_task(child(span))
            expect(span, "in a task that waited for another")
        expect(None, "at a task's end")

    async def child(span):
        expect(span, "in a task that was made within a span")

    cancelled = asyncio.create_task(asyncio.sleep(9))
    await asyncio.gather(*(asyncio.create_task(task(span)) for span in spans))
    cancelled.cancel()
    try:
        await cancelled
    except asyncio.CancelledError:
        pass
    try:
        await asyncio.create_task(fails())
    except KeyError:
        return 1


async def fails():
    await asyncio.sleep(0)
    raise KeyError


def work(work_library, seconds):
    def threads(trace_byte, outer, inner):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with trace.use_span(make_span(trace_byte, 0xa0)):
                outer()
                with trace.use_span(make_span(trace_byte, 0xb0)):
                    inner()

    async def task(trace_byte, function):
        end = time.monotonic() + seconds
        with trace.use_span(make_span(trace_byte, 0xc0)):
            while time.monotonic() < end:
                function()
                await asyncio.sleep(0)

    async def tasks():
        asyncio.get_running_loop().set_task_factory(activity_otel.task_factory)
        await asyncio.gather(*(asyncio.create_task(task(*one)) for one in
                               ((0x33, work_library.work_task_3), (0x44, work_library.work_task_4))))

    other = threading.Thread(target=threads, args=(0x22, work_library.work_outer_2, work_library.work_inner_2))
    other.start()
    threads(0x11, work_library.work_outer_1, work_library.work_inner_1)
    other.join()
    asyncio.run(tasks())
    for function, trace_byte, span_byte in (("work_outer_1", 0x11, 0xa0), ("work_inner_1", 0x11, 0xb0),
                                            ("work_outer_2", 0x22, 0xa0), ("work_inner_2", 0x22, 0xb0),
                                            ("work_task_3", 0x33, 0xc0), ("work_task_4", 0x44, 0xc0)):
        print(function, bytes([trace_byte] * 16).hex(), bytes([span_byte] * 8).hex())


if not isinstance(context._RUNTIME_CONTEXT, activity_otel.ActivityRuntimeContext):
    sys.exit("try.py: OpenTelemetry did not take the runtime context")
try_calls()
try_sdk()
if asyncio.run(try_tasks()) != 1:
    sys.exit("try.py: a task's exception was lost")
if len(sys.argv) > 2:
    work(ctypes.CDLL(sys.argv[2]), int(sys.argv[1]) / 1000)
