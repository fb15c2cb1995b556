// SPDX-License-Identifier: GPL-2.0-or-later
// Tries and graphs: arrays of pointers in nodes, depth-first search, bit sets, sorting by keys.
package main

import "sort"

type trie struct {
	kids  [26]*trie
	count int
	end   bool
}

type edge struct {
	to     *vertex
	weight int32
}

type vertex struct {
	name  string
	edges []edge
	dist  int32
	done  bool
	prev  *vertex
}

type graph struct {
	vertices map[string]*vertex
	order    []*vertex
	steps    int
}

type bits []uint64

func (b bits) set(i int)      { b[i>>6] |= 1 << (uint(i) & 63) }
func (b bits) has(i int) bool { return b[i>>6]&(1<<(uint(i)&63)) != 0 }

func (t *trie) add(word string) {
	for i := 0; i < len(word); i++ {
		k := &t.kids[word[i]-'a']
		if *k == nil {
			*k = &trie{}
		}
		t = *k
		t.count++
	}
	t.end = true
}

func (t *trie) walk(depth int, f func(depth, count int)) {
	if t.end {
		f(depth, t.count)
	}
	for _, k := range t.kids {
		if k != nil {
			k.walk(depth+1, f)
		}
	}
}

func (g *graph) vertex(name string) *vertex {
	v, ok := g.vertices[name]
	if !ok {
		v = &vertex{name: name, dist: 1 << 30}
		g.vertices[name] = v
		g.order = append(g.order, v)
	}
	return v
}

func (g *graph) connect(a, b string, w int32) {
	x, y := g.vertex(a), g.vertex(b)
	x.edges = append(x.edges, edge{y, w})
	y.edges = append(y.edges, edge{x, w})
}

func (g *graph) nearest() *vertex {
	var best *vertex
	for _, v := range g.order {
		if !v.done && (best == nil || v.dist < best.dist) {
			best = v
		}
	}
	return best
}

func (g *graph) shortest(from string) {
	g.vertex(from).dist = 0
	for v := g.nearest(); v != nil; v = g.nearest() {
		v.done = true
		for _, e := range v.edges {
			g.steps++
			if d := v.dist + e.weight; d < e.to.dist {
				e.to.dist = d
				e.to.prev = v
			}
		}
	}
}

func main() {
	t := &trie{}
	for _, w := range []string{"tea", "ten", "to", "inn", "in", "i", "tent"} {
		t.add(w)
	}
	sum := 0
	t.walk(0, func(depth, count int) { sum += depth * count })
	g := &graph{vertices: map[string]*vertex{}}
	for i, p := range []string{"ab", "bc", "cd", "ad", "de", "be"} {
		g.connect(p[:1], p[1:], int32(i*7%5+1))
	}
	g.shortest("a")
	sort.Slice(g.order, func(i, j int) bool { return g.order[i].dist > g.order[j].dist })
	b := make(bits, 4)
	for _, v := range g.order {
		b.set(int(v.dist) * 7)
	}
	far := 0
	for v := g.order[0]; v != nil; v = v.prev {
		far += int(v.dist)
	}
	println(sum, g.steps, far, b.has(7), b.has(14))
}
