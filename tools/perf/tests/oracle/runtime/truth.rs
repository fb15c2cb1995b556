// SPDX-License-Identifier: GPL-2.0-or-later
// truth.h for Rust: boxes and vectors that say what they hold.
#![allow(dead_code)]
use std::alloc::{GlobalAlloc, Layout, System};
use std::any::type_name;

extern "C" {
    fn truth_object(address: *const u8, size: usize, name: *const u8, name_size: usize, count: usize);
}

pub fn say<T>(address: *const T, count: usize) {
    let name = type_name::<T>();
    unsafe {
        truth_object(address as *const u8, std::mem::size_of::<T>() * count, name.as_ptr(), name.len(), count);
    }
}

/// What is freed has no name any more.
pub struct Allocator;

unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        System.alloc(layout)
    }
    unsafe fn dealloc(&self, address: *mut u8, layout: Layout) {
        truth_object(address, layout.size(), b"".as_ptr(), 0, 1);
        System.dealloc(address, layout)
    }
}

/// Box::new, named before the value is written: what lay there before has been freed.
#[inline(never)]
pub fn boxed<T>(value: T) -> Box<T> {
    let b = Box::<T>::new_uninit();
    say(b.as_ptr(), 1);
    Box::write(b, value)
}

/// A vector that never has to grow.
#[inline(never)]
pub fn vector<T>(capacity: usize) -> Vec<T> {
    let v = Vec::with_capacity(capacity);
    say(v.as_ptr(), capacity);
    v
}

/// Names what a vector has room for; after it has grown.
#[inline(never)]
pub fn name<T>(v: &Vec<T>) {
    say(v.as_ptr(), v.capacity());
}
