// SPDX-License-Identifier: GPL-2.0-or-later
//! Links libactivity from $ACTIVITY_LIBDIR, or from where the linker looks anyway.
fn main() {
    println!("cargo:rerun-if-env-changed=ACTIVITY_LIBDIR");
    if let Ok(folder) = std::env::var("ACTIVITY_LIBDIR") {
        println!("cargo:rustc-link-search=native={folder}");
    }
    println!("cargo:rustc-link-lib=static=activity");
}
