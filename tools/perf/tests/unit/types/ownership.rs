// SPDX-License-Identifier: GPL-2.0-or-later
#![allow(dead_code)]
/*
 * What test_typeflow asks of Rust; its marks are explained in fields.c.
 * @locals ownership::Sheet | &ownership::Sheet | &mut ownership::Sheet | u64 | usize | u32 | &u64 | &u32 | bool
 * @locals &dyn ownership::Shape | ownership::Entry | &ownership::Entry | core::option::Option<&ownership::Entry>
 * @locals ownership::main::{closure_env#0} | &&ownership::Entry | (&u64, &u64, &u64) | (&u64) | alloc::vec::Vec<ownership::Entry, alloc::alloc::Global> | &alloc::vec::Vec<ownership::Entry, alloc::alloc::Global> | core::fmt::rt::Argument | core::fmt::rt::ArgumentType
 * @locals &mut dyn core::ops::function::FnMut<(u64), Output=()>
 * @locals *const ownership::Entry | *const u8 | *const u64 | *const core::fmt::rt::Argument | *const alloc::vec::Vec<ownership::Entry, alloc::alloc::Global> | *const ownership::main::{closure_env#0}
 */
use std::hint::black_box;

pub struct Sheet {
    rows: u64,
    columns: u64,
    cells: u64,
}

pub struct Entry {
    next: Option<&'static Entry>,
    key: u64,
    hits: u32,
}

trait Shape {
    fn area(&self) -> u64;
}

impl Shape for Sheet {
    #[inline(never)]
    fn area(&self) -> u64 {
        self.rows.wrapping_mul(self.columns) // @must ownership::Sheet +0 (rows) | ownership::Sheet +0x8 (columns)
    }
}

#[inline(never)]
fn sheet(rows: u64, columns: u64) -> Sheet {
    Sheet { rows, columns, cells: 7 } // @must ownership::Sheet +0 (rows) | ownership::Sheet +0x8 (columns) | ownership::Sheet +0x10 (cells)
}

#[inline(never)]
fn find(mut from: Option<&'static Entry>, key: u64) -> Option<&'static Entry> {
    while let Some(entry) = from {
        if entry.key == key {
            return from;
        }
        from = entry.next; // @must ownership::Entry +0 (next.Some.__0)
    }
    None
}

/* The pointer is kept over calls that write other objects of the frame. */
#[inline(never)]
fn kept(entry: &'static Entry) -> u64 {
    let a = sheet(entry.key, 2);
    let area = black_box(&a as &dyn Shape).area();
    let b = sheet(area, 3);
    black_box(&b);
    entry.hits as u64 // @must ownership::Entry +0x10 (hits)
}

#[inline(never)]
fn second(entries: &Vec<Entry>) -> u64 {
    if entries.len() < 2 {
        return 0;
    }
    unsafe { entries.get_unchecked(1).key } // @must ownership::Entry +0x8 (key)
}

#[inline(never)]
fn each(what: &mut dyn FnMut(u64)) {
    what(3);
    what(4);
}

static LAST: Entry = Entry { next: None, key: 9, hits: 2 };
static FIRST: Entry = Entry { next: Some(&LAST), key: 5, hits: 1 };

fn main() {
    let (mut sum, by) = (0u64, std::env::args().count() as u64);
    each(black_box(&mut |n| {
        sum = sum.wrapping_add(n ^ by); // @must ownership::main::{closure_env#0} +0 (_ref__sum) | ownership::main::{closure_env#0} +0x8 (_ref__by) | u64 +0 (no field)
    }));
    let mut entries = Vec::with_capacity(2);
    entries.push(Entry { next: None, key: 1, hits: 0 });
    entries.push(Entry { next: None, key: by, hits: 0 });
    println!("{}", second(black_box(&entries)));
    println!("{} {} {}", sum, kept(black_box(&FIRST)), find(black_box(Some(&FIRST)), 9).map_or(0, |e| e.key));
}
