// SPDX-License-Identifier: GPL-2.0-or-later
// An event bus: handlers that own or borrow what they count in, filters, tables of functions, rows of slices.
#[path = "../runtime/truth.rs"]
mod truth;

use std::hint::black_box;
use std::num::NonZeroU32;
use truth::{boxed, vector};

mod bus {
    pub mod event {
        #[derive(Clone, Copy)]
        pub enum Body {
            Empty,
            Key { code: u16, shift: bool },
            Moved(i32, i32),
            Text(&'static str),
            Timer(Option<core::num::NonZeroU32>),
        }

        #[derive(Clone, Copy)]
        pub struct Event {
            pub at: u64,
            pub from: u32,
            pub body: Body,
        }
    }

    pub struct Handler<'a> {
        pub call: Box<dyn FnMut(&event::Event) -> bool + 'a>,
        pub calls: u32,
    }

    pub struct Bus<'a> {
        pub handlers: Vec<Handler<'a>>,
        pub sent: u64,
        pub refused: u32,
    }
}

use bus::event::{Body, Event};
use bus::Bus;

#[derive(Default)]
struct Totals {
    keys: u64,
    distance: f64,
    last: u64,
    longest: usize,
}

struct Rows<'a> {
    rows: &'a [&'a [i64]],
    names: [&'static str; 3],
    widest: usize,
}

struct Pair<A, B> {
    first: A,
    second: B,
}

trait Meter {
    type Unit;
    fn read(&self, i: usize) -> Self::Unit;
}

struct Linear {
    slope: i64,
    base: i64,
}

struct Table<T> {
    entries: [T; 4],
    misses: u32,
}

impl Meter for Linear {
    type Unit = i64;
    fn read(&self, i: usize) -> i64 {
        self.base + self.slope * i as i64
    }
}

impl<T: Copy + Into<i64>> Meter for Table<T> {
    type Unit = i64;
    fn read(&self, i: usize) -> i64 {
        if i >= 4 {
            return self.misses as i64;
        }
        self.entries[i].into()
    }
}

impl<'a> Bus<'a> {
    #[inline(never)]
    fn send(&mut self, event: &Event) -> usize {
        let mut taken = 0;
        for handler in self.handlers.iter_mut() {
            handler.calls += 1;
            if (handler.call)(event) {
                taken += 1;
            } else {
                self.refused += 1;
            }
        }
        self.sent += 1;
        taken
    }
}

#[inline(never)]
fn subscribe<'a>(bus: &mut Bus<'a>, totals: &'a mut Totals, seen: &'a mut [u32; 4], least: u64, step: u32) {
    // Borrows what others own.
    let call = boxed(move |e: &Event| {
        seen[e.from as usize % 4] += step;
        match e.body {
            Body::Key { code, shift } if !shift || code > 9 => totals.keys += code as u64,
            Body::Moved(x, y) => totals.distance += ((x * x + y * y) as f64) / 2.0,
            Body::Text(t) => totals.longest = totals.longest.max(t.len()),
            _ => return e.at > least,
        }
        totals.last = e.at;
        true
    });
    bus.handlers.push(bus::Handler { call, calls: 0 });
}

#[inline(never)]
fn counter<'a>(limit: u32, weights: [u32; 3]) -> bus::Handler<'a> {
    // Owns what it counts in.
    let mut count = 0u32;
    let mut worst = boxed(Pair { first: 0u64, second: 0u16 });
    let call = boxed(move |e: &Event| {
        count += weights[e.from as usize % 3];
        if let Body::Timer(Some(n)) = e.body {
            if n.get() as u64 > worst.first {
                worst.first = n.get() as u64;
                worst.second += 1;
            }
        }
        count < limit + worst.second as u32
    });
    bus::Handler { call, calls: 0 }
}

#[inline(never)]
fn filtered<'e, F>(events: &'e [Event], mut accept: F) -> Option<&'e Event>
where
    F: FnMut(&Event) -> bool,
{
    let mut found = None;
    for e in events {
        if accept(e) {
            found = Some(e);
        }
    }
    found
}

