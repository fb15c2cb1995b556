// SPDX-License-Identifier: GPL-2.0-or-later
// Trees of interfaces with visitors, errors that wrap others, variadic parameters, defer that changes results.
package main

import "errors"

type expr interface {
	accept(v visitor) (int64, error)
}

type visitor interface {
	number(n *number) (int64, error)
	binary(b *binary) (int64, error)
	call(c *call) (int64, error)
}

type number struct {
	value int64
	unit  byte
}

type binary struct {
	op          byte
	left, right expr
}

type call struct {
	name string
	args []expr
}

type failure struct {
	in    string
	depth int
	cause error
}

func (f *failure) Error() string { return f.in }
func (f *failure) Unwrap() error { return f.cause }

var errZero = errors.New("division by zero")

func (n *number) accept(v visitor) (int64, error) { return v.number(n) }
func (b *binary) accept(v visitor) (int64, error) { return v.binary(b) }
func (c *call) accept(v visitor) (int64, error)   { return v.call(c) }

type evaluator struct {
	depth, deepest int
	calls          map[string]int
}

func (e *evaluator) number(n *number) (int64, error) {
	if n.unit == 'k' {
		return n.value * 1000, nil
	}
	return n.value, nil
}

func (e *evaluator) binary(b *binary) (result int64, err error) {
	e.depth++
	defer func() {
		e.depth--
		if err != nil {
			err = &failure{"binary", e.depth, err}
		}
	}()
	if e.depth > e.deepest {
		e.deepest = e.depth
	}
	x, err := b.left.accept(e)
	if err != nil {
		return 0, err
	}
	y, err := b.right.accept(e)
	if err != nil {
		return 0, err
	}
	switch b.op {
	case '+':
		return x + y, nil
	case '*':
		return x * y, nil
	}
	if y == 0 {
		return 0, errZero
	}
	return x / y, nil
}

func (e *evaluator) call(c *call) (int64, error) {
	e.calls[c.name]++
	return largest(e, c.args...)
}

//go:noinline
func largest(v visitor, args ...expr) (most int64, err error) {
	for _, a := range args {
		n, err := a.accept(v)
		if err != nil {
			return 0, err
		}
		if n > most {
			most = n
		}
	}
	return most, nil
}

func main() {
	e := &evaluator{calls: map[string]int{}}
	tree := &binary{'+', &binary{'*', &number{2, 'k'}, &number{3, 0}}, &call{"max", []expr{&number{7, 0}, &number{9, 'k'}}}}
	n, err := tree.accept(e)
	_, bad := (&binary{'/', tree, &binary{'/', &number{1, 0}, &number{0, 0}}}).accept(e)
	var f *failure
	wrapped := 0
	for errors.As(bad, &f) {
		wrapped += f.depth + 1
		bad = f.cause
	}
	println(n, err == nil, wrapped, errors.Is(bad, errZero), e.deepest, e.calls["max"])
}
