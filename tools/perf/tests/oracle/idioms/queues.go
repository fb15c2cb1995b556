// SPDX-License-Identifier: GPL-2.0-or-later
// The library's containers with own types: heap.Interface, list.List, an LRU cache, bufio and bytes.
package main

import (
	"bytes"
	"container/heap"
	"container/list"
	"strings"
)

type job struct {
	due   int64
	name  string
	index int
	deps  []*job
}

type jobs []*job

func (q jobs) Len() int            { return len(q) }
func (q jobs) Less(i, j int) bool  { return q[i].due < q[j].due }
func (q jobs) Swap(i, j int)       { q[i], q[j] = q[j], q[i]; q[i].index, q[j].index = i, j }
func (q *jobs) Push(x interface{}) { j := x.(*job); j.index = len(*q); *q = append(*q, j) }
func (q *jobs) Pop() interface{} {
	old := *q
	j := old[len(old)-1]
	*q = old[:len(old)-1]
	return j
}

type item struct {
	key   string
	value int
}

type cache struct {
	order *list.List
	items map[string]*list.Element
	limit int
	hits  int
}

func (c *cache) get(key string) (int, bool) {
	if e, ok := c.items[key]; ok {
		c.order.MoveToFront(e)
		c.hits++
		return e.Value.(*item).value, true
	}
	return 0, false
}

func (c *cache) put(key string, value int) {
	c.items[key] = c.order.PushFront(&item{key, value})
	if c.order.Len() > c.limit {
		last := c.order.Back()
		delete(c.items, last.Value.(*item).key)
		c.order.Remove(last)
	}
}

type upper struct {
	r     *strings.Reader
	bytes int
}

func (u *upper) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	for i := 0; i < n; i++ {
		if p[i] >= 'a' && p[i] <= 'z' {
			p[i] -= 'a' - 'A'
		}
	}
	u.bytes += n
	return n, err
}

func main() {
	q := &jobs{}
	for i := 0; i < 12; i++ {
		j := &job{due: int64(i * 37 % 11), name: "job"}
		if len(*q) > 0 {
			j.deps = append(j.deps, (*q)[0])
		}
		heap.Push(q, j)
	}
	var order int64
	for q.Len() > 0 {
		j := heap.Pop(q).(*job)
		order = order*3 + j.due + int64(len(j.deps))
	}
	c := &cache{order: list.New(), items: map[string]*list.Element{}, limit: 3}
	for i, w := range strings.Fields("a b c a d e a b a") {
		if _, ok := c.get(w); !ok {
			c.put(w, i)
		}
	}
	var out bytes.Buffer
	u := &upper{r: strings.NewReader("a text of some words")}
	out.ReadFrom(u)
	println(order, c.hits, out.String(), u.bytes)
}