#[inline(never)]
fn late(events: &[Event], after: &u64, seen: &mut Pair<u32, u64>) -> u64 {
    let e = filtered(events, |e| {
        seen.first += 1;
        seen.second ^= e.at;
        e.at > *after && e.from != 2
    });
    e.map_or(0, |e| e.at)
}

fn weight_of_code(e: &Event) -> u64 {
    if let Body::Key { code, .. } = e.body { code as u64 } else { 1 }
}

fn weight_of_sender(e: &Event) -> u64 {
    e.from as u64 * 3
}

static WEIGHTS: [(&str, fn(&Event) -> u64); 2] = [("code", weight_of_code), ("sender", weight_of_sender)];

#[inline(never)]
fn weigh(events: &[Event], by: &[(&str, fn(&Event) -> u64)]) -> u64 {
    events.iter().map(|e| by.iter().map(|(name, f)| f(e) + name.len() as u64).sum::<u64>()).sum()
}

#[inline(never)]
fn sum_rows(table: &mut Rows, keep: &dyn Fn(i64) -> bool) -> i64 {
    let mut sum = 0;
    for row in table.rows {
        for &v in row.iter() {
            if keep(v) {
                sum += v;
            }
        }
        table.widest = table.widest.max(row.len());
    }
    sum + table.names[table.widest % 3].len() as i64
}

#[inline(never)]
fn meter<M: Meter<Unit = i64>>(m: &M, at: &[usize]) -> i64 {
    at.iter().map(|&i| m.read(i)).sum()
}

#[inline(never)]
fn split(values: &mut [i64], at: usize) -> (i64, i64) {
    let (low, high) = values.split_at_mut(at);
    for (a, b) in low.iter_mut().zip(high.iter()) {
        *a -= *b;
    }
    high[0] += 1;
    (low.iter().sum(), high.iter().rev().take(2).sum())
}

fn event(i: u64) -> Event {
    let body = match i % 5 {
        0 => Body::Key { code: i as u16 + 7, shift: i % 2 == 0 },
        1 => Body::Moved(i as i32, -2),
        2 => Body::Text(["a", "bcd", "ef"][i as usize % 3]),
        3 => Body::Timer(NonZeroU32::new(i as u32 % 7)),
        _ => Body::Empty,
    };
    Event { at: i * 10, from: i as u32 % 4, body }
}

fn main() {
    let mut events: Vec<Event> = vector(20);
    let mut totals = boxed(Totals::default());
    let mut seen = boxed([0u32; 4]);
    let mut pair = boxed(Pair { first: 0u32, second: 5u64 });
    events.extend((0..20).map(event));
    let mut taken = 0;
    {
        let mut bus = boxed(Bus { handlers: vector(2), sent: 0, refused: 0 });
        subscribe(&mut bus, &mut totals, &mut seen, black_box(120), black_box(2));
        bus.handlers.push(counter(black_box(30), black_box([1, 2, 3])));
        for e in &events {
            taken += bus.send(e);
        }
        println!("{} {} {}", taken, bus.sent, bus.refused);
    }
    let mut numbers: Vec<i64> = vector(8);
    numbers.extend((0..8).map(|i| i * i - 9));
    let halves = split(&mut numbers, black_box(4));
    let lines: [&[i64]; 3] = [&numbers[..3], &numbers[2..7], &[]];
    let mut table = boxed(Rows { rows: &lines, names: ["x", "yy", "zzz"], widest: 0 });
    let least = black_box(-5);
    let rows = sum_rows(&mut table, &move |v| v > least);
    let linear = boxed(Linear { slope: 3, base: 10 });
    let entries = boxed(Table { entries: [4i32, 5, 6, 7], misses: 9 });
    let metered = meter(&*linear, &[1, 2]) + meter(&*entries, &[0, 3, 8]);
    println!("{} {} {} {} {}", totals.keys, totals.distance, totals.last, totals.longest, seen[1]);
    println!("{} {} {:?} {} {}", late(&events, &black_box(70), &mut pair), weigh(&events, black_box(&WEIGHTS)), halves, rows, metered);
    println!("{} {}", pair.first, pair.second);
}
