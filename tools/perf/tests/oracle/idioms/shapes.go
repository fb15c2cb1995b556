// SPDX-License-Identifier: GPL-2.0-or-later
// Interfaces: dynamic calls, type switches, assertions, values and pointers in them.
package main

type shape interface {
	area() float64
	scale(by float64) shape
}

type named interface{ label() string }

type square struct{ side float64 }

type rect struct {
	w, h float64
	tag  string
}

type group struct {
	parts []shape
	depth int
}

func (s *square) area() float64          { return s.side * s.side }
func (s *square) scale(by float64) shape { return &square{s.side * by} }
func (r rect) area() float64             { return r.w * r.h }
func (r rect) scale(by float64) shape    { return rect{r.w * by, r.h * by, r.tag} }
func (r rect) label() string             { return r.tag }

func (g *group) area() (sum float64) {
	for _, p := range g.parts {
		sum += p.area()
	}
	return
}

func (g *group) scale(by float64) shape {
	scaled := &group{depth: g.depth + 1}
	for _, p := range g.parts {
		scaled.parts = append(scaled.parts, p.scale(by))
	}
	return scaled
}

//go:noinline
func count(s shape) (squares, rects, deepest int) {
	switch v := s.(type) {
	case *square:
		if v.side > 0 {
			squares++
		}
	case rect:
		if v.w > v.h {
			rects++
		}
	case *group:
		deepest = v.depth
		for _, p := range v.parts {
			a, b, c := count(p)
			squares += a
			rects += b
			if c > deepest {
				deepest = c
			}
		}
	}
	return
}

//go:noinline
func labels(all []shape) (bytes int) {
	for _, s := range all {
		if n, ok := s.(named); ok {
			bytes += len(n.label())
		}
	}
	return
}

//go:noinline
func describe(values []interface{}) (n int) {
	for _, v := range values {
		switch x := v.(type) {
		case int:
			n += x
		case string:
			n += len(x)
		case *rect:
			n += int(x.w)
		}
	}
	return
}

// Parameters and results without a name have no entry, but a register.
//
//go:noinline
func fits(_ *rect, s *square, _ string) (_ int, inner *square) {
	if s.side > 1 {
		return 1, nil
	}
	return 0, s
}

func first(g *group) (_ int, err error) {
	if g.depth == 0 {
		return len(g.parts), nil
	}
	return g.depth, none{g}
}

type none struct{ in *group }

func (n none) Error() string { return "none" }

var finders = []func(*group) (int, error){first}

//go:noinline
func unnamed(r *rect, s *square, g *group) int {
	n, inner := fits(r, s, r.tag)
	if inner != nil {
		n += int(inner.side)
	}
	for _, f := range finders {
		if m, err := f(g); err == nil {
			n += m
		}
	}
	m, _ := first(g)
	r.w, s.side = r.h, r.w
	return n + m
}

func main() {
	all := []shape{&square{2}, rect{3, 1, "wide"}, &square{1}, rect{1, 2, "tall"}}
	g := &group{parts: all}
	big := g.scale(2)
	a, b, c := count(big)
	println(a, b, c, labels(all), int(big.area()), describe([]interface{}{3, "four", &rect{w: 5}}))
	println(unnamed(&rect{1, 2, "one"}, &square{1}, g))
}
