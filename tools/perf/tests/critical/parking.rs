// SPDX-License-Identifier: GPL-2.0-or-later
// Locks of the Rust crate parking_lot for workloads/waiting.c, as a shared library: each function runs the body with the lock.
use parking_lot::{const_mutex, const_rwlock, Mutex, RwLock};

static BOOK: Mutex<i64> = const_mutex(0);
static SHELF: RwLock<i64> = const_rwlock(0);

#[no_mangle]
pub extern "C" fn with_mutex(body: extern "C" fn()) {
    let mut pages = BOOK.lock();
    *pages += 1;
    body();
}

#[no_mangle]
pub extern "C" fn with_writer(body: extern "C" fn()) {
    let mut books = SHELF.write();
    *books += 1;
    body();
}

#[no_mangle]
pub extern "C" fn with_reader(body: extern "C" fn()) {
    let _books = SHELF.read();
    body();
}
