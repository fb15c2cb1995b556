# SPDX-License-Identifier: GPL-2.0-or-later
"""opentelemetry-python and libactivity: the span that is current on a thread is its activity.

A span processor cannot do that, for it hears of the begin and the end of spans, not of when a thread
works for one. The runtime context does: what makes a span current attaches a context there.
OpenTelemetry finds this one by an entry point (pyproject.toml), where the environment names it:

    OTEL_PYTHON_CONTEXT=activity

asyncio switches from task to task without a word to the runtime context. Its tasks are followed
where the loop makes them so:

    asyncio.get_running_loop().set_task_factory(activity_otel.task_factory)
"""

import asyncio
import collections.abc
import ctypes

from opentelemetry.context.contextvars_context import ContextVarsRuntimeContext

_lib = ctypes.CDLL("libactivity.so.1")
_lib.activity_set.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
_lib.activity_set.restype = None
_lib.activity_flags.argtypes = [ctypes.c_uint8]
_lib.activity_flags.restype = None
_lib.activity_clear.argtypes = []
_lib.activity_clear.restype = None


def publish(context=None):
    """The calling thread works for the span of the context, the current one where none is given."""
    from opentelemetry import trace  # which is loaded after the runtime context that it needs

    span = trace.get_current_span(context).get_span_context()
    if span.is_valid:
        _lib.activity_set(span.trace_id.to_bytes(16, "big"), span.span_id.to_bytes(8, "big"))
        _lib.activity_flags(span.trace_flags)
    else:
        _lib.activity_clear()


class ActivityRuntimeContext(ContextVarsRuntimeContext):
    """The runtime context that OpenTelemetry has without this one, and its span is published."""

    def attach(self, context):
        token = super().attach(context)
        publish(context)
        return token

    def detach(self, token):
        super().detach(token)
        publish(self.get_current())


class _Followed(collections.abc.Coroutine):
    """A coroutine whose span is the thread's activity from each resumption to the next wait."""

    def __init__(self, coroutine):
        self._coroutine = coroutine

    def _step(self, step, *arguments):
        publish()
        try:
            return step(*arguments)
        finally:
            _lib.activity_clear()

    def send(self, value):
        return self._step(self._coroutine.send, value)

    def throw(self, *arguments):
        return self._step(self._coroutine.throw, *arguments)

    def close(self):
        return self._coroutine.close()

    def __await__(self):
        return (yield from self._coroutine.__await__())

    def __getattr__(self, name):  # cr_frame and the like, for those who print tasks
        return getattr(self._coroutine, name)


def task_factory(loop, coroutine, **more):
    """For set_task_factory() of a loop: tasks whose activity is that of their own span."""
    return asyncio.Task(_Followed(coroutine), loop=loop, **more)
