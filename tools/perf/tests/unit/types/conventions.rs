// SPDX-License-Identifier: GPL-2.0-or-later
// How rustc passes and returns: test_dwarf knows the registers from the code that it makes.
use std::hint::black_box;
use std::mem::MaybeUninit;

#[derive(Clone, Copy)]
pub struct Three(u32, u32, u32);
#[derive(Clone, Copy)]
pub struct Wrapped(f64);
#[derive(Clone, Copy)]
pub enum Sizes {
    Small(u32),
    Large(u64),
}
#[derive(Clone, Copy)]
pub enum Either {
    Number(u64),
    Place(&'static u64),
    Nothing,
}
#[derive(Clone, Copy)]
pub enum Text {
    Some(&'static str),
    Other,
    None,
}

macro_rules! functions {
    ($($name:ident $type:ty;)*) => { $(
        #[no_mangle]
        #[inline(never)]
        pub fn $name(value: $type, more: &mut u8, from: &$type) -> $type {
            black_box(value);
            *more += 1;
            *from
        }
    )* };
}

functions! {
    unit ();
    two_numbers (u32, u32);
    number_and_float (u64, f64);
    floats (f32, f32);
    wide u128;
    wrapped Wrapped;
    bytes [u8; 7];
    words [u64; 2];
    three Three;
    slice &'static [u16];
    object &'static dyn Fn(u32);
    maybe_slice Option<&'static [u16]>;
    maybe_float Option<f64>;
    maybe_pair Option<(u32, u32)>;
    nested Option<Option<u32>>;
    maybe_error Result<(), &'static str>;
    sizes Sizes;
    either Either;
    text Text;
    unwritten MaybeUninit<(u64, u64)>;
    number_and_wide (u64, u128);
    two_wide (u128, u128);
    float_and_wide (f64, u128);
}

#[no_mangle]
#[inline(never)]
pub fn one_left(a: u64, b: u64, c: u64, d: u64, e: u64, wide: u128, f: u64) -> u64 {
    a + b + c + d + e + wide as u64 + f
}

#[no_mangle]
#[inline(never)]
pub fn none_left(abc: (u64, u64, u64), d: (u64, u64), e: (u64, u64), f: u64, g: u64, wide: u128) -> u64 {
    abc.0 + d.0 + e.0 + f + g + wide as u64
}

#[inline(never)]
fn each(values: &[u64], what: &mut dyn FnMut(&u64)) {
    for value in values {
        what(value);
    }
}

#[inline(never)]
fn apply<F: FnOnce(u64) -> u64>(what: F) -> u64 {
    what(7)
}

fn main() {
    let n = std::env::args().count() as u64;
    let (mut sum, mut more) = (0, 0u8);
    let words = [n, 2, 3];
    each(&words, &mut |w| sum += *w * n);
    let moved = Box::new(n);
    let one = apply(move |x| x + *moved);
    println!("{} {} {:?}", sum, one, two_numbers((1, 2), &mut more, &(3, 4)));
}
