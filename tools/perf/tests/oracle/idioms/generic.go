// SPDX-License-Identifier: GPL-2.0-or-later
// Generics: containers and functions over type parameters, constraints with methods.
package main

type number interface {
	~int | ~int32 | ~float64
}

type pair[K comparable, V any] struct {
	key   K
	value V
}

type list[T any] struct {
	first, last *element[T]
	size        int
}

type element[T any] struct {
	next  *element[T]
	value T
}

type ring[T any] struct {
	items      []T
	head, used int
}

type point struct{ x, y int32 }

func (l *list[T]) push(v T) {
	e := &element[T]{value: v}
	if l.last != nil {
		l.last.next = e
	} else {
		l.first = e
	}
	l.last = e
	l.size++
}

func (l *list[T]) each(f func(*T)) {
	for e := l.first; e != nil; e = e.next {
		f(&e.value)
	}
}

func (r *ring[T]) put(v T) bool {
	if r.used == len(r.items) {
		return false
	}
	r.items[(r.head+r.used)%len(r.items)] = v
	r.used++
	return true
}

func (r *ring[T]) take() (v T, ok bool) {
	if r.used == 0 {
		return v, false
	}
	v = r.items[r.head]
	r.head = (r.head + 1) % len(r.items)
	r.used--
	return v, true
}

//go:noinline
func sum[T number](values []T) (s T) {
	for _, v := range values {
		s += v
	}
	return
}

//go:noinline
func find[K comparable, V any](pairs []pair[K, V], key K) *pair[K, V] {
	for i := range pairs {
		if pairs[i].key == key {
			return &pairs[i]
		}
	}
	return nil
}

//go:noinline
func convert[A, B any](in []A, f func(A) B) []B {
	out := make([]B, 0, len(in))
	for _, a := range in {
		out = append(out, f(a))
	}
	return out
}

func main() {
	var points list[point]
	for i := int32(0); i < 6; i++ {
		points.push(point{i, i * i})
	}
	total := int32(0)
	points.each(func(p *point) { total += p.x + p.y })
	r := &ring[*point]{items: make([]*point, 4)}
	for e := points.first; e != nil; e = e.next {
		r.put(&e.value)
	}
	for p, ok := r.take(); ok; p, ok = r.take() {
		total += p.y
	}
	pairs := []pair[string, int]{{"one", 1}, {"two", 2}, {"three", 3}}
	two := find(pairs, "two")
	two.value += 40
	lengths := convert(pairs, func(p pair[string, int]) int { return len(p.key) + p.value })
	println(total, sum(lengths), int(sum([]float64{1, 2.5})), two.value)
}
