// SPDX-License-Identifier: GPL-2.0-or-later
// A parser of JSON, an index of words and a tree of shared nodes: what Rust's library is used for.
#[path = "../runtime/truth.rs"]
mod truth;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt;
use std::rc::{Rc, Weak};
use truth::{boxed, name, vector};

#[global_allocator]
static ALLOCATOR: truth::Allocator = truth::Allocator;

#[derive(Clone, Debug, PartialEq)]
enum Value {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Value>),
    Map(BTreeMap<String, Value>),
}

#[derive(Debug)]
enum Fault {
    End,
    Unexpected { at: usize, byte: u8 },
    TooDeep(u32),
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    depth: u32,
    longest: Option<&'a str>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Parser<'a> {
        Parser { text: text.as_bytes(), at: 0, depth: 0, longest: None }
    }

    fn peek(&mut self) -> Result<u8, Fault> {
        while let Some(&b) = self.text.get(self.at) {
            if !b.is_ascii_whitespace() {
                return Ok(b);
            }
            self.at += 1;
        }
        Err(Fault::End)
    }

    fn take(&mut self, want: u8) -> Result<(), Fault> {
        let byte = self.peek()?;
        if byte != want {
            return Err(Fault::Unexpected { at: self.at, byte });
        }
        self.at += 1;
        Ok(())
    }

    #[inline(never)]
    fn string(&mut self) -> Result<&'a str, Fault> {
        self.take(b'"')?;
        let start = self.at;
        while *self.text.get(self.at).ok_or(Fault::End)? != b'"' {
            self.at += 1;
        }
        let text = std::str::from_utf8(&self.text[start..self.at]).unwrap();
        self.at += 1;
        if self.longest.map_or(true, |l| l.len() < text.len()) {
            self.longest = Some(text);
        }
        Ok(text)
    }

    #[inline(never)]
    fn number(&mut self) -> Result<f64, Fault> {
        let start = self.at;
        while self.at < self.text.len() && matches!(self.text[self.at], b'0'..=b'9' | b'.' | b'-') {
            self.at += 1;
        }
        let text = std::str::from_utf8(&self.text[start..self.at]).unwrap();
        text.parse().map_err(|_| Fault::Unexpected { at: start, byte: self.text[start] })
    }

    #[inline(never)]
    fn list(&mut self) -> Result<Value, Fault> {
        let mut items = vector(4);
        self.take(b'[')?;
        while self.peek()? != b']' {
            items.push(self.value()?);
            name(&items);
            if self.peek()? == b',' {
                self.at += 1;
            }
        }
        self.at += 1;
        Ok(Value::List(items))
    }

    #[inline(never)]
    fn map(&mut self) -> Result<Value, Fault> {
        let mut map = BTreeMap::new();
        self.take(b'{')?;
        while self.peek()? != b'}' {
            let key = self.string()?.to_string();
            self.take(b':')?;
            map.insert(key, self.value()?);
            if self.peek()? == b',' {
                self.at += 1;
            }
        }
        self.at += 1;
        Ok(Value::Map(map))
    }

    #[inline(never)]
    fn value(&mut self) -> Result<Value, Fault> {
        self.depth += 1;
        if self.depth > 20 {
            return Err(Fault::TooDeep(self.depth));
        }
        let value = match self.peek()? {
            b'{' => self.map()?,
            b'[' => self.list()?,
            b'"' => Value::Text(self.string()?.to_string()),
            b't' => {
                self.at += 4;
                Value::Bool(true)
            }
            b'n' => {
                self.at += 4;
                Value::Null
            }
            _ => Value::Number(self.number()?),
        };
        self.depth -= 1;
        Ok(value)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Value::Null => write!(f, "null"),
            Value::Bool(b) => write!(f, "{}", b),
            Value::Number(n) => write!(f, "{}", n),
            Value::Text(t) => write!(f, "{:?}", t),
            Value::List(l) => l.iter().try_for_each(|v| write!(f, "{},", v)),
            Value::Map(m) => m.iter().try_for_each(|(k, v)| write!(f, "{}={};", k, v)),
        }
    }
}

#[inline(never)]
fn weigh(value: &Value) -> f64 {
    match value {
        Value::Number(n) => *n,
        Value::Text(t) => t.len() as f64,
        Value::List(l) => l.iter().map(weigh).sum(),
        Value::Map(m) => m.values().map(weigh).fold(0.0, f64::max),
        Value::Bool(b) => *b as u8 as f64,
        Value::Null => 0.0,
    }
}

#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
struct Posting {
    document: u32,
    position: u16,
    weight: f32,
}

#[derive(Default)]
struct Index {
    words: HashMap<String, Vec<Posting>>,
    lengths: Vec<u32>,
    total: u64,
}

trait Scorer {
    fn score(&self, postings: &[Posting], index: &Index) -> f64;
    fn bias(&mut self, _by: f64) {}
}

