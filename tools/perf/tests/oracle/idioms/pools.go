// SPDX-License-Identifier: GPL-2.0-or-later
// sync.Pool, sync.Once, sync.Map, RWMutex; atomic pointers, values and counters; a lock-free stack; copy on write.
package main

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

type buffer struct {
	data []byte
	used int
	next *buffer
}

type config struct {
	limit int32
	names []string
	rate  float64
}

type slot struct {
	value int64
	below unsafe.Pointer
}

type service struct {
	mu      sync.RWMutex
	once    sync.Once
	pool    sync.Pool
	current atomic.Value
	head    unsafe.Pointer
	hits    uint64
	misses  int32
	shared  sync.Map
	table   map[string]*buffer
	first   *config
}

//go:noinline
func (s *service) get(n int) *buffer {
	b, ok := s.pool.Get().(*buffer)
	if !ok || b == nil {
		b = &buffer{data: make([]byte, 32)}
		atomic.AddInt32(&s.misses, 1)
	}
	b.used = n
	atomic.AddUint64(&s.hits, 2)
	return b
}

//go:noinline
func (s *service) put(b *buffer) {
	b.used, b.next = 0, nil
	s.pool.Put(b)
}

//go:noinline
func (s *service) push(v int64) {
	n := &slot{value: v}
	for {
		old := atomic.LoadPointer(&s.head)
		n.below = old
		if atomic.CompareAndSwapPointer(&s.head, old, unsafe.Pointer(n)) {
			return
		}
	}
}

//go:noinline
func (s *service) pop() (int64, bool) {
	for {
		top := (*slot)(atomic.LoadPointer(&s.head))
		if top == nil {
			return 0, false
		}
		if atomic.CompareAndSwapPointer(&s.head, unsafe.Pointer(top), top.below) {
			return top.value, true
		}
	}
}

//go:noinline
func (s *service) configure(limit int32, name string) *config {
	old, _ := s.current.Load().(*config)
	c := &config{limit: limit, rate: float64(limit) / 4}
	if old != nil {
		c.names = append(c.names, old.names...)
	}
	c.names = append(c.names, name)
	s.current.Store(c)
	s.once.Do(func() { s.first = c })
	return c
}

//go:noinline
func (s *service) find(name string) *buffer {
	s.mu.RLock()
	b := s.table[name]
	s.mu.RUnlock()
	if b != nil {
		return b
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	b = s.get(len(name))
	s.table[name] = b
	s.shared.Store(name, b)
	return b
}

func main() {
	s := &service{table: map[string]*buffer{}}
	s.pool.New = func() interface{} { return &buffer{data: make([]byte, 16)} }
	kept := s.get(3)
	kept.next = s.get(4)
	kept.data[2] = 7
	s.put(kept.next)
	for i := int64(0); i < 5; i++ {
		s.push(i * i)
	}
	var sum int64
	for v, ok := s.pop(); ok; v, ok = s.pop() {
		sum = sum*3 + v
	}
	s.configure(8, "a")
	c := s.configure(16, "b")
	x, y := s.find("long name"), s.find("long name")
	x.used++
	v, ok := s.shared.Load("long name")
	println(sum, c.rate > 3, len(c.names), s.first.limit, x == y, ok, v.(*buffer).used, s.hits)
}
