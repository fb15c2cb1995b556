// SPDX-License-Identifier: GPL-2.0-or-later
// Errors as values: own types, wrapping, errors.As, panics with them; fmt.Stringer; sentinel variables.
package main

import (
	"errors"
	"fmt"
	"strconv"
)

type parseError struct {
	line, column int
	text         string
	cause        error
}

func (e *parseError) Error() string {
	return strconv.Itoa(e.line) + ":" + strconv.Itoa(e.column) + ": " + e.text
}
func (e *parseError) Unwrap() error { return e.cause }

type level int

func (l level) String() string { return [...]string{"low", "mid", "high"}[l] }

type limits struct {
	min, max int64
	level    level
}

type reader struct {
	fields []string
	at     int
	errs   []error
	limits limits
}

var errRange = errors.New("out of range")
var errEmpty = errors.New("empty")

func (r *reader) number() (int64, error) {
	if r.at >= len(r.fields) {
		return 0, errEmpty
	}
	text := r.fields[r.at]
	r.at++
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, &parseError{line: r.at, column: len(text), text: text, cause: err}
	}
	if n < r.limits.min || n > r.limits.max {
		return 0, &parseError{r.at, len(text), r.limits.level.String(), errRange}
	}
	return n, nil
}

func (r *reader) sum() (total int64) {
	for {
		n, err := r.number()
		if err == errEmpty {
			return
		}
		if err != nil {
			r.errs = append(r.errs, fmt.Errorf("field %d: %w", r.at, err))
			continue
		}
		total += n
	}
}

//go:noinline
func classify(errs []error) (columns, ranges int) {
	for _, err := range errs {
		var p *parseError
		if errors.As(err, &p) {
			columns += p.column
			if errors.Is(err, errRange) {
				ranges += p.line
			}
		}
	}
	return
}

//go:noinline
func recovered(f func()) (p *parseError) {
	defer func() {
		if e, ok := recover().(*parseError); ok {
			e.column++
			p = e
		}
	}()
	f()
	return
}

func main() {
	r := &reader{fields: []string{"3", "x", "99", "7", "", "12"}, limits: limits{0, 50, 1}}
	total := r.sum()
	c, n := classify(r.errs)
	p := recovered(func() { panic(&parseError{line: 7, column: 8}) })
	println(total, c, n, p.line+p.column, len(r.errs))
}
