// SPDX-License-Identifier: GPL-2.0-or-later
// Generic trees, heaps and functions with dictionaries: methods of constraints, several instances of one shape, closures over type parameters.
package main

type ordered interface {
	~int | ~int64 | ~string | ~float32
}

type lesser[T any] interface{ less(T) bool }

type branch[K ordered, V any] struct {
	key         K
	value       V
	left, right *branch[K, V]
	size        int32
}

type tree[K ordered, V any] struct {
	root    *branch[K, V]
	changed func(K, *V)
	inserts int
}

type heap[T lesser[T]] struct {
	items []T
	swaps int
}

type task struct {
	due  int64
	name string
	cost float32
}

type user struct {
	id    int
	quota [3]int16
}

type optional[T any] struct {
	value T
	ok    bool
}

func (t *task) less(o *task) bool { return t.due < o.due }
func (u user) less(o user) bool   { return u.quota[1] < o.quota[1] }

func (t *tree[K, V]) at(k K) *V {
	p := &t.root
	for *p != nil {
		b := *p
		b.size++
		switch {
		case k < b.key:
			p = &b.left
		case b.key < k:
			p = &b.right
		default:
			return &b.value
		}
	}
	b := &branch[K, V]{key: k, size: 1}
	*p = b
	t.inserts++
	if t.changed != nil {
		t.changed(k, &b.value)
	}
	return &b.value
}

func (b *branch[K, V]) walk(visit func(K, V) bool) bool {
	return b == nil || (b.left.walk(visit) && visit(b.key, b.value) && b.right.walk(visit))
}

func (h *heap[T]) push(item T) {
	h.items = append(h.items, item)
	for i := len(h.items) - 1; i > 0; {
		up := (i - 1) / 2
		if !h.items[i].less(h.items[up]) {
			break
		}
		h.items[i], h.items[up] = h.items[up], h.items[i]
		h.swaps++
		i = up
	}
}

func (h *heap[T]) top() (o optional[T]) {
	if len(h.items) > 0 {
		o.value, o.ok = h.items[0], true
	}
	return
}

//go:noinline
func fold[T, R any](in []T, start R, f func(R, *T) R) R {
	for i := range in {
		start = f(start, &in[i])
	}
	return start
}

//go:noinline
func largest[T ordered](in ...T) (most T) {
	for i, v := range in {
		if i == 0 || most < v {
			most = v
		}
	}
	return
}

//go:noinline
func keep[T any](in []T, wanted func(*T) bool) (out []optional[T]) {
	for i := range in {
		out = append(out, optional[T]{in[i], wanted(&in[i])})
	}
	return
}

func main() {
	t := &tree[string, *task]{changed: func(k string, v **task) { *v = &task{name: k, due: int64(len(k))} }}
	for _, k := range []string{"wash", "cook", "sleep", "eat", "cook", "read"} {
		(*t.at(k)).cost += 1.5
	}
	numbers := &tree[int, user]{}
	for i := 0; i < 7; i++ {
		u := numbers.at(i * 5 % 7)
		u.id = i
		u.quota[1] = int16(i * 3 % 5)
	}
	tasks := &heap[*task]{}
	t.root.walk(func(k string, v *task) bool { tasks.push(v); return true })
	users := &heap[user]{}
	numbers.root.walk(func(k int, u user) bool { users.push(u); return k < 5 })
	cost := fold(tasks.items, float32(0), func(sum float32, t **task) float32 { return sum + (*t).cost })
	ids := fold(users.items, 0, func(sum int, u *user) int { return sum + u.id })
	kept := keep(users.items, func(u *user) bool { return u.quota[1] > 1 })
	o := tasks.top()
	println(int(cost), ids, o.ok, o.value.name, users.top().value.id, largest(3, 9, 4), largest("a", "c"), len(kept), kept[2].ok, t.inserts)
}
