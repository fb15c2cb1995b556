// SPDX-License-Identifier: GPL-2.0-or-later
// A city: shortest ways in a graph, tasks that poll like futures, a slab with free places, traits and generic trees.
#[path = "../runtime/truth.rs"]
mod truth;
use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashMap};
use std::hint::black_box;
use truth::{boxed, name, vector};

#[derive(Clone, Copy)]
struct Road {
    to: u32,
    length: f32,
    lanes: u8,
    toll: Option<u16>,
}

struct Place {
    roads: Vec<Road>,
    x: i32,
    y: i32,
    visits: u64,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Square { trees: u16, benches: u8 },
    Station(Option<u32>),
    Shop([u8; 6]),
    Nothing,
}

#[derive(Clone, Copy, PartialEq)]
struct Way {
    cost: f64,
    place: u32,
    hops: u16,
}
impl Eq for Way {}
impl PartialOrd for Way {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        Some(self.cmp(o))
    }
}
impl Ord for Way {
    fn cmp(&self, o: &Self) -> Ordering {
        self.cost.total_cmp(&o.cost).then(self.hops.cmp(&o.hops))
    }
}

struct City {
    places: Vec<Place>,
    best: Vec<f64>,
    from: Vec<Option<(u32, u16)>>,
    settled: u32,
}

impl City {
    #[inline(never)]
    fn price(&self, r: &Road) -> f64 {
        let p = &self.places[r.to as usize];
        let more = match p.kind {
            Kind::Square { trees, benches } => trees as f64 * 0.1 + benches as f64,
            Kind::Station(Some(line)) => line as f64,
            Kind::Station(None) => 2.0,
            Kind::Shop(name) => name[2] as f64 * 0.01,
            Kind::Nothing => 0.0,
        };
        r.length as f64 / r.lanes as f64 + r.toll.map_or(0.0, |t| t as f64 * 0.5) + more
    }
    #[inline(never)]
    fn search(&mut self, start: u32, goal: u32) -> Option<f64> {
        let mut heap = BinaryHeap::from(vector::<Reverse<Way>>(256));
        for (b, f) in self.best.iter_mut().zip(self.from.iter_mut()) {
            *b = f64::INFINITY;
            *f = None;
        }
        self.best[start as usize] = 0.0;
        heap.push(Reverse(Way { cost: 0.0, place: start, hops: 0 }));
        while let Some(Reverse(w)) = heap.pop() {
            if w.cost > self.best[w.place as usize] {
                continue;
            }
            self.settled += 1;
            self.places[w.place as usize].visits += 1;
            if w.place == goal {
                return Some(w.cost);
            }
            for i in 0..self.places[w.place as usize].roads.len() {
                let r = self.places[w.place as usize].roads[i];
                let cost = w.cost + self.price(&r);
                if cost < self.best[r.to as usize] {
                    self.best[r.to as usize] = cost;
                    self.from[r.to as usize] = Some((w.place, w.hops));
                    heap.push(Reverse(Way { cost, place: r.to, hops: w.hops + 1 }));
                }
            }
        }
        None
    }
    #[inline(never)]
    fn way_back(&self, mut at: u32) -> u64 {
        let mut sum = 0;
        while let Some((before, hops)) = self.from[at as usize] {
            sum += self.places[at as usize].x as u64 * (hops as u64 + 1);
            at = before;
        }
        sum
    }
}

// A slab: free places are a list by index.
enum Slot<T> {
    Free { next: u32 },
    Used { generation: u32, value: T },
}
struct Slab<T> {
    slots: Vec<Slot<T>>,
    free: u32,
    used: usize,
}
impl<T> Slab<T> {
    #[inline(never)]
    fn put(&mut self, value: T) -> u32 {
        self.used += 1;
        if self.free != u32::MAX {
            let at = self.free;
            let Slot::Free { next } = self.slots[at as usize] else { panic!() };
            self.free = next;
            self.slots[at as usize] = Slot::Used { generation: next.wrapping_add(1), value };
            return at;
        }
        self.slots.push(Slot::Used { generation: 0, value });
        name(&self.slots);
        self.slots.len() as u32 - 1
    }
    #[inline(never)]
    fn take(&mut self, at: u32) -> Option<T> {
        let slot = self.slots.get_mut(at as usize)?;
        if matches!(slot, Slot::Free { .. }) {
            return None;
        }
        let old = std::mem::replace(slot, Slot::Free { next: self.free });
        self.free = at;
        self.used -= 1;
        match old {
            Slot::Used { generation, value } if generation != 77 => Some(value),
            _ => None,
        }
    }
}

