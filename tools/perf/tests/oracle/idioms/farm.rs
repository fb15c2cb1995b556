// SPDX-License-Identifier: GPL-2.0-or-later
// A farm: enums with data in rows, boxed traits, a tree of boxes, a heap of pairs, windows and chunks of a slice.
#[path = "../runtime/truth.rs"]
mod truth;
use std::hint::black_box;
use truth::{boxed, vector};

#[derive(Clone, Copy, PartialEq)]
enum Crop {
    Empty,
    Wheat { age: u16, wet: bool },
    Tree(f32, f32),
    Pond(u64),
}
struct Field {
    id: u32,
    crop: Crop,
    near: [u8; 4],
    soil: f64,
}
trait Beast {
    fn eat(&mut self, f: &mut Field) -> u64;
    fn weight(&self) -> f64;
}
struct Cow {
    milk: u32,
    kg: f64,
    name: [u8; 8],
}
struct Hen {
    eggs: u8,
    kg: f32,
    laid: [u16; 5],
    at: usize,
}
impl Beast for Cow {
    #[inline(never)]
    fn eat(&mut self, f: &mut Field) -> u64 {
        self.milk += f.id;
        self.kg += f.soil * 0.1;
        f.soil -= 0.25;
        self.name[(self.milk & 7) as usize] as u64
    }
    #[inline(never)]
    fn weight(&self) -> f64 {
        self.kg + self.milk as f64
    }
}
impl Beast for Hen {
    #[inline(never)]
    fn eat(&mut self, f: &mut Field) -> u64 {
        self.eggs = self.eggs.wrapping_add(f.near[1]);
        self.laid[self.at] = self.eggs as u16;
        self.at = (self.at + 1) % 5;
        self.laid[(self.at + 4) % 5] as u64
    }
    #[inline(never)]
    fn weight(&self) -> f64 {
        self.kg as f64 + self.laid.iter().map(|&x| x as f64).sum::<f64>()
    }
}
struct Node {
    key: i64,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
    value: Crop,
}
#[inline(never)]
fn insert(root: &mut Option<Box<Node>>, key: i64, value: Crop) {
    let mut at = root;
    while let Some(n) = at {
        at = if key < n.key { &mut n.left } else { &mut n.right };
    }
    *at = Some(boxed(Node {
        key,
        left: None,
        right: None,
        value,
    }));
}
#[inline(never)]
fn sum(n: &Option<Box<Node>>) -> i64 {
    match n {
        None => 0,
        Some(b) => sum(&b.left) + b.key * score(&b.value) as i64 + sum(&b.right),
    }
}
#[inline(never)]
fn score(c: &Crop) -> u64 {
    match c {
        Crop::Empty => 1,
        Crop::Wheat { age, wet } => *age as u64 * if *wet { 2 } else { 1 },
        Crop::Tree(h, w) => (*h * *w) as u64,
        Crop::Pond(d) => *d,
    }
}
#[inline(never)]
fn grow(fields: &mut [Field]) -> u32 {
    let mut n = 0;
    for f in fields.iter_mut() {
        match &mut f.crop {
            Crop::Wheat { age, wet } => {
                *age += 1;
                *wet = !*wet;
                n += 1;
            }
            Crop::Tree(h, _) => {
                *h *= 1.5;
                n += f.id;
            }
            Crop::Pond(d) => *d /= 2,
            Crop::Empty => f.crop = Crop::Wheat { age: 0, wet: true },
        }
    }
    n
}
#[inline(never)]
fn edges(f: &[Field]) -> f64 {
    let mut s = 0.0;
    for i in 1..f.len() {
        s += f[i].soil - f[i - 1].soil;
    }
    for w in f.windows(3) {
        s += (w[0].id + w[2].id) as f64;
    }
    for c in f.chunks(4) {
        s += c[0].soil;
    }
    s
}
#[inline(never)]
fn herd(beasts: &mut Vec<Box<dyn Beast>>, fields: &mut [Field]) -> f64 {
    let mut s = 0.0;
    let n = fields.len();
    for (i, b) in beasts.iter_mut().enumerate() {
        s += b.eat(&mut fields[i % n]) as f64;
        s += b.weight();
    }
    s
}
struct Heap {
    items: Vec<(u32, u64)>,
    pushes: usize,
}
impl Heap {
    #[inline(never)]
    fn push(&mut self, x: (u32, u64)) {
        self.items.push(x);
        self.pushes += 1;
        let mut i = self.items.len() - 1;
        while i > 0 && self.items[(i - 1) / 2].0 > self.items[i].0 {
            self.items.swap(i, (i - 1) / 2);
            i = (i - 1) / 2;
        }
    }
    #[inline(never)]
    fn pop(&mut self) -> Option<(u32, u64)> {
        let n = self.items.len();
        if n == 0 {
            return None;
        }
        let top = self.items.swap_remove(0);
        let n = n - 1;
        let mut i = 0;
        loop {
            let mut c = 2 * i + 1;
            if c >= n {
                break;
            }
            if c + 1 < n && self.items[c + 1].0 < self.items[c].0 {
                c += 1;
            }
            if self.items[i].0 <= self.items[c].0 {
                break;
            }
            self.items.swap(i, c);
            i = c;
        }
        Some(top)
    }
}
struct Grid {
    w: usize,
    cells: Vec<u8>,
    seen: Vec<u32>,
}
#[inline(never)]
fn flood(g: &mut Grid, stack: &mut Vec<usize>, from: usize) -> u32 {
    let mut n = 0;
    stack.push(from);
    while let Some(at) = stack.pop() {
        if g.seen[at] != 0 || g.cells[at] == b'#' {
            continue;
        }
        n += 1;
        g.seen[at] = n;
        if at >= g.w {
            stack.push(at - g.w);
        }
        if at + g.w < g.cells.len() {
            stack.push(at + g.w);
        }
        if at % g.w > 0 {
            stack.push(at - 1);
        }
        if at % g.w + 1 < g.w {
            stack.push(at + 1);
        }
    }
    n
}
#[inline(never)]
fn words(text: &str) -> (usize, u64) {
    let mut n = 0;
    let mut h = 7u64;
    for w in text.split(' ') {
        n += 1;
        for b in w.bytes() {
            h = h.wrapping_mul(31) ^ b as u64;
        }
    }
    (n, h)
}
fn main() {
    let mut fields = vector::<Field>(12);
    for i in 0..12u32 {
        fields.push(Field {
            id: i,
            crop: match i % 4 {
                0 => Crop::Empty,
                1 => Crop::Wheat {
                    age: i as u16,
                    wet: i % 2 == 0,
                },
                2 => Crop::Tree(i as f32, 2.0),
                _ => Crop::Pond(i as u64 * 9),
            },
            near: [i as u8; 4],
            soil: i as f64 * 0.5,
        });
    }
    let mut s = 0.0;
    for _ in 0..2 {
        s += grow(black_box(&mut fields)) as f64;
    }
    s += edges(black_box(&fields));
    let mut beasts = vector::<Box<dyn Beast>>(6);
    for i in 0..6u32 {
        if i % 2 == 0 {
            beasts.push(boxed(Cow {
                milk: i,
                kg: 400.0,
                name: *b"berta   ",
            }));
        } else {
            beasts.push(boxed(Hen {
                eggs: 1,
                kg: 2.0,
                laid: [1; 5],
                at: 0,
            }));
        }
    }
    for _ in 0..2 {
        s += herd(black_box(&mut beasts), &mut fields);
    }
    let mut root = None;
    for i in 0..24i64 {
        insert(&mut root, i * 17 % 41, fields[(i % 12) as usize].crop);
    }
    s += sum(&root) as f64;
    let mut heap = boxed(Heap {
        items: vector(64),
        pushes: 0,
    });
    for i in 0..25u32 {
        heap.push((i * 37 % 53, i as u64));
    }
    while let Some((a, b)) = heap.pop() {
        s = s * 0.5 + (a as u64 * b) as f64;
    }
    let mut g = boxed(Grid {
        w: 6,
        cells: vector(36),
        seen: vector(36),
    });
    for i in 0..36 {
        g.cells.push(if i % 7 == 3 { b'#' } else { b'.' });
        g.seen.push(0);
    }
    let mut stack = vector(400);
    s += flood(&mut g, &mut stack, 0) as f64;
    let (n, h) = words(black_box("the quick brown fox jumps"));
    println!("{} {} {} {}", s, n, h, heap.pushes);
}
