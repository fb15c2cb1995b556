// SPDX-License-Identifier: GPL-2.0-or-later
// What test_dwarf asks about: paths, generics, enums with data.
mod deep {
    pub enum Shape {
        Circle { radius: f64, id: u32 },
        Rect(u32, u32, u64),
    }
}

#[inline(never)]
#[no_mangle]
pub fn area(shape: &deep::Shape) -> f64 {
    match shape {
        deep::Shape::Circle { radius, id } => *radius * (*id as f64),
        deep::Shape::Rect(a, b, c) => (*a * *b) as f64 + *c as f64,
    }
}

#[inline(never)]
#[no_mangle]
pub fn sum(values: &[u64]) -> u64 {
    let mut total = 0;
    for value in values {
        total += value;
    }
    total
}

fn main() {
    let n = std::env::args().count() as u32;
    let shape = if n > 3 {
        deep::Shape::Circle { radius: 2.0, id: n }
    } else {
        deep::Shape::Rect(n, 2, 3)
    };
    println!("{} {}", area(&shape), sum(&[1, 2, n as u64]));
}
