// SPDX-License-Identifier: GPL-2.0-or-later
// A lexer and parser: bytes, runes, slices of structures that grow, tables, errors, an interpreter of the tree.
package main

import "fmt"

type kind uint8

const (
	number kind = iota
	name
	operator
	end
)

type token struct {
	kind kind
	op   byte
	pos  int32
	text string
	num  int64
}

type lexer struct {
	src    []byte
	pos    int
	tokens []token
	class  [256]kind
}

type expr struct {
	op          byte
	left, right *expr
	tok         *token
}

type parser struct {
	tokens []token
	at     int
	depth  int
}

type env struct {
	vars  map[string]int64
	outer *env
}

func newLexer(src string) *lexer {
	l := &lexer{src: []byte(src)}
	for i := range l.class {
		switch {
		case i >= '0' && i <= '9':
			l.class[i] = number
		case i >= 'a' && i <= 'z':
			l.class[i] = name
		default:
			l.class[i] = operator
		}
	}
	return l
}

func (l *lexer) scan() {
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		if c == ' ' {
			l.pos++
			continue
		}
		t := token{kind: l.class[c], pos: int32(l.pos)}
		start := l.pos
		switch t.kind {
		case operator:
			t.op = c
			l.pos++
		default:
			for l.pos < len(l.src) && l.class[l.src[l.pos]] == t.kind {
				if t.kind == number {
					t.num = t.num*10 + int64(l.src[l.pos]-'0')
				}
				l.pos++
			}
			t.text = string(l.src[start:l.pos])
		}
		l.tokens = append(l.tokens, t)
	}
	l.tokens = append(l.tokens, token{kind: end})
}

func (p *parser) primary() (*expr, error) {
	t := &p.tokens[p.at]
	p.at++
	switch {
	case t.kind == number || t.kind == name:
		return &expr{tok: t}, nil
	case t.op == '(':
		e, err := p.binary(0)
		p.at++
		return e, err
	}
	return nil, fmt.Errorf("unexpected %q at %d", t.op, t.pos)
}

func level(op byte) int {
	switch op {
	case '+', '-':
		return 1
	case '*', '/':
		return 2
	}
	return 0
}

func (p *parser) binary(min int) (*expr, error) {
	p.depth++
	left, err := p.primary()
	for err == nil {
		op := p.tokens[p.at].op
		l := level(op)
		if l == 0 || l <= min {
			break
		}
		p.at++
		var right *expr
		right, err = p.binary(l)
		left = &expr{op: op, left: left, right: right}
	}
	p.depth--
	return left, err
}

func (e *env) lookup(name string) int64 {
	for ; e != nil; e = e.outer {
		if v, ok := e.vars[name]; ok {
			return v
		}
	}
	return 0
}

func (x *expr) eval(e *env) int64 {
	switch x.op {
	case '+':
		return x.left.eval(e) + x.right.eval(e)
	case '-':
		return x.left.eval(e) - x.right.eval(e)
	case '*':
		return x.left.eval(e) * x.right.eval(e)
	}
	if x.tok.kind == number {
		return x.tok.num
	}
	return e.lookup(x.tok.text)
}

func main() {
	global := &env{vars: map[string]int64{"width": 7, "x": 3}}
	local := &env{vars: map[string]int64{"x": 5}, outer: global}
	var sum int64
	for _, text := range []string{"1 + 2 * (x - 4) * width", "12 * (3 + x) - width", "(", "x * x * x"} {
		l := newLexer(text)
		l.scan()
		p := &parser{tokens: l.tokens}
		e, err := p.binary(0)
		if err != nil {
			sum += int64(len(err.Error()))
			continue
		}
		sum += e.eval(local)
	}
	println(sum)
}
