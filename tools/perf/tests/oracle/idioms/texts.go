// SPDX-License-Identifier: GPL-2.0-or-later
// Strings and bytes: conversions with and without copies, runes, builders, joins, comparisons, slices of strings, strings as keys.
package main

import (
	"strconv"
	"strings"
	"unsafe"
)

type token struct {
	text string
	kind uint8
	line uint16
}

type source struct {
	raw   []byte
	runes []rune
	at    int
	toks  []token
	words map[string]int
}

type text struct {
	parts  [3]string
	buffer strings.Builder
	marks  []struct{ from, to int }
}

//go:noinline
func (s *source) scan() {
	line := uint16(1)
	for s.at < len(s.raw) {
		c := s.raw[s.at]
		begin := s.at
		switch {
		case c == '\n':
			line++
			s.at++
			continue
		case c == ' ':
			s.at++
			continue
		}
		for s.at < len(s.raw) && s.raw[s.at] > ' ' {
			s.at++
		}
		t := token{text: string(s.raw[begin:s.at]), line: line}
		if n, err := strconv.Atoi(t.text); err == nil {
			t.kind = uint8(n)
		}
		s.toks = append(s.toks, t)
		s.words[string(s.raw[begin:s.at])]++
	}
}

//go:noinline
func reverse(in string) string {
	r := []rune(in)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}

//go:noinline
func upper(b []byte) (changed int) {
	for i, c := range b {
		if 'a' <= c && c <= 'z' {
			b[i] = c - 32
			changed++
		}
	}
	return
}

//go:noinline
func view(b []byte) string { return *(*string)(unsafe.Pointer(&b)) }

//go:noinline
func (t *text) add(tokens []token) int {
	for i := range tokens {
		tok := &tokens[i]
		from := t.buffer.Len()
		t.parts[i%3] += tok.text + ","
		t.buffer.WriteString(tok.text)
		t.buffer.WriteByte(tok.kind + 'a')
		t.marks = append(t.marks, struct{ from, to int }{from, t.buffer.Len()})
	}
	return len(t.marks)
}

//go:noinline
func order(a, b *token) bool {
	if a.line != b.line {
		return a.line < b.line
	}
	return a.text < b.text || (a.text == b.text && a.kind < b.kind)
}

func main() {
	s := &source{raw: []byte("one 2 three\nfour 5 one\n7 two one"), words: map[string]int{}}
	s.scan()
	s.runes = []rune("größe")
	for i := 1; i < len(s.toks); i++ {
		for j := i; j > 0 && order(&s.toks[j], &s.toks[j-1]); j-- {
			s.toks[j], s.toks[j-1] = s.toks[j-1], s.toks[j]
		}
	}
	t := &text{}
	n := t.add(s.toks)
	all := []byte(t.buffer.String())
	n += upper(all)
	println(n, view(all[:9]), reverse(string(s.runes)), s.words["one"], t.parts[1], t.marks[2].to)
}
