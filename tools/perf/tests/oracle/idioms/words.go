// SPDX-License-Identifier: GPL-2.0-or-later
// Maps and strings: counts, groups, keys that are structures, ranges over maps.
package main

import (
	"sort"
	"strings"
)

type entry struct {
	word  string
	count int
	lines []int
}

type place struct{ x, y int16 }

type index struct {
	entries map[string]*entry
	byPlace map[place]int
	total   int
}

func (ix *index) add(word string, line int) {
	e := ix.entries[word]
	if e == nil {
		e = &entry{word: word}
		ix.entries[word] = e
	}
	e.count++
	e.lines = append(e.lines, line)
	ix.byPlace[place{int16(line), int16(len(word))}]++
	ix.total++
}

func (ix *index) best() []*entry {
	var all []*entry
	for _, e := range ix.entries {
		all = append(all, e)
	}
	sort.Slice(all, func(i, j int) bool {
		if all[i].count != all[j].count {
			return all[i].count > all[j].count
		}
		return all[i].word < all[j].word
	})
	return all
}

//go:noinline
func split(text string) (words []string) {
	begin := -1
	for i := 0; i < len(text); i++ {
		letter := text[i] >= 'a' && text[i] <= 'z'
		if letter && begin < 0 {
			begin = i
		} else if !letter && begin >= 0 {
			words = append(words, text[begin:i])
			begin = -1
		}
	}
	if begin >= 0 {
		words = append(words, text[begin:])
	}
	return
}

//go:noinline
func hash(s string) (h uint32) {
	for _, r := range s {
		h = h*31 + uint32(r)
	}
	return
}

func main() {
	ix := &index{entries: map[string]*entry{}, byPlace: make(map[place]int)}
	text := "the cat and the dog\nand the bird and the cat\nsaw a cat"
	for n, line := range strings.Split(text, "\n") {
		for _, w := range split(line) {
			ix.add(w, n)
		}
	}
	sum := 0
	for p, n := range ix.byPlace {
		sum += n * int(p.x+p.y)
	}
	var h uint32
	for _, e := range ix.best() {
		h ^= hash(e.word) * uint32(len(e.lines))
	}
	println(ix.total, sum, h)
}
