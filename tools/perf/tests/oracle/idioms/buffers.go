// SPDX-License-Identifier: GPL-2.0-or-later
// Byte buffers and encodings: records in bytes, binary.LittleEndian, copies between slices, ring buffer, hash.
package main

import (
	"encoding/binary"
	"strings"
)

type header struct {
	magic   uint32
	version uint16
	kind    uint16
	size    uint64
}

type record struct {
	header
	payload []byte
	sum     uint32
}

type ring struct {
	data       [64]byte
	read, used int
	dropped    uint64
}

type writer struct {
	buf  []byte
	crc  [16]uint32
	recs int
}

func (w *writer) put(r *record) {
	var h [16]byte
	binary.LittleEndian.PutUint32(h[0:], r.magic)
	binary.LittleEndian.PutUint16(h[4:], r.version)
	binary.LittleEndian.PutUint16(h[6:], r.kind)
	binary.LittleEndian.PutUint64(h[8:], uint64(len(r.payload)))
	w.buf = append(w.buf, h[:]...)
	w.buf = append(w.buf, r.payload...)
	w.crc[r.kind&15] ^= sum(r.payload)
	w.recs++
}

//go:noinline
func sum(b []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range b {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}

//go:noinline
func parse(b []byte) (out []record) {
	for len(b) >= 16 {
		var r record
		r.magic = binary.LittleEndian.Uint32(b)
		r.version = binary.LittleEndian.Uint16(b[4:])
		r.kind = binary.LittleEndian.Uint16(b[6:])
		r.size = binary.LittleEndian.Uint64(b[8:])
		if r.size > uint64(len(b)-16) {
			break
		}
		r.payload = b[16 : 16+r.size]
		r.sum = sum(r.payload)
		out = append(out, r)
		b = b[16+r.size:]
	}
	return
}

func (r *ring) write(p []byte) (n int) {
	for _, c := range p {
		if r.used == len(r.data) {
			r.dropped++
			continue
		}
		r.data[(r.read+r.used)%len(r.data)] = c
		r.used++
		n++
	}
	return
}

func (r *ring) drain(p []byte) int {
	n := r.used
	if n > len(p) {
		n = len(p)
	}
	end := copy(p[:n], r.data[r.read:])
	copy(p[end:n], r.data[:])
	r.read = (r.read + n) % len(r.data)
	r.used -= n
	return n
}

func main() {
	w := &writer{}
	for i := 0; i < 6; i++ {
		w.put(&record{header: header{0xfeed, 1, uint16(i), 0}, payload: []byte(strings.Repeat("ab", i))})
	}
	var total uint32
	for _, r := range parse(w.buf) {
		total += r.sum>>16 + uint32(r.kind)
	}
	r := &ring{}
	out := make([]byte, 24)
	n := 0
	for len(w.buf) > 20 {
		r.write(w.buf[:20])
		w.buf = w.buf[20:]
		n += r.drain(out)
	}
	println(total, w.crc[3], n, r.dropped, out[3])
}
