// SPDX-License-Identifier: GPL-2.0-or-later
use std::collections::BTreeMap;
fn weigh(text: &str, depth: u32) -> usize {
    if depth > 0 { return weigh(&format!("{text}{depth}"), depth - 1) + 1; }
    std::panic::catch_unwind(|| text.chars().filter(|c| c.is_ascii_digit()).count()).unwrap_or(0)
}
fn main() {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for i in 0u64.. {
        let key = format!("{}", i % 997);
        *seen.entry(key.clone()).or_insert(0) += weigh(&key, (i % 12) as u32);
    }
}
