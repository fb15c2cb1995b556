// SPDX-License-Identifier: GPL-2.0-or-later
// truth.h for Rust: boxes and vectors that say what they hold.
#![allow(dead_code)]
use std::any::type_name;

extern "C" {
    fn truth_object(address: *const u8, size: usize, name: *const u8, name_size: usize, count: usize);
}

fn say<T>(address: *const T, count: usize) {
    let name = type_name::<T>();
    unsafe {
        truth_object(address as *const u8, std::mem::size_of::<T>() * count, name.as_ptr(), name.len(), count);
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
