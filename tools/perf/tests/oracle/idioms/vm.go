// SPDX-License-Identifier: GPL-2.0-or-later
// A virtual machine: instructions in a slice, a stack, frames, a table of functions, tagged values.
package main

type tag uint8

const (
	nothing tag = iota
	integer
	pair
	function
)

type value struct {
	tag tag
	num int64
	ref *cell
}

type cell struct {
	head, tail value
	marked     bool
}

type instruction struct {
	op   uint8
	a, b int16
	arg  int64
}

type frame struct {
	code   []instruction
	pc     int
	base   int
	caller *frame
}

type machine struct {
	stack  []value
	top    *frame
	heap   []*cell
	ops    [8]func(*machine, *instruction)
	counts [8]uint32
	ended  bool
}

func (m *machine) push(v value) { m.stack = append(m.stack, v) }
func (m *machine) pop() value {
	v := m.stack[len(m.stack)-1]
	m.stack = m.stack[:len(m.stack)-1]
	return v
}

func constant(m *machine, i *instruction) { m.push(value{tag: integer, num: i.arg}) }
func add(m *machine, i *instruction) {
	b, a := m.pop(), m.pop()
	m.push(value{tag: integer, num: a.num + b.num})
}
func cons(m *machine, i *instruction) {
	c := &cell{tail: m.pop(), head: m.pop()}
	m.heap = append(m.heap, c)
	m.push(value{tag: pair, ref: c})
}
func jump(m *machine, i *instruction) {
	top := &m.stack[len(m.stack)-1]
	top.num--
	if top.num > 0 {
		m.top.pc = int(i.a)
	}
}
func call(m *machine, i *instruction) {
	m.top = &frame{code: m.top.code, pc: int(i.a), base: len(m.stack), caller: m.top}
}
func back(m *machine, i *instruction) {
	m.top = m.top.caller
	m.ended = m.top == nil
}

func (m *machine) run() {
	for !m.ended {
		f := m.top
		i := &f.code[f.pc]
		f.pc++
		m.counts[i.op]++
		m.ops[i.op](m, i)
	}
}

//go:noinline
func (m *machine) mark(v value) (n int) {
	for v.tag == pair && !v.ref.marked {
		v.ref.marked = true
		n++
		n += m.mark(v.ref.head)
		v = v.ref.tail
	}
	return
}

func main() {
	m := &machine{ops: [8]func(*machine, *instruction){constant, add, cons, jump, call, back}}
	code := []instruction{{op: 0, arg: 5}, {op: 4, a: 6}, {op: 3, a: 1}, {op: 0, arg: 1}, {op: 2}, {op: 5},
		{op: 0, arg: 2}, {op: 0, arg: 40}, {op: 1}, {op: 0, arg: 9}, {op: 2}, {op: 2}, {op: 0, arg: 1}, {op: 5}}
	m.push(value{tag: integer, num: 3})
	m.top = &frame{code: code}
	for steps := 0; steps < 60 && !m.ended; steps++ {
		f := m.top
		i := &f.code[f.pc]
		f.pc++
		m.counts[i.op]++
		m.ops[i.op](m, i)
	}
	n := 0
	for _, v := range m.stack {
		n += m.mark(v)
	}
	m.run()
	println(n, len(m.heap), m.counts[0], len(m.stack))
}
