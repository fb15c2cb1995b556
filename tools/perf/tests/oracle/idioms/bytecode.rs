// SPDX-License-Identifier: GPL-2.0-or-later
// A compiler to byte code and its machine: trees of boxes, maps as sorted vectors, frames on a stack.
#[path = "../runtime/truth.rs"]
mod truth;

use std::hint::black_box;
use truth::{boxed, vector};

#[global_allocator]
static ALLOCATOR: truth::Allocator = truth::Allocator;

enum Expr {
    Number(i64),
    Name(u16),
    Binary { op: u8, left: Box<Expr>, right: Box<Expr> },
    If(Box<Expr>, Box<Expr>, Option<Box<Expr>>),
    Call { function: usize, argument: Box<Expr> },
}

#[derive(Clone, Copy)]
enum Op {
    Push(i64),
    Load(u16),
    Apply(u8),
    Branch(u32),
    Jump(u32),
    Call(u32),
    Return,
}

#[derive(Clone, Copy, Default)]
struct Frame {
    back: usize,
    base: usize,
    code: u32,
}

struct Code {
    ops: Vec<Op>,
    uses: u64,
    name: [u8; 8],
}

struct Machine {
    stack: [i64; 16],
    frames: [Frame; 6],
    top: usize,
    depth: usize,
    globals: Vec<(u16, i64)>,
    steps: u64,
    codes: Vec<Code>,
}

#[inline(never)]
fn compile(e: &Expr, code: &mut Vec<Op>) {
    match e {
        Expr::Number(n) => code.push(Op::Push(*n)),
        Expr::Name(n) => code.push(Op::Load(*n)),
        Expr::Binary { op, left, right } => {
            compile(left, code);
            compile(right, code);
            code.push(Op::Apply(*op));
        }
        Expr::If(c, a, b) => {
            compile(c, code);
            let branch = code.len();
            code.push(Op::Branch(0));
            compile(a, code);
            let jump = code.len();
            code.push(Op::Jump(0));
            code[branch] = Op::Branch(code.len() as u32);
            match b {
                Some(b) => compile(b, code),
                None => code.push(Op::Push(0)),
            }
            code[jump] = Op::Jump(code.len() as u32);
        }
        Expr::Call { function, argument } => {
            compile(argument, code);
            code.push(Op::Call(*function as u32));
        }
    }
}

impl Machine {
    fn push(&mut self, x: i64) {
        self.stack[self.top] = x;
        self.top += 1;
    }

    fn pop(&mut self) -> i64 {
        self.top -= 1;
        self.stack[self.top]
    }

    #[inline(never)]
    fn lookup(&self, name: u16) -> i64 {
        if name == 0 && self.depth > 0 {
            return self.stack[self.frames[self.depth - 1].base];
        }
        match self.globals.binary_search_by_key(&name, |g| g.0) {
            Ok(i) => self.globals[i].1,
            Err(_) => -1,
        }
    }

    #[inline(never)]
    fn define(&mut self, name: u16, value: i64) {
        match self.globals.binary_search_by_key(&name, |g| g.0) {
            Ok(i) => self.globals[i].1 = value,
            Err(i) => self.globals.insert(i, (name, value)),
        }
    }

    #[inline(never)]
    fn leave(&mut self) -> Option<Frame> {
        self.depth -= 1;
        let f = self.frames[self.depth];
        let result = self.pop();
        self.top = f.base;
        self.push(result);
        if self.depth == 0 { None } else { Some(f) }
    }

    #[inline(never)]
    fn run(&mut self, start: u32, argument: i64) -> i64 {
        let (mut code, mut at) = (start, 0usize);
        self.top = 0;
        self.depth = 1;
        self.frames[0] = Frame { back: 0, base: 0, code: start };
        self.push(argument);
        loop {
            self.steps += 1;
            let op = self.codes[code as usize].ops[at];
            at += 1;
            match op {
                Op::Push(n) => self.push(n),
                Op::Load(n) => {
                    let x = self.lookup(n);
                    self.push(x)
                }
                Op::Apply(op) => {
                    let b = self.pop();
                    let a = self.pop();
                    self.push(match op {
                        b'+' => a + b,
                        b'-' => a - b,
                        b'*' => a.wrapping_mul(b),
                        _ => (a < b) as i64,
                    })
                }
                Op::Branch(to) => {
                    if self.pop() == 0 {
                        at = to as usize;
                    }
                }
                Op::Jump(to) => at = to as usize,
                Op::Call(f) => {
                    self.frames[self.depth] = Frame { back: at, base: self.top - 1, code };
                    self.depth += 1;
                    self.codes[f as usize].uses += 1;
                    code = f;
                    at = 0;
                }
                Op::Return => match self.leave() {
                    Some(f) => {
                        at = f.back;
                        code = f.code;
                    }
                    None => return self.pop(),
                },
            }
        }
    }
}

#[inline(never)]
fn depth(e: &Expr) -> usize {
    match e {
        Expr::Binary { left, right, .. } => 1 + depth(left).max(depth(right)),
        Expr::If(a, b, Some(c)) => 1 + depth(a).max(depth(b)).max(depth(c)),
        Expr::If(a, b, None) => 1 + depth(a).max(depth(b)),
        Expr::Call { argument, .. } => 1 + depth(argument),
        _ => 1,
    }
}

fn binary(op: u8, left: Expr, right: Expr) -> Expr {
    Expr::Binary { op, left: boxed(left), right: boxed(right) }
}

fn main() {
    // f(n) = if n < 1 then k else n * f(n - 1) + g
    let body = Expr::If(
        boxed(binary(b'<', Expr::Name(0), Expr::Number(1))),
        boxed(Expr::Name(3)),
        Some(boxed(binary(
            b'+',
            binary(b'*', Expr::Name(0), Expr::Call { function: 0, argument: boxed(binary(b'-', Expr::Name(0), Expr::Number(1))) }),
            Expr::Name(2),
        ))),
    );
    let mut m = boxed(Machine {
        stack: [0; 16],
        frames: [Frame::default(); 6],
        top: 0,
        depth: 0,
        globals: vector(8),
        steps: 0,
        codes: vector(2),
    });
    let mut ops = vector(32);
    compile(black_box(&body), &mut ops);
    ops.push(Op::Return);
    m.codes.push(Code { ops, uses: 0, name: *b"factor__" });
    for i in [3u16, 1, 2, 5, 2] {
        m.define(black_box(i), i as i64 * 2);
    }
    let mut sum = 0;
    for n in 0..4 {
        sum += m.run(0, black_box(n));
    }
    println!("{} {} {} {} {}", sum, m.steps, depth(&body), m.codes[0].uses, m.codes[0].name[0]);
}
