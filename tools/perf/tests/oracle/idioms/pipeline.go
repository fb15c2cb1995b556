// SPDX-License-Identifier: GPL-2.0-or-later
// Goroutines and channels: workers, select, a mutex, a wait group, a result channel in a request.
package main

import "sync"

type request struct {
	id    int
	data  []byte
	reply chan<- response
}

type response struct {
	id  int
	sum uint32
	err error
}

type stats struct {
	sync.Mutex
	served map[int]int
	bytes  uint64
}

type worker struct {
	id    int
	in    <-chan request
	stats *stats
	busy  uint64
}

func (w *worker) run(wg *sync.WaitGroup) {
	defer wg.Done()
	for r := range w.in {
		var sum uint32
		for i, b := range r.data {
			sum += uint32(b) << (uint(i) & 7)
		}
		w.busy += uint64(len(r.data))
		w.stats.Lock()
		w.stats.served[w.id]++
		w.stats.bytes += uint64(len(r.data))
		w.stats.Unlock()
		r.reply <- response{id: r.id, sum: sum}
	}
}

//go:noinline
func collect(replies <-chan response, quit <-chan struct{}, out []uint32) int {
	n := 0
	for {
		select {
		case r := <-replies:
			out[r.id%len(out)] ^= r.sum
			if r.err != nil {
				return -1
			}
			n++
		case <-quit:
			return n
		}
	}
}

func main() {
	in := make(chan request, 4)
	replies := make(chan response, 64)
	quit := make(chan struct{})
	st := &stats{served: map[int]int{}}
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		w := &worker{id: i, in: in, stats: st}
		wg.Add(1)
		go w.run(&wg)
	}
	for i := 0; i < 20; i++ {
		in <- request{id: i, data: make([]byte, i+3), reply: replies}
	}
	close(in)
	wg.Wait()
	go func() {
		for len(replies) > 0 {
			yield := make(chan bool)
			go func() { yield <- true }()
			<-yield
		}
		close(quit)
	}()
	out := make([]uint32, 8)
	println(collect(replies, quit, out), out[3], st.bytes)
}