struct Frequency;

struct Weighted {
    factor: f64,
    bias: Cell<f32>,
}

impl Scorer for Frequency {
    fn score(&self, postings: &[Posting], _: &Index) -> f64 {
        postings.len() as f64
    }
}

impl Scorer for Weighted {
    fn score(&self, postings: &[Posting], index: &Index) -> f64 {
        let mut sum = 0.0;
        for p in postings {
            let length = index.lengths[p.document as usize] as f64;
            sum += self.factor * p.weight as f64 / length;
        }
        sum + self.bias.get() as f64
    }
    fn bias(&mut self, by: f64) {
        self.bias.set(self.bias.get() + by as f32);
    }
}

impl Index {
    #[inline(never)]
    fn add(&mut self, document: u32, text: &str) {
        let mut length = 0;
        for (position, word) in text.split_whitespace().enumerate() {
            let postings = self.words.entry(word.to_lowercase()).or_insert_with(|| vector(2));
            let weight = 1.0 / (position + 1) as f32;
            postings.push(Posting { document, position: position as u16, weight });
            name(postings);
            length += 1;
        }
        self.lengths.push(length);
        name(&self.lengths);
        self.total += length as u64;
    }

    #[inline(never)]
    fn best(&self, scorers: &[Box<dyn Scorer>]) -> Vec<(&str, f64)> {
        let mut found: Vec<(&str, f64)> = vector(self.words.len());
        for (word, postings) in &self.words {
            let score = scorers.iter().map(|s| s.score(postings, self)).sum();
            found.push((word.as_str(), score));
        }
        found.sort_by(|a, b| b.1.partial_cmp(&a.1).unwrap().then_with(|| a.0.cmp(b.0)));
        found
    }
}

struct Node {
    name: &'static str,
    size: u64,
    parent: RefCell<Weak<Node>>,
    children: RefCell<Vec<Rc<Node>>>,
}

#[inline(never)]
fn node(name: &'static str, size: u64) -> Rc<Node> {
    let parent = RefCell::new(Weak::new());
    let n = Rc::new(Node { name, size, parent, children: RefCell::new(vector(3)) });
    truth::say(Rc::as_ptr(&n), 1);
    n
}

#[inline(never)]
fn adopt(parent: &Rc<Node>, child: Rc<Node>) {
    *child.parent.borrow_mut() = Rc::downgrade(parent);
    parent.children.borrow_mut().push(child);
}

#[inline(never)]
fn sum_sizes(root: &Rc<Node>) -> (u64, usize) {
    let mut queue: VecDeque<Rc<Node>> = VecDeque::with_capacity(4);
    let (mut size, mut depth) = (0, 0);
    queue.push_back(root.clone());
    while let Some(n) = queue.pop_front() {
        size += n.size;
        for child in n.children.borrow().iter() {
            queue.push_back(child.clone());
        }
        if let Some(parent) = n.parent.borrow().upgrade() {
            depth += parent.name.len();
        }
    }
    (size, depth)
}

#[inline(never)]
fn smooth(values: &mut [f32], kernel: &[f32; 3]) -> f32 {
    let copy = values.to_vec();
    for (out, w) in values[1..].iter_mut().zip(copy.windows(3)) {
        *out = w.iter().zip(kernel).map(|(a, b)| a * b).sum();
    }
    values.chunks(4).map(|c| c.iter().copied().fold(0.0, f32::max)).sum()
}

fn main() {
    let text = r#"{"name": "a tree", "sizes": [1, 2.5, [3], -4], "deep": {"x": true, "y": null}}"#;
    let mut parser = Parser::new(text);
    let value = parser.value().unwrap();
    let fault = Parser::new("[1, 2").value().unwrap_err();
    let mut index = boxed(Index::default());
    let mut scorers: Vec<Box<dyn Scorer>> = vector(2);
    scorers.push(boxed(Frequency));
    scorers.push(boxed(Weighted { factor: 2.0, bias: Cell::new(0.5) }));
    for (i, line) in ["the cat and the dog", "a dog", "The end of a cat"].iter().enumerate() {
        index.add(i as u32, line);
    }
    for s in scorers.iter_mut() {
        s.bias(0.25);
    }
    let root = node("root", 1);
    for (name, size) in [("left", 10), ("right", 20), ("middle", 30)] {
        adopt(&root, node(name, size));
    }
    let mut values: Vec<f32> = vector(12);
    values.extend((0..12).map(|i| (i * 5 % 7) as f32));
    println!("{} {:?} {} {:?}", value, fault, weigh(&value), parser.longest);
    println!("{:?} {}", index.best(&scorers), index.total);
    println!("{:?} {}", sum_sizes(&root), smooth(&mut values, &[0.25, 0.5, 0.25]));
}
