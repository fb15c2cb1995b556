// SPDX-License-Identifier: GPL-2.0-or-later
// An order book and an expression tree: structs, enums with data, slices, generics, closures, traits.
#[path = "../runtime/truth.rs"]
mod truth;

use truth::{boxed, vector};

mod market {
    #[derive(Clone, Copy, PartialEq)]
    pub enum Side {
        Buy,
        Sell,
    }

    #[derive(Clone, Copy)]
    pub struct Order {
        pub id: u64,
        pub price: f64,
        pub amount: u32,
        pub side: Side,
    }

    pub struct Book {
        pub orders: Vec<Order>,
        pub last: Option<Box<Trade>>,
        pub volume: [u64; 4],
        pub name: &'static str,
    }

    pub struct Trade {
        pub order: Order,
        pub before: Option<Box<Trade>>,
        pub fee: u16,
    }
}

use market::{Book, Order, Side, Trade};

enum Expr {
    Number(i64),
    Add(Box<Expr>, Box<Expr>),
    Neg { inner: Box<Expr>, depth: u32 },
    Var(usize),
}

struct Node<T> {
    value: T,
    next: Option<Box<Node<T>>>,
}

struct Stack<T> {
    head: Option<Box<Node<T>>>,
    size: usize,
}

trait Account {
    fn balance(&self) -> i64;
    fn add(&mut self, amount: i64);
}

struct Plain {
    amount: i64,
    changes: u32,
}

struct Limited {
    amount: i64,
    limit: i64,
    refused: u16,
}

impl Account for Plain {
    fn balance(&self) -> i64 {
        self.amount
    }
    fn add(&mut self, amount: i64) {
        self.amount += amount;
        self.changes += 1;
    }
}

impl Account for Limited {
    fn balance(&self) -> i64 {
        self.amount.min(self.limit)
    }
    fn add(&mut self, amount: i64) {
        if self.amount + amount > self.limit {
            self.refused += 1;
        } else {
            self.amount += amount;
        }
    }
}

impl<T> Stack<T> {
    fn push(&mut self, value: T) {
        let next = self.head.take();
        self.head = Some(boxed(Node { value, next }));
        self.size += 1;
    }
    fn pop(&mut self) -> Option<T> {
        self.head.take().map(|node| {
            let node = *node;
            self.head = node.next;
            self.size -= 1;
            node.value
        })
    }
}

#[inline(never)]
fn eval(e: &Expr, vars: &[i64]) -> i64 {
    match e {
        Expr::Number(n) => *n,
        Expr::Add(a, b) => eval(a, vars).wrapping_add(eval(b, vars)),
        Expr::Neg { inner, depth } => -eval(inner, vars) - *depth as i64,
        Expr::Var(i) => vars[*i],
    }
}

#[inline(never)]
fn best(orders: &[Order], side: Side) -> Option<&Order> {
    let mut found: Option<&Order> = None;
    for o in orders {
        if o.side == side && found.map_or(true, |f| o.price > f.price) {
            found = Some(o);
        }
    }
    found
}

#[inline(never)]
fn trade(book: &mut Book, i: usize) {
    let order = book.orders[i];
    book.volume[i % 4] += order.amount as u64;
    book.orders[i].amount /= 2;
    let before = book.last.take();
    book.last = Some(boxed(Trade { order, before, fee: (i * 3) as u16 }));
}

#[inline(never)]
fn fees(book: &Book) -> u64 {
    let mut sum = 0;
    let mut at = &book.last;
    while let Some(t) = at {
        sum += t.fee as u64 * t.order.id;
        at = &t.before;
    }
    sum
}

#[inline(never)]
fn settle(accounts: &mut [Box<dyn Account>], by: i64) -> i64 {
    for a in accounts.iter_mut() {
        a.add(by);
    }
    accounts.iter().map(|a| a.balance()).sum()
}

#[inline(never)]
fn count<F: Fn(&Order) -> bool>(book: &Book, pred: F) -> usize {
    book.orders.iter().filter(|o| pred(o)).count()
}

#[inline(never)]
fn make(depth: u32) -> Box<Expr> {
    if depth == 0 {
        return boxed(Expr::Var(1));
    }
    if depth % 3 == 0 {
        return boxed(Expr::Neg { inner: make(depth - 1), depth });
    }
    boxed(Expr::Add(make(depth - 1), boxed(Expr::Number(depth as i64))))
}

fn main() {
    let mut book = boxed(Book { orders: vector(16), last: None, volume: [0; 4], name: "main" });
    let mut stack = boxed(Stack { head: None, size: 0 });
    let mut accounts: Vec<Box<dyn Account>> = vector(4);
    let mut vars: Vec<i64> = vector(3);
    for i in 0..12u64 {
        let side = if i % 3 == 0 { Side::Sell } else { Side::Buy };
        book.orders.push(Order { id: i, price: (i * 7 % 5) as f64, amount: 10 + i as u32, side });
    }
    for i in 0..6 {
        trade(&mut book, i * 2);
    }
    for i in 0..9i32 {
        stack.push((i, i as i64 * 3));
    }
    for i in 0..4i64 {
        if i % 2 == 0 {
            accounts.push(boxed(Plain { amount: i, changes: 0 }));
        } else {
            accounts.push(boxed(Limited { amount: i, limit: 50, refused: 0 }));
        }
        if i < 3 {
            vars.push(i * 11);
        }
    }
    let least = 12;
    let n = count(&book, |o| o.amount > least && o.side == Side::Buy);
    let top = best(&book.orders, Side::Buy).map_or(0, |o| o.id);
    let mut sum = 0;
    while let Some((a, b)) = stack.pop() {
        sum += a as i64 * b;
    }
    println!(
        "{} {} {} {} {} {} {}",
        fees(&book), n, top, sum, settle(&mut accounts, 40), eval(&make(8), &vars), book.name
    );
}
