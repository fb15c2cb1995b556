// SPDX-License-Identifier: GPL-2.0-or-later
// Large structures that are copied and cleared (duff devices), arrays of structures by value, comparisons of structures.
package main

type entry struct {
	account int64
	amounts [6]int64
	flags   uint8
	note    string
}

type page struct {
	rows  [4]entry
	used  int
	next  *page
	total float64
}

type book struct {
	first, last *page
	pages       int32
	closed      bool
}

type key struct {
	kind uint16
	id   int32
	sub  int64
}

//go:noinline
func (b *book) write(e entry) *entry {
	if b.last == nil || b.last.used == len(b.last.rows) {
		p := &page{}
		if b.last == nil {
			b.first = p
		} else {
			b.last.next = p
		}
		b.last = p
		b.pages++
	}
	p := b.last
	p.rows[p.used] = e
	p.used++
	return &p.rows[p.used-1]
}

//go:noinline
func copyOf(p *page) page { return *p }

//go:noinline
func clear(p *page) {
	next := p.next
	*p = page{}
	p.next = next
}

//go:noinline
func find(keys []key, k key) int {
	for i := range keys {
		if keys[i] == k {
			return i
		}
	}
	return -1
}

func main() {
	b := &book{}
	for i := int64(0); i < 10; i++ {
		e := entry{account: i, note: "opening"}
		for j := range e.amounts {
			e.amounts[j] = i * int64(j)
		}
		stored := b.write(e)
		stored.flags |= uint8(i)
	}
	var sum int64
	for p := b.first; p != nil; p = p.next {
		c := copyOf(p)
		for i := 0; i < c.used; i++ {
			sum += c.rows[i].amounts[2] + int64(len(c.rows[i].note))
		}
		p.total = float64(sum)
	}
	clear(b.first)
	b.closed = b.first.used == 0
	println(sum, b.pages, b.closed, find([]key{{1, 2, 3}, {4, 5, 6}}, key{4, 5, 6}))
}
