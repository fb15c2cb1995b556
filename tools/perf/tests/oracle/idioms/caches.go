// SPDX-License-Identifier: GPL-2.0-or-later
// Doubly linked lists with maps of pointers, generic containers with methods, functions as fields.
package main

type item[K comparable, V any] struct {
	key        K
	value      V
	prev, next *item[K, V]
	hits       int
}

type cache[K comparable, V any] struct {
	items      map[K]*item[K, V]
	head, tail *item[K, V]
	limit      int
	evicted    func(K, V)
	stats      struct{ hits, misses uint32 }
}

type session struct {
	user  string
	ttl   int16
	score float32
}

func newCache[K comparable, V any](limit int, evicted func(K, V)) *cache[K, V] {
	return &cache[K, V]{items: map[K]*item[K, V]{}, limit: limit, evicted: evicted}
}

func (c *cache[K, V]) unlink(i *item[K, V]) {
	if i.prev != nil {
		i.prev.next = i.next
	} else {
		c.head = i.next
	}
	if i.next != nil {
		i.next.prev = i.prev
	} else {
		c.tail = i.prev
	}
	i.prev, i.next = nil, nil
}

func (c *cache[K, V]) push(i *item[K, V]) {
	i.next = c.head
	if c.head != nil {
		c.head.prev = i
	}
	c.head = i
	if c.tail == nil {
		c.tail = i
	}
}

func (c *cache[K, V]) get(k K) (value V, ok bool) {
	i, ok := c.items[k]
	if !ok {
		c.stats.misses++
		return
	}
	c.stats.hits++
	i.hits++
	c.unlink(i)
	c.push(i)
	return i.value, true
}

func (c *cache[K, V]) put(k K, v V) {
	if len(c.items) == c.limit {
		last := c.tail
		c.unlink(last)
		delete(c.items, last.key)
		c.evicted(last.key, last.value)
	}
	i := &item[K, V]{key: k, value: v}
	c.items[k] = i
	c.push(i)
}

func main() {
	gone := 0
	c := newCache(3, func(id int, s *session) {
		gone += id
		s.ttl = 0
	})
	for i := 0; i < 6; i++ {
		c.put(i, &session{user: "someone", ttl: int16(i), score: 1.5})
		if s, ok := c.get(i / 2); ok {
			s.score *= 2
		}
	}
	names := newCache(2, func(name string, n int) { gone += n })
	names.put("a", 1)
	names.put("b", 2)
	names.get("a")
	names.put("c", 3)
	println(gone, c.stats.hits, c.stats.misses, names.stats.hits)
}
