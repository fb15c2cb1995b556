// SPDX-License-Identifier: GPL-2.0-or-later

// Goroutines that wait for each other, and the truth about them, in the words of workloads/waiting.c:
//
//	waiting SHAPE REQUESTS
//
// Each goroutine has a thread of its own, so a thread's number says which one it is. Go has no thread-local variable that perf reads, so
// there are no activities. "woke" says which goroutine let another one go on: then the runtime chooses which of its own threads wakes the
// other's thread, which the program cannot know.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"unsafe"
)

const (
	clockMonotonic = 1
	prSetName      = 15
)

var (
	asker  int
	said   []string
	saying sync.Mutex
)

func now() int64 {
	var t syscall.Timespec

	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clockMonotonic, uintptr(unsafe.Pointer(&t)), 0)
	return t.Nano()
}

func say(format string, args ...any) {
	saying.Lock()
	said = append(said, fmt.Sprintf(format, args...))
	saying.Unlock()
}

// The goroutine keeps its thread from now on.
func beginThread(name string) int {
	text := append([]byte(name), 0)

	runtime.LockOSThread()
	syscall.RawSyscall(syscall.SYS_PRCTL, prSetName, uintptr(unsafe.Pointer(&text[0])), 0)
	return syscall.Gettid()
}

var spun uint64

func spin(ms int64) {
	until := now() + ms*1000000

	for now() < until {
		for i := 0; i < 1000; i++ {
			spun++
		}
	}
}

func nap(tid int, ms int64) {
	t := syscall.NsecToTimespec(ms * 1000000)
	from := now()

	syscall.Nanosleep(&t, nil)
	say("slept %d %d %d", tid, from, now())
}

var ready = make(chan int)
var turn = make(chan int)

// Each request: lets the helper begin, waits until it is ready, and then does the body.
func rounds(requests int, body func()) {
	for i := 1; i <= requests; i++ {
		turn <- i
		<-ready
		from := now()
		body()
		say("span %d %d %d %d", i, asker, from, now())
	}
}

var (
	lock   sync.Mutex
	answer = make(chan int)
)

func holdLock() {
	tid := beginThread("holder")

	for range turn {
		lock.Lock()
		ready <- 0
		nap(tid, 20)
		spin(20)
		say("woke %d %d %d", asker, tid, now())
		lock.Unlock()
	}
}

func mutex(requests int) {
	go holdLock()
	rounds(requests, func() {
		from := now()
		lock.Lock()
		say("wait %d %d %d goroutine", asker, from, now())
		spin(2)
		lock.Unlock()
	})
}

func giveAnswer() {
	tid := beginThread("worker")

	for range turn {
		ready <- 0
		nap(tid, 20)
		spin(20)
		say("woke %d %d %d", asker, tid, now())
		answer <- 0
	}
}

func channel(requests int) {
	go giveAnswer()
	rounds(requests, func() {
		from := now()
		<-answer
		say("wait %d %d %d goroutine", asker, from, now())
		spin(2)
	})
}

func main() {
	shapes := map[string]func(int){"go_mutex": mutex, "go_channel": channel}
	requests, _ := strconv.Atoi(os.Args[2])

	asker = beginThread("asker")
	runtime.GOMAXPROCS(4)
	shapes[os.Args[1]](requests)
	for _, line := range said {
		fmt.Println(line)
	}
}
