// SPDX-License-Identifier: GPL-2.0-or-later
// Numbers: slices of slices, arrays in structures, floats and integers of all widths, bounds checks.
package main

type matrix struct {
	rows, cols int
	cells      []float64
}

type pixel struct{ r, g, b, a uint8 }

type image struct {
	stride int
	pix    []pixel
	hist   [4][16]uint32
}

type particle struct {
	pos, vel [3]float32
	mass     float32
	id       int32
}

func newMatrix(rows, cols int) *matrix {
	return &matrix{rows, cols, make([]float64, rows*cols)}
}

func (m *matrix) at(i, j int) *float64 { return &m.cells[i*m.cols+j] }

//go:noinline
func (m *matrix) mul(o *matrix) *matrix {
	out := newMatrix(m.rows, o.cols)
	for i := 0; i < m.rows; i++ {
		for j := 0; j < o.cols; j++ {
			var sum float64
			for k := 0; k < m.cols; k++ {
				sum += m.cells[i*m.cols+k] * o.cells[k*o.cols+j]
			}
			*out.at(i, j) = sum
		}
	}
	return out
}

//go:noinline
func (im *image) count() {
	for i := range im.pix {
		p := &im.pix[i]
		im.hist[0][p.r>>4]++
		im.hist[1][p.g>>4]++
		im.hist[2][p.b>>4]++
		if p.a == 255 {
			im.hist[3][15]++
		}
	}
}

//go:noinline
func step(all []particle, dt float32) (energy float32) {
	for i := range all {
		p := &all[i]
		for d := range p.pos {
			p.pos[d] += p.vel[d] * dt
			energy += p.mass * p.vel[d] * p.vel[d]
		}
	}
	return
}

//go:noinline
func table(n int) [][]int {
	t := make([][]int, n)
	for i := range t {
		t[i] = make([]int, i+1)
		t[i][0], t[i][i] = 1, 1
		for j := 1; j < i; j++ {
			t[i][j] = t[i-1][j-1] + t[i-1][j]
		}
	}
	return t
}

func main() {
	a, b := newMatrix(3, 4), newMatrix(4, 2)
	for i := range a.cells {
		a.cells[i] = float64(i)
	}
	for i := range b.cells {
		b.cells[i] = float64(i) / 2
	}
	im := &image{stride: 4, pix: make([]pixel, 16)}
	for i := range im.pix {
		im.pix[i] = pixel{uint8(i * 16), uint8(i), 3, 255}
	}
	im.count()
	ps := make([]particle, 5)
	for i := range ps {
		ps[i].mass = float32(i)
		ps[i].vel = [3]float32{1, 2, float32(i)}
		ps[i].id = int32(i)
	}
	println(int(*a.mul(b).at(2, 1)), im.hist[0][3], int(step(ps, 0.5)), table(8)[7][3])
}
