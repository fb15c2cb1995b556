// SPDX-License-Identifier: GPL-2.0-or-later
// Locks of Rust's standard library for workloads/waiting.c, as a shared library: each function runs the body with the lock.
use std::sync::{Mutex, RwLock};

static BOOK: Mutex<i64> = Mutex::new(0);
static SHELF: RwLock<i64> = RwLock::new(0);

#[no_mangle]
pub extern "C" fn with_mutex(body: extern "C" fn()) {
    let mut pages = BOOK.lock().unwrap();
    *pages += 1;
    body();
}

#[no_mangle]
pub extern "C" fn with_writer(body: extern "C" fn()) {
    let mut books = SHELF.write().unwrap();
    *books += 1;
    body();
}

#[no_mangle]
pub extern "C" fn with_reader(body: extern "C" fn()) {
    let _books = SHELF.read().unwrap();
    body();
}
