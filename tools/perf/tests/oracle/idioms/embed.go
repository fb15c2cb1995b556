// SPDX-License-Identifier: GPL-2.0-or-later
// Embedding: promoted fields and methods, embedded pointers and interfaces, shadowing.
package main

type base struct {
	id    int
	flags uint16
}

func (b *base) mark(f uint16) { b.flags |= f }
func (b base) ident() int     { return b.id*10 + int(b.flags) }

type stamp struct{ made, changed int64 }

func (s *stamp) touch(now int64) { s.changed = now }

type account struct {
	base
	*stamp
	owner   string
	balance float64
	history [4]entry
	next    *account
}

type entry struct {
	amount float64
	kind   byte
	ref    *account
}

type valuer interface{ value() float64 }

type frozen struct {
	valuer
	reason string
	factor float32
}

func (a *account) value() float64 { return a.balance }

func (f *frozen) value() float64 { return f.valuer.value() * float64(f.factor) }

//go:noinline
func transfer(from, to *account, amount float64, now int64) bool {
	if from.balance < amount {
		from.mark(4)
		return false
	}
	from.balance -= amount
	to.balance += amount
	from.touch(now)
	to.touch(now + 1)
	slot := int(now) % len(from.history)
	from.history[slot] = entry{-amount, 'o', to}
	to.history[slot] = entry{amount, 'i', from}
	return true
}

//go:noinline
func audit(a *account) (sum float64, partners int) {
	for ; a != nil; a = a.next {
		for i := range a.history {
			e := &a.history[i]
			if e.ref != nil {
				sum += e.amount * float64(e.ref.id)
				partners++
			}
		}
		sum += float64(a.changed - a.made)
	}
	return
}

func main() {
	var first *account
	var all []*account
	for i := 0; i < 4; i++ {
		a := &account{base: base{id: i}, stamp: &stamp{made: int64(i)}, owner: "x", balance: 100}
		a.next = first
		first = a
		all = append(all, a)
	}
	done := 0
	for i := 0; i < 9; i++ {
		if transfer(all[i%4], all[(i*3+1)%4], float64(20*i), int64(i)) {
			done++
		}
	}
	sum, n := audit(first)
	f := &frozen{valuer: all[1], factor: 0.5}
	println(done, int(sum), n, int(f.value()), first.ident(), all[0].ident())
}
