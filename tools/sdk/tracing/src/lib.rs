// SPDX-License-Identifier: GPL-2.0-or-later
//! `tracing` and libactivity: the span that a thread has entered is its activity.
//!
//! ```ignore
//! tracing_subscriber::registry().with(ActivityLayer::new()).init();
//! ```
//!
//! A span gets ids when it is made: those that the function given to [`ActivityLayer::with_ids`]
//! finds for it, else a new span id, with the trace id of the span around it or a new one. A future
//! that is instrumented enters its span for each poll, so that tasks are followed over threads.

use tracing::span::{Attributes, Id};
use tracing::Subscriber;
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::registry::{LookupSpan, SpanRef};

extern "C" {
    fn activity_set(trace_id: *const u8, span_id: *const u8);
    fn activity_clear();
    fn activity_new_span_id(span_id: *mut u8);
    fn activity_new_trace_id(trace_id: *mut u8);
}

/// Ids in the byte order of the W3C trace context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ids {
    pub trace: [u8; 16],
    pub span: [u8; 8],
}

/// The ids that something else, an exporter say, has given to a span.
pub type Find<S> = fn(&SpanRef<'_, S>) -> Option<Ids>;

pub struct ActivityLayer<S>
where
    S: for<'a> LookupSpan<'a>,
{
    find: Find<S>,
}

impl<S> ActivityLayer<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    /// Spans have ids of this layer's own; see [`ids_of`].
    pub fn new() -> Self {
        Self::with_ids(|_| None)
    }

    /// Ids are asked for whenever a span is entered or gone back to: a layer that gives them late,
    /// or another span, is followed.
    pub fn with_ids(find: Find<S>) -> Self {
        Self { find }
    }

    fn publish(&self, span: &SpanRef<'_, S>) {
        if let Some(ids) = (self.find)(span).or_else(|| ids_of(span)) {
            // SAFETY: both point to as many bytes as are read, and are copied.
            unsafe { activity_set(ids.trace.as_ptr(), ids.span.as_ptr()) }
        }
    }
}

impl<S> Default for ActivityLayer<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn default() -> Self {
        Self::new()
    }
}

/// The ids that an [`ActivityLayer`] gave to the span when it was made.
pub fn ids_of<S>(span: &SpanRef<'_, S>) -> Option<Ids>
where
    S: for<'a> LookupSpan<'a>,
{
    span.extensions().get::<Ids>().copied()
}

impl<S> Layer<S> for ActivityLayer<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn on_new_span(&self, _attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let span = match context.span(id) {
            Some(span) => span,
            None => return,
        };
        let mut ids = Ids { trace: [0; 16], span: [0; 8] };
        // SAFETY: both have as many bytes as are written.
        unsafe { activity_new_span_id(ids.span.as_mut_ptr()) }
        match span.parent().and_then(|parent| ids_of(&parent)) {
            Some(around) => ids.trace = around.trace,
            None => unsafe { activity_new_trace_id(ids.trace.as_mut_ptr()) },
        }
        span.extensions_mut().insert(ids);
    }

    fn on_enter(&self, id: &Id, context: Context<'_, S>) {
        if let Some(span) = context.span(id) {
            self.publish(&span);
        }
    }

    /// The span is off the thread's stack by now: what is on top of it counts.
    fn on_exit(&self, _id: &Id, context: Context<'_, S>) {
        match context.lookup_current() {
            Some(span) => self.publish(&span),
            // SAFETY: it concerns this thread's variable only.
            None => unsafe { activity_clear() },
        }
    }
}