// Tasks, each a state machine of its own.
enum Poll {
    Pending,
    Ready(f64),
}
trait Task {
    fn poll(&mut self, now: u32) -> Poll;
    fn name(&self) -> &str {
        "task"
    }
}
enum Trip {
    Waiting { until: u32, bags: u8 },
    Riding { line: u32, stops: [u16; 3], at: usize, fare: f64 },
    Arrived(f64),
}
impl Task for Trip {
    #[inline(never)]
    fn poll(&mut self, now: u32) -> Poll {
        match self {
            Trip::Waiting { until, bags } => {
                if now >= *until {
                    *self = Trip::Riding { line: now % 3, stops: [1, now as u16, 3], at: 0, fare: *bags as f64 };
                }
                Poll::Pending
            }
            Trip::Riding { line, stops, at, fare } => {
                *fare += stops[*at] as f64 + *line as f64;
                *at += 1;
                if *at == 3 {
                    let fare = *fare;
                    *self = Trip::Arrived(fare);
                }
                Poll::Pending
            }
            Trip::Arrived(fare) => Poll::Ready(*fare),
        }
    }
}
struct Clock {
    left: u16,
    ticks: Vec<u32>,
    label: String,
}
impl Task for Clock {
    #[inline(never)]
    fn poll(&mut self, now: u32) -> Poll {
        if self.left == 0 {
            return Poll::Ready(self.ticks.iter().sum::<u32>() as f64);
        }
        self.left -= 1;
        self.ticks.push(now);
        Poll::Pending
    }
    fn name(&self) -> &str {
        &self.label
    }
}

struct Tree<K, V> {
    root: Option<Box<Branch<K, V>>>,
    count: usize,
}
struct Branch<K, V> {
    height: i8,
    key: K,
    value: V,
    kids: [Option<Box<Branch<K, V>>>; 2],
}
impl<K: Ord, V> Tree<K, V> {
    #[inline(never)]
    fn insert(&mut self, key: K, value: V) {
        let mut at = &mut self.root;
        let mut height = 0;
        while let Some(b) = at {
            height += 1;
            b.height = b.height.max(height);
            at = &mut b.kids[(key > b.key) as usize];
        }
        *at = Some(boxed(Branch { height: 0, key, value, kids: [None, None] }));
        self.count += 1;
    }
}
#[inline(never)]
fn tree_sum(b: &Option<Box<Branch<u16, (f64, u32)>>>) -> f64 {
    match b {
        None => 0.0,
        Some(b) => b.value.0 * b.key as f64 + b.value.1 as f64 + b.height as f64 + tree_sum(&b.kids[0]) + tree_sum(&b.kids[1]),
    }
}

#[inline(never)]
fn run(slab: &mut Slab<Box<dyn Task>>, totals: &mut HashMap<u8, (u32, f64)>) -> u32 {
    let mut now = 0;
    while slab.used > 0 && now < 200 {
        now += 1;
        for at in 0..slab.slots.len() as u32 {
            if let Slot::Used { value, .. } = &mut slab.slots[at as usize] {
                if let Poll::Ready(x) = value.poll(now) {
                    let key = value.name().as_bytes()[0];
                    let t = totals.entry(key).or_insert((0, 0.0));
                    t.0 += 1;
                    t.1 += x;
                    slab.take(at);
                }
            }
        }
    }
    now
}

fn main() {
    let mut city = City { places: vector(25), best: vector(25), from: vector(25), settled: 0 };
    for i in 0..25i32 {
        let mut roads = vector(4);
        for (n, d) in [(1, 1u8), (5, 2), (24, 1), (7, 3)] {
            let toll = if (i + n) % 4 == 0 { Some(n as u16) } else { None };
            roads.push(Road { to: ((i + n) % 25) as u32, length: (n * 3 % 11) as f32, lanes: d, toll });
        }
        let kind = match i % 5 {
            0 => Kind::Square { trees: i as u16, benches: 2 },
            1 => Kind::Station(if i % 2 == 0 { Some(i as u32) } else { None }),
            2 => Kind::Shop([1, 2, i as u8, 4, 5, 6]),
            _ => Kind::Nothing,
        };
        city.places.push(Place { roads, x: i % 5, y: i / 5, visits: 0, kind });
        city.best.push(0.0);
        city.from.push(None);
    }
    let mut sum = 0.0;
    for start in 0..5 {
        let goal = black_box(24 - start);
        sum += city.search(start, goal).unwrap_or(-1.0) + city.way_back(goal) as f64;
    }
    let mut slab = Slab { slots: Vec::new(), free: u32::MAX, used: 0 };
    let mut totals = HashMap::new();
    let mut ticks = 0;
    for round in 0..3u32 {
        for i in 0..6u32 {
            let t: Box<dyn Task> = if i % 3 == 0 {
                boxed(Clock { left: 4 + i as u16, ticks: vector(16), label: String::from("clock") })
            } else {
                boxed(Trip::Waiting { until: i * 2 + round, bags: i as u8 })
            };
            slab.put(t);
        }
        ticks += run(&mut slab, &mut totals);
    }
    let mut tree = Tree { root: None, count: 0 };
    for i in 0..30u16 {
        tree.insert(i * 37 % 31, (i as f64 * 0.5, i as u32));
    }
    let visits: u64 = city.places.iter().map(|p| p.visits + p.y as u64).sum();
    println!("{} {} {} {} {} {:?}", sum, city.settled, visits, ticks, tree_sum(&tree.root) + tree.count as f64, totals.get(&b't'));
}
