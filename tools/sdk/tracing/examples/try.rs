// SPDX-License-Identifier: GPL-2.0-or-later
//! Tries the layer, first call by call, then as something to record:
//!
//!     try MILLISECONDS
//!
//! Two threads work for spans of their own, then a future moves from thread to thread. Prints
//! "FUNCTION TRACE SPAN", which holds for each sample in that function.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

use activity_tracing::{ids_of, ActivityLayer, Ids};
use tracing::{span, Level, Span};
use tracing_subscriber::prelude::*;
use tracing_subscriber::registry::{LookupSpan, Registry};

extern "C" {
    fn activity_get(trace_id: *mut u8, span_id: *mut u8) -> bool;
}

fn now() -> Option<Ids> {
    let mut ids = Ids { trace: [0; 16], span: [0; 8] };
    let found = unsafe { activity_get(ids.trace.as_mut_ptr(), ids.span.as_mut_ptr()) };
    found.then_some(ids)
}

fn ids(span: &Span) -> Option<Ids> {
    let (id, dispatch) = span.with_subscriber(|(id, dispatch)| (id.clone(), dispatch.clone()))?;
    let found = dispatch.downcast_ref::<Registry>()?.span(&id)?;
    let ids = ids_of(&found);
    drop(found);
    ids
}

/// The spans' own ids, but for one that says that it has others.
fn find<S>(span: &tracing_subscriber::registry::SpanRef<'_, S>) -> Option<Ids>
where
    S: for<'a> LookupSpan<'a>,
{
    (span.name() == "exported").then_some(Ids { trace: [0xee; 16], span: [0xef; 8] })
}

fn try_calls() {
    assert_eq!(now(), None, "before any span");
    let outer = span!(Level::INFO, "outer");
    assert_eq!(now(), None, "before it is entered");
    outer.in_scope(|| {
        assert!(now().is_some() && now() == ids(&outer), "in a span");
        let inner = span!(Level::INFO, "inner");
        inner.in_scope(|| {
            assert_eq!(now(), ids(&inner), "in a span within");
            assert_eq!(now().unwrap().trace, ids(&outer).unwrap().trace, "of one trace");
            assert_ne!(ids(&inner), ids(&outer), "with ids of its own");
            std::thread::spawn(|| assert_eq!(now(), None, "on another thread")).join().unwrap();
        });
        assert_eq!(now(), ids(&outer), "after the span within");
        span!(Level::INFO, "exported").in_scope(|| {
            let given = Ids { trace: [0xee; 16], span: [0xef; 8] };
            assert_eq!(now(), Some(given), "in a span with ids of somebody else's");
        });
    });
    assert_eq!(now(), None, "after all");
    let (first, second) = (span!(Level::INFO, "first"), span!(Level::INFO, "second"));
    let entered = first.enter();
    let above = second.enter();
    drop(entered);
    assert_eq!(now(), ids(&second), "after a span that ended before the one above it");
    drop(above);
    assert_eq!(now(), None, "after that one");
    let caught = std::panic::catch_unwind(|| {
        span!(Level::INFO, "fails").in_scope(|| std::panic::resume_unwind(Box::new(())))
    });
    assert!(caught.is_err() && now().is_none(), "after a panic");
}

macro_rules! work {
    ($($name:ident),*) => { $(
        #[no_mangle]
        #[inline(never)]
        extern "C" fn $name() {
            for i in 0..200000u64 {
                std::hint::black_box((i, stringify!($name))); // or the linker makes them one
            }
        }
    )* };
}
work!(work_outer_1, work_inner_1, work_outer_2, work_inner_2, work_task_3);

fn say(function: &str, of: Ids) {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    println!("{function} {} {}", hex(&of.trace), hex(&of.span));
}

/// The spans are made once, and entered over and over.
fn threads(end: Instant, names: [&str; 2], outer_work: extern "C" fn(), inner_work: extern "C" fn()) {
    let outer = span!(Level::INFO, "outer");
    let inner = span!(parent: &outer, Level::INFO, "inner");
    while Instant::now() < end {
        let _outer = outer.enter();
        outer_work();
        inner.in_scope(|| inner_work());
    }
    say(names[0], ids(&outer).unwrap());
    say(names[1], ids(&inner).unwrap());
}

struct Nobody;

impl Wake for Nobody {
    fn wake(self: Arc<Self>) {}
}

struct Work(Instant);

impl Future for Work {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<()> {
        // A thread's clock of samples starts with it.
        for _ in 0..200 {
            work_task_3();
        }
        if Instant::now() < self.0 { Poll::Pending } else { Poll::Ready(()) }
    }
}

/// Each poll on a thread of its own.
fn task(end: Instant) {
    use tracing::Instrument;
    let span = span!(Level::INFO, "task");
    say("work_task_3", ids(&span).unwrap());
    let mut future = Box::pin(Work(end).instrument(span));
    let mut done = false;
    while !done {
        (done, future) = std::thread::spawn(|| {
            let waker = Waker::from(Arc::new(Nobody));
            let ready = future.as_mut().poll(&mut Context::from_waker(&waker)).is_ready();
            assert_eq!(now(), None, "between polls");
            (ready, future)
        })
        .join()
        .unwrap();
    }
}

fn main() {
    tracing_subscriber::registry().with(ActivityLayer::with_ids(find)).init();
    try_calls();
    if let Some(time) = std::env::args().nth(1) {
        let time = Duration::from_millis(time.parse().expect("MILLISECONDS"));
        let end = Instant::now() + time;
        let other = std::thread::spawn(move || threads(end, ["work_outer_2", "work_inner_2"], work_outer_2, work_inner_2));
        threads(end, ["work_outer_1", "work_inner_1"], work_outer_1, work_inner_1);
        other.join().unwrap();
        task(Instant::now() + time);
    }
}
