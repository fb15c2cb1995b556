// SPDX-License-Identifier: GPL-2.0-or-later
// Frames: objects on the stack whose address is passed on, large frames, values that calls spill, many results, recursion with arrays.
package main

type vector struct{ x, y, z float64 }

type box struct {
	low, high vector
	name      string
	inside    int
}

type scan struct {
	stack [32]*node
	depth int
	best  box
	trace [8]uint16
}

type node struct {
	bounds      box
	left, right *node
	weight      int32
}

//go:noinline
func (v *vector) grow(by float64) {
	v.x += by
	v.y += by
	v.z += by
}

//go:noinline
func (v vector) plus(w vector) vector { return vector{v.x + w.x, v.y + w.y, v.z + w.z} }

//go:noinline
func around(a, b box) (r box, volume float64, grown bool) {
	r = a
	if b.low.x < r.low.x {
		r.low.x = b.low.x
		grown = true
	}
	if b.high.y > r.high.y {
		r.high = b.high
		grown = true
	}
	volume = (r.high.x - r.low.x) * (r.high.y - r.low.y) * (r.high.z - r.low.z)
	r.inside = a.inside + b.inside
	return
}

//go:noinline
func weigh(n *node, factor, shift int, names []string, seen *[4]int) (total int, deepest string) {
	if n == nil {
		return shift, names[0]
	}
	l, a := weigh(n.left, factor+1, shift, names, seen)
	seen[factor&3] += l
	r, b := weigh(n.right, factor, shift+1, names[1:], seen)
	seen[shift&3] += r
	if l > r {
		return l + int(n.weight)*factor, a
	}
	return r + int(n.weight)*factor, b
}

//go:noinline
func search(root *node, at vector) (found box, steps int) {
	var s scan
	s.stack[0] = root
	s.depth = 1
	for s.depth > 0 {
		s.depth--
		n := s.stack[s.depth]
		s.trace[steps&7] = uint16(n.weight)
		steps++
		if at.x < n.bounds.low.x || at.x > n.bounds.high.x {
			continue
		}
		s.best = n.bounds
		if n.left != nil {
			s.stack[s.depth] = n.left
			s.depth++
		}
		if n.right != nil {
			s.stack[s.depth] = n.right
			s.depth++
		}
	}
	return s.best, steps + int(s.trace[0])
}

//go:noinline
func build(depth int, low, high vector) *node {
	if depth == 0 {
		return nil
	}
	n := &node{weight: int32(depth), bounds: box{low: low, high: high, name: "box", inside: depth}}
	middle := low.plus(high)
	middle.x, middle.y, middle.z = middle.x/2, middle.y/2, middle.z/2
	wider := middle
	wider.grow(0.25)
	n.left = build(depth-1, low, wider)
	n.right = build(depth-1, middle, high)
	return n
}

func main() {
	root := build(4, vector{0, 0, 0}, vector{8, 4, 2})
	var seen [4]int
	total, name := weigh(root, 1, 2, []string{"a", "b", "c", "d", "e", "f"}, &seen)
	found, steps := search(root, vector{5, 1, 1})
	all, volume, grown := around(found, root.bounds)
	println(total, name, steps, all.inside, int(volume), grown, seen[1], all.name)
}
