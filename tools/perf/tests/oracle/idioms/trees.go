// SPDX-License-Identifier: GPL-2.0-or-later
// A binary search tree: nodes on the heap, recursion, a stack in a slice.
package main

type node struct {
	key         int
	left, right *node
	hits        uint32
	name        string
}

type tree struct {
	root *node
	size int
}

func (t *tree) insert(key int, name string) *node {
	at := &t.root
	for *at != nil {
		n := *at
		if key == n.key {
			n.hits++
			return n
		}
		if key < n.key {
			at = &n.left
		} else {
			at = &n.right
		}
	}
	*at = &node{key: key, name: name}
	t.size++
	return *at
}

func (n *node) height() int {
	if n == nil {
		return 0
	}
	l, r := n.left.height(), n.right.height()
	if l > r {
		return l + 1
	}
	return r + 1
}

func (t *tree) sum() (keys int, hits uint32) {
	stack := []*node{t.root}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n == nil {
			continue
		}
		keys += n.key
		hits += n.hits
		stack = append(stack, n.left, n.right)
	}
	return
}

//go:noinline
func rotate(n *node) *node {
	r := n.right
	n.right, r.left = r.left, n
	return r
}

func (t *tree) find(key int) (*node, bool) {
	for n := t.root; n != nil; {
		switch {
		case key < n.key:
			n = n.left
		case key > n.key:
			n = n.right
		default:
			return n, true
		}
	}
	return nil, false
}

func main() {
	t := &tree{}
	for i := 0; i < 40; i++ {
		t.insert(i*7919%101, "node")
	}
	if t.root.right != nil {
		t.root = rotate(t.root)
	}
	n, found := t.find(7919 % 101)
	keys, hits := t.sum()
	println(t.root.height(), keys, hits, found, len(n.name), t.size)
}
