// SPDX-License-Identifier: GPL-2.0-or-later
// Work for two crates: words are looked up, counted, put in and taken out of a radix trie and a linked hash map. It ends when it
// is killed.
use linked_hash_map::LinkedHashMap;
use radix_trie::{Trie, TrieCommon};

pub struct Word {
    seen: u64,
    last: u32,
    length: u16,
    kind: u8,
    next_to: Option<Box<Word>>,
}

pub type Words = Trie<String, Word>;
pub type Recent = LinkedHashMap<u64, Word>;

#[no_mangle] // else the compiler leaves out what nobody reads
pub static mut WORDS: *mut Words = std::ptr::null_mut();
#[no_mangle] // else the compiler leaves out what nobody reads
pub static mut RECENT: *mut Recent = std::ptr::null_mut();

fn word(i: u64) -> Word {
    Word { seen: i, last: 0, length: (i % 9) as u16, kind: (i % 3) as u8, next_to: None }
}

fn spelled(i: u64) -> String {
    let mut left = i * 2654435761 % 4096;
    let mut text = String::new();
    while left > 0 {
        text.push((b'a' + (left % 8) as u8) as char);
        left /= 8;
    }
    text
}

fn main() {
    unsafe {
        WORDS = Box::into_raw(Box::new(Trie::new()));
        RECENT = Box::into_raw(Box::new(LinkedHashMap::new()));
    }
    let (words, recent) = unsafe { (&mut *WORDS, &mut *RECENT) };
    for i in 0..1000 {
        words.insert(spelled(i), word(i));
        recent.insert(i, word(i));
    }
    let mut random = 88172645463325252u64;
    let mut found = 0u64;
    loop {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let i = random % 1000;
        let text = spelled(i);
        match (random >> 32) % 12 {
            0 => found += words.get_ancestor_value(&text).map_or(0, |w| w.seen),
            1 => found += words.get_raw_descendant(&text).map_or(0, |t| t.len() as u64),
            2 => found += words.iter().take(50).map(|(_, w)| w.length as u64).sum::<u64>(),
            3 => {
                let longer = text + "zz";
                words.insert(longer.clone(), word(i));
                words.remove(&longer);
            }
            4 | 5 => found += recent.get(&i).map_or(0, |w| w.last as u64 + w.kind as u64),
            6 => found += recent.iter().take(40).map(|(k, w)| k + w.seen).sum::<u64>(),
            7 => found += recent.iter_mut().take(20).map(|(_, w)| { w.seen += 1; w.length as u64 }).sum::<u64>(),
            8 => {
                recent.insert(1000 + i, word(i));
                recent.pop_back();
            }
            _ => {
                if let Some(w) = words.get_mut(&text) {
                    w.seen += 1;
                    w.last = found as u32;
                    w.next_to = if w.next_to.is_some() { None } else { Some(Box::new(word(found))) };
                }
            }
        }
    }
}
