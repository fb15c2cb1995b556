// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Requests that wait for other threads in many ways, and the truth about them:
 *
 *   waiting SHAPE [REQUESTS [SPANS]]	one shape; without arguments it lists the shapes. SPANS: a file that gets the spans as OTLP JSON, the
 *				requests as "checkout", and "report", which lasts as long as all of them
 *
 * The thread "asker" does the requests one after the other; request i is span i. Other threads work for spans from 1000 on. Prints,
 * with times of CLOCK_MONOTONIC in ns:
 *
 *   clock OFFSET		the time of day minus that clock
 *   span ID TID FROM TO	a request
 *   thread TID ID		a thread's span *   works TID ID FROM TO	it worked for another span
 *   slept TID FROM TO the thread was in a call that ends by a timer
 *   device TID FROM TO	it read or wrote a file on a disk: it may have waited for the disk, or for a thread of the kernel
 *   wait TID FROM TO NAME	it was in a call that waits for the object NAME
 *   hold NAME TID FROM TO	it had the lock NAME; "read" behind it: with other readers
 *   woke TID BY TIME		the thread BY ended the wait of TID; of several, the last one did
 *   has TID FROM TO		the thread had the CPU for which the asker competes
 *
 * At all other times, a thread ran, or waited for a CPU.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/io_uring.h>
#include <linux/magic.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "activity/activity.h"

#define MOST 65536

struct line {
	char text[96];
};

static struct {
	int nr;
	struct line lines[MOST];
} * said; /* shared with children */

static int requests = 10;
static int stop;

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static int self(void)
{
	return (int)syscall(SYS_gettid);
}

#define SAY(...)                                                                                   \
	do {                                                                                       \
		int at_ = __atomic_fetch_add(&said->nr, 1, __ATOMIC_RELAXED);                      \
		if (at_ < MOST)                                                                    \
			snprintf(said->lines[at_].text, sizeof(said->lines[at_].text),             \
				 __VA_ARGS__);                                                     \
	} while (0)

/* The call, and that it waits for NAME. */
#define WAIT(name, call)                                                                           \
	do {                                                                                       \
		long long from_ = now();                                                           \
		call;                                                                              \
		SAY("wait %d %lld %lld %s", self(), from_, now(), name);                           \
	} while (0)

static void work_for(int id)
{
	uint8_t trace[16] = { 1 }, span[8] = { 0 };

	trace[14] = span[6] = (uint8_t)(id >> 8);
	trace[15] = span[7] = (uint8_t)id;
	activity_set(trace, span);
}

static void begin_thread(const char *name, int id)
{
	pthread_setname_np(pthread_self(), name);
	SAY("thread %d %d", self(), id);
	work_for(id);
}

static volatile unsigned long spun;

/* Runs for so long, also if others run in between. */
static void spin(int ms)
{
	long long until = now() + ms * 1000000ll;

	while (now() < until)
		for (int i = 0; i < 1000; i++)
			spun++;
}

static void nap(int ms)
{
	const struct timespec t = { 0, ms * 1000000l };
	long long from = now();

	nanosleep(&t, NULL);
	SAY("slept %d %lld %lld", self(), from, now());
}

/* This machine cannot do the shape. */
#define NOT_HERE 77

__attribute__((noreturn)) static void not_here(const char *why)
{
	fprintf(stderr, "%s\n", why);
	_exit(NOT_HERE);
}

static void say_hold(const char *name, long long from, const char *how)
{
	SAY("hold %s %d %lld %lld %s", name, self(), from, now(), how);
}

static void say_wake(int tid)
{
	SAY("woke %d %d %lld", tid, self(), now());
}

static int asker;

/* A request. */
#define REQUEST(i, body)                                                                           \
	do {                                                                                       \
		long long begin_ = now();                                                          \
		work_for((i) + 1);                                                                 \
		body;                                                                              \
		SAY("span %d %d %lld %lld", (i) + 1, asker, begin_, now());                        \
		work_for(999);                                                                     \
	} while (0)

/* How the asker and another thread take turns outside of requests. */
static sem_t go[4], ready;

static void let(int helper)
{
	sem_post(&go[helper]);
}

static void await_ready(int nr)
{
	while (nr--)
		sem_wait(&ready);
}

static int begin_turn(int helper)
{
	while (sem_wait(&go[helper]))
		;
	return !stop;
}

static pthread_t start_thread(void *(*run)(void *), long arg)
{
	pthread_t thread;

	pthread_create(&thread, NULL, run, (void *)arg);
	return thread;
}

/* Each request: lets so many helpers begin, waits until they are ready, and then does the body. */
#define ROUNDS(helpers, body)                                                                      \
	for (int i = 0; i < requests; i++) {                                                       \
		for (int k = 0; k < (helpers); k++)                                                \
			let(k);                                                                    \
		await_ready(helpers);                                                              \
		REQUEST(i, body);                                                                  \
	}

/* Threads that hold a mutex. The call is in the macro's place, so that the code there says what is locked. */
struct book {
	long pages;
	pthread_mutex_t lock;
};

static struct book book = { .lock = PTHREAD_MUTEX_INITIALIZER };
static struct book second = { .lock = PTHREAD_MUTEX_INITIALIZER };
static pthread_rwlock_t shelf = PTHREAD_RWLOCK_INITIALIZER;

#define HOLD(name, mutex, body)                                                                    \
	do {                                                                                       \
		long long held_;                                                                   \
		WAIT(name, pthread_mutex_lock(mutex));                                             \
		held_ = now();                                                                     \
		body;                                                                              \
		say_hold(name, held_, "");                                                         \
		pthread_mutex_unlock(mutex);                                                       \
	} while (0)

static void *hold_book(void *arg)
{
	int helper = (int)(long)arg;

	begin_thread("holder", 1000 + helper);
	while (begin_turn(helper)) {
		HOLD("book.lock", &book.lock, {
			sem_post(&ready);
			nap(4);
			spin(4);
		});
	}
	return NULL;
}

static void shape_mutex(void)
{
	start_thread(hold_book, 0);
	ROUNDS(1, HOLD("book.lock", &book.lock, spin(2)));
}

/* Three holders: the first one is ready while it has the lock, the others while they wait for it. */
static void *hold_in_turn(void *arg)
{
	int helper = (int)(long)arg;

	begin_thread("holder", 1000 + helper);
	while (begin_turn(helper)) {
		if (helper)
			sem_post(&ready);
		HOLD("book.lock", &book.lock, {
			if (!helper)
				sem_post(&ready);
			nap(helper);
			spin(3);
		});
	}
	return NULL;
}

static void shape_convoy(void)
{
	for (int k = 0; k < 3; k++)
		start_thread(hold_in_turn, k);
	ROUNDS(3, HOLD("book.lock", &book.lock, spin(1)));
}

/* Takes the lock from whoever is woken for it, and never sleeps. */
static void *barge(void *arg)
{
	(void)arg;
	begin_thread("barger", 1001);
	while (begin_turn(1)) {
		long long from;

		sem_post(&ready);
		while (pthread_mutex_trylock(&book.lock))
			for (int i = 0; i < 100; i++)
				spun++;
		from = now();
		spin(5);
		say_hold("book.lock", from, "");
		pthread_mutex_unlock(&book.lock);
	}
	return NULL;
}

static void shape_barging(void)
{
	start_thread(hold_book, 0);
	start_thread(barge, 1);
	ROUNDS(2, HOLD("book.lock", &book.lock, spin(1)));
}

static void *hold_second(void *arg)
{
	(void)arg;
	begin_thread("inner", 1001);
	while (begin_turn(1)) {
		HOLD("second.lock", &second.lock, {
			sem_post(&ready);
			nap(8);
			spin(2);
		});
	}
	return NULL;
}

static void *hold_both(void *arg)
{
	(void)arg;
	begin_thread("outer", 1000);
	while (begin_turn(0)) {
		HOLD("book.lock", &book.lock, {
			sem_post(&ready);
			spin(2);
			HOLD("second.lock", &second.lock, spin(2));
		});
	}
	return NULL;
}

static void shape_nested(void)
{
	start_thread(hold_second, 1);
	start_thread(hold_both, 0);
	ROUNDS(2, HOLD("book.lock", &book.lock, spin(1)));
}

static void *write_shelf(void *arg)
{
	(void)arg;
	begin_thread("writer", 1000);
	while (begin_turn(0)) {
		long long from;

		WAIT("shelf", pthread_rwlock_wrlock(&shelf));
		from = now();
		sem_post(&ready);
		nap(4);
		spin(3);
		say_hold("shelf", from, "");
		pthread_rwlock_unlock(&shelf);
	}
	return NULL;
}

static void shape_reader(void)
{
	start_thread(write_shelf, 0);
	ROUNDS(1, {
		long long from;

		WAIT("shelf", pthread_rwlock_rdlock(&shelf));
		from = now();
		spin(1);
		say_hold("shelf", from, "read");
		pthread_rwlock_unlock(&shelf);
	});
}

/* The last reader gives the lock up. */
static void *read_shelf(void *arg)
{
	int helper = (int)(long)arg;

	begin_thread("reader", 1000 + helper);
	while (begin_turn(helper)) {
		WAIT("shelf", pthread_rwlock_rdlock(&shelf));
		sem_post(&ready);
		nap(3 + 6 * helper);
		say_wake(asker);
		pthread_rwlock_unlock(&shelf);
	}
	return NULL;
}

static void shape_writer(void)
{
	start_thread(read_shelf, 0);
	start_thread(read_shelf, 1);
	ROUNDS(2, {
		WAIT("shelf", pthread_rwlock_wrlock(&shelf));
		spin(1);
		pthread_rwlock_unlock(&shelf);
	});
}

/* A queue with one worker. The worker works for the request that it takes. */
static pthread_mutex_t of_queue = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
static int queue[8], nr_queued, nr_done, worker_tid;

static void put(int id)
{
	pthread_mutex_lock(&of_queue);
	queue[nr_queued++] = id;
	say_wake(worker_tid);
	pthread_cond_signal(&more);
	pthread_mutex_unlock(&of_queue);
}

static void *work_off(void *arg)
{
	(void)arg;
	begin_thread("worker", 1000);
	worker_tid = self();
	sem_post(&ready);
	pthread_mutex_lock(&of_queue);
	for (;;) {
		long long from;
		int id;

		while (!nr_queued && !stop)
			WAIT("more", pthread_cond_wait(&more, &of_queue));
		if (stop)
			break;
		id = queue[0];
		memmove(queue, queue + 1, sizeof(queue) - sizeof(*queue));
		nr_queued--;
		pthread_mutex_unlock(&of_queue);
		from = now();
		work_for(id);
		spin(3);
		nap(3);
		SAY("works %d %d %lld %lld", self(), id, from, now());
		work_for(1000);
		pthread_mutex_lock(&of_queue);
		if (id < 1000) {
			nr_done++;
			say_wake(asker);
			pthread_cond_signal(&done);
		}
	}
	return NULL;
}

static void ask_worker(int i)
{
	put(i + 1);
	pthread_mutex_lock(&of_queue);
	while (nr_done <= i)
		WAIT("done", pthread_cond_wait(&done, &of_queue));
	pthread_mutex_unlock(&of_queue);
}

static void shape_pool(void)
{
	start_thread(work_off, 0);
	await_ready(1);
	for (int i = 0; i < requests; i++) {
		REQUEST(i, {
			spin(1);
			ask_worker(i);
		});
		nap(2);
	}
}

/* The worker has something else to do first. */
static void shape_queue(void)
{
	start_thread(work_off, 0);
	await_ready(1);
	for (int i = 0; i < requests; i++) {
		put(1001);
		REQUEST(i, {
			spin(1);
			ask_worker(i);
		});
		nap(2);
	}
}

static pthread_barrier_t gate;

static void *come_late(void *arg)
{
	int helper = (int)(long)arg;

	begin_thread("late", 1000 + helper);
	while (begin_turn(helper)) {
		sem_post(&ready);
		nap(2 + 5 * helper);
		if (helper)
			spin(2);
		say_wake(asker);
		WAIT("gate", pthread_barrier_wait(&gate));
	}
	return NULL;
}

static void shape_barrier(void)
{
	pthread_barrier_init(&gate, NULL, 3);
	start_thread(come_late, 0);
	start_thread(come_late, 1);
	ROUNDS(2, WAIT("gate", pthread_barrier_wait(&gate)));
}

static sem_t place;

static void *leave_place(void *arg)
{
	(void)arg;
	begin_thread("guest", 1000);
	while (begin_turn(0)) {
		sem_post(&ready);
		nap(3);
		spin(3);
		say_wake(asker);
		sem_post(&place);
	}
	return NULL;
}

static void *leave_late(void *arg)
{
	(void)arg;
	begin_thread("guest", 1001);
	while (begin_turn(1)) {
		sem_post(&ready);
		nap(60);
		say_wake(asker);
		sem_post(&place);
	}
	return NULL;
}

/* Without the lock, the request would only wait for longer at the semaphore. */
static void shape_next(void)
{
	sem_init(&place, 0, 0);
	start_thread(hold_book, 0);
	start_thread(leave_late, 1);
	ROUNDS(2, {
		HOLD("book.lock", &book.lock, {});
		WAIT("place", sem_wait(&place));
	});
}

static void shape_semaphore(void)
{
	sem_init(&place, 0, 0);
	start_thread(leave_place, 0);
	ROUNDS(1, WAIT("place", sem_wait(&place)));
}

static void *run_once(void *arg)
{
	(void)arg;
	begin_thread("joined", 1000);
	nap(3);
	spin(3);
	say_wake(asker);
	return NULL;
}

static void shape_join(void)
{
	for (int i = 0; i < requests; i++) {
		pthread_t thread = start_thread(run_once, 0);

		REQUEST(i, WAIT("join", pthread_join(thread, NULL)));
	}
}

/* Four processes in a chain, each of which answers when the next one has answered. */
static void answer(int from, int to, int depth);
static void connect_tcp(void);

static int ends[2]; /* of a connection */
static const char *way = "pipe";

static void ask(int to[2], int from[2])
{
	char c = 1;

	if (write(to[1], &c, 1) != 1)
		abort();
	WAIT(way, if (read(from[0], &c, 1) != 1) exit(0));
}

static int asked_by;

static void make_way(int down[2], int up[2])
{
	if (!strcmp(way, "pipe")) {
		if (pipe(down) || pipe(up))
			abort();
		return;
	}
	connect_tcp();
	down[1] = up[0] = ends[0];
	down[0] = up[1] = ends[1];
}

static void start_answering(int down[2], int up[2], int depth)
{
	int parent = self();

	make_way(down, up);
	if (fork())
		return;
	asked_by = parent;
	close(down[1]);
	close(up[0]);
	answer(down[0], up[1], depth);
	exit(0);
}

static void answer(int from, int to, int depth)
{
	int down[2], up[2];
	char c;

	begin_thread("link", 1000 + depth);
	if (depth > 1)
		start_answering(down, up, depth - 1);
	while (read(from, &c, 1) == 1) {
		nap(2);
		spin(1);
		if (depth > 1)
			ask(down, up);
		say_wake(asked_by);
		if (write(to, &c, 1) != 1)
			return;
	}
}

static void ask_processes(int nr)
{
	int down[2], up[2];

	start_answering(down, up, nr);
	for (int i = 0; i < requests; i++)
		REQUEST(i, ask(down, up));
	close(down[1]);
	while (wait(NULL) > 0)
		;
}

static void shape_chain(void)
{
	ask_processes(3);
}

/* A client, a proxy and a server: two connections. */
static void shape_proxy(void)
{
	way = "any";
	ask_processes(2);
}

/* The same over one socket to one thread. */
static void *answer_socket(void *arg)
{
	(void)arg;
	char c;

	begin_thread("peer", 1000);
	while (read(ends[1], &c, 1) == 1) {
		nap(3);
		spin(3);
		say_wake(asker);
		if (write(ends[1], &c, 1) != 1)
			break;
	}
	return NULL;
}

static void ask_socket(void)
{
	start_thread(answer_socket, 0);
	for (int i = 0; i < requests; i++) {
		char c = 1;

		REQUEST(i, {
			if (write(ends[0], &c, 1) != 1)
				abort();
			WAIT("socket", if (read(ends[0], &c, 1) != 1) abort());
		});
	}
}

static void shape_socket(void)
{
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		abort();
	ask_socket();
}

static int counter;

static void *add_up(void *arg)
{
	(void)arg;
	uint64_t one = 1;

	begin_thread("adder", 1000);
	while (begin_turn(0)) {
		sem_post(&ready);
		nap(3);
		spin(3);
		say_wake(asker);
		if (write(counter, &one, sizeof(one)) != sizeof(one))
			break;
	}
	return NULL;
}

static void shape_eventfd(void)
{
	uint64_t sum;

	counter = eventfd(0, 0);
	start_thread(add_up, 0);
	ROUNDS(1, WAIT("eventfd", if (read(counter, &sum, sizeof(sum)) < 0) abort()));
}

/* Of three descriptors, any one is enough. */
static void shape_epoll(void)
{
	int epoll = epoll_create1(0);
	uint64_t sum;

	counter = eventfd(0, 0);
	for (int k = 0; k < 3; k++) {
		struct epoll_event e = { .events = EPOLLIN };

		epoll_ctl(epoll, EPOLL_CTL_ADD, k ? eventfd(0, 0) : counter, &e);
	}
	start_thread(add_up, 0);
	ROUNDS(1, {
		struct epoll_event e;

		WAIT("epoll", epoll_wait(epoll, &e, 1, -1));
		if (read(counter, &sum, sizeof(sum)) < 0)
			abort();
	});
}

static void *send_signal(void *arg)
{
	(void)arg;
	begin_thread("sender", 1000);
	while (begin_turn(0)) {
		sem_post(&ready);
		nap(3);
		spin(3);
		say_wake(asker);
		syscall(SYS_tgkill, getpid(), asker, SIGUSR1);
	}
	return NULL;
}

static void shape_signal(void)
{
	sigset_t set;
	int signal;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	start_thread(send_signal, 0);
	ROUNDS(1, WAIT("signal", sigwait(&set, &signal)));
}

static void shape_child(void)
{
	for (int i = 0; i < requests; i++)
		REQUEST(i, {
			int parent = asker;
			pid_t child = fork();

			if (!child) {
				begin_thread("child", 1000);
				nap(3);
				spin(3);
				say_wake(parent);
				_exit(0);
			}
			WAIT("child", waitpid(child, NULL, 0));
		});
}

static void shape_timers(void)
{
	for (int i = 0; i < requests; i++)
		REQUEST(i, {
			long long from;

			nap(3);
			spin(1);
			from = now();
			poll(NULL, 0, 3);
			SAY("slept %d %lld %lld", asker, from, now());
		});
}

static void pin(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

#define GAP 50000 /* ns: between two looks at the clock, another thread had the CPU */

/* Takes all of the CPU that it gets, and says when it had it. */
static void hog_cpu(const char *name, int id)
{
	long long since = now(), last = since;

	pin();
	begin_thread(name, id);
	while (!stop) {
		long long time = now();

		if (time - last > GAP || last - since > 20 * GAP) {
			SAY("has %d %lld %lld", self(), since, last);
			since = time - last > GAP ? time : last;
		}
		last = time;
	}
}

static void *hog(void *arg)
{
	hog_cpu("hog", 1000 + (int)(long)arg);
	return NULL;
}

static void compete(void)
{
	for (int i = 0; i < requests; i++) {
		REQUEST(i, spin(20));
		nap(2);
	}
}

/* Two threads on one CPU: the request waits for it. */
static void shape_cpu(void)
{
	pin();
	start_thread(hog, 0);
	compete();
}

/* Three hogs on the same CPU, of which one is another process. */
static void shape_cpus(void)
{
	pid_t child;

	pin();
	child = fork();
	if (!child)
		hog_cpu("other", 1002);
	start_thread(hog, 0);
	start_thread(hog, 1);
	nap(50); /* the recorder finds where the process has its activities */
	compete();
	kill(child, SIGKILL);
}

static void make_mutex(pthread_mutex_t *mutex, int type, int protocol, int robustness)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, type);
	pthread_mutexattr_setprotocol(&attr, protocol);
	pthread_mutexattr_setrobust(&attr, robustness);
	if (pthread_mutex_init(mutex, &attr))
		abort();
}

static void shape_recursive(void)
{
	make_mutex(&book.lock, PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
	shape_mutex();
}

static void shape_inherits(void)
{
	make_mutex(&book.lock, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT, PTHREAD_MUTEX_STALLED);
	shape_mutex();
}

static void shape_robust(void)
{
	make_mutex(&book.lock, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_ROBUST);
	shape_mutex();
}

static void shape_adaptive(void)
{
	make_mutex(&book.lock, PTHREAD_MUTEX_ADAPTIVE_NP, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
	shape_mutex();
}

/* A request and its answer over the loopback: the answer comes by a softirq on the thread that sends it. */
static void connect_tcp(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t size = sizeof(address);
	int server = socket(AF_INET, SOCK_STREAM, 0), one = 1;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(server, (struct sockaddr *)&address, sizeof(address)) || listen(server, 1) ||
	    getsockname(server, (struct sockaddr *)&address, &size))
		abort();
	ends[0] = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(ends[0], (struct sockaddr *)&address, size))
		abort();
	ends[1] = accept(server, NULL, NULL);
	setsockopt(ends[0], IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	setsockopt(ends[1], IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
}

static void shape_tcp(void)
{
	connect_tcp();
	ask_socket();
}

/* A process that answers datagrams: its socket has no connection, as those of most services. */
static void answer_datagrams(int server)
{
	struct sockaddr_in from;
	char c;

	begin_thread("service", 1000);
	for (;;) {
		socklen_t size = sizeof(from);

		if (recvfrom(server, &c, 1, 0, (struct sockaddr *)&from, &size) != 1)
			_exit(1);
		nap(3);
		spin(3);
		say_wake(asker);
		if (sendto(server, &c, 1, 0, (struct sockaddr *)&from, size) != 1)
			_exit(1);
	}
}

static void ask_datagram(int end, const struct sockaddr_in *to, int how)
{
	struct iovec part = { "", 1 };
	struct msghdr message = { .msg_name = (void *)to,
				  .msg_namelen = sizeof(*to),
				  .msg_iov = &part,
				  .msg_iovlen = 1 };
	struct pollfd polled = { .fd = end, .events = POLLIN };
	char c;

	if (to ? sendmsg(end, &message, 0) != 1 : send(end, "", 1, 0) != 1)
		abort();
	if (how == 2)
		WAIT("datagram", poll(&polled, 1, -1));
	WAIT("datagram", if (recv(end, &c, 1, 0) != 1) abort());
}

/* Asked in turn by a socket with a connection, one without, and one for which the request waits in poll(). */
static void shape_udp(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t size = sizeof(address);
	int server = socket(AF_INET, SOCK_DGRAM, 0), with = socket(AF_INET, SOCK_DGRAM, 0),
	    without = socket(AF_INET, SOCK_DGRAM, 0);
	pid_t child;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(server, (struct sockaddr *)&address, sizeof(address)) ||
	    getsockname(server, (struct sockaddr *)&address, &size) ||
	    connect(with, (struct sockaddr *)&address, size))
		abort();
	child = fork();
	if (!child)
		answer_datagrams(server);
	close(server);
	nap(50); /* the recorder finds where the process has its activities */
	for (int i = 0; i < requests; i++)
		REQUEST(i, ask_datagram(i % 3 ? without : with, i % 3 ? &address : NULL, i % 3));
	kill(child, SIGKILL);
}

/* The same, but the request waits for the answer or something else. */
static void ask_for_any(int epoll)
{
	struct epoll_event event = { .events = EPOLLIN };
	struct pollfd fds[2] = { { .fd = eventfd(0, 0), .events = POLLIN } };
	char c = 1;

	connect_tcp();
	fds[1] = (struct pollfd){ .fd = ends[0], .events = POLLIN };
	for (int k = 0; k < 2 && epoll >= 0; k++)
		epoll_ctl(epoll, EPOLL_CTL_ADD, fds[k].fd, &event);
	start_thread(answer_socket, 0);
	for (int i = 0; i < requests; i++)
		REQUEST(i, {
			if (write(ends[0], &c, 1) != 1)
				abort();
			WAIT("any",
			     epoll >= 0 ? epoll_wait(epoll, &event, 1, -1) : poll(fds, 2, -1));
			if (read(ends[0], &c, 1) != 1)
				abort();
		});
}

static void shape_tcp_epoll(void)
{
	ask_for_any(epoll_create1(0));
}

static void shape_tcp_poll(void)
{
	ask_for_any(-1);
}

/*
 * The same, but the other end is a program that nobody records: "waiting peer", which is there before, leaves its port in the file "port", and
 * says itself when it answers.
 */
static void shape_peer(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t size = sizeof(address);
	int server = socket(AF_INET, SOCK_STREAM, 0), end;
	FILE *f;

	pthread_setname_np(pthread_self(), "peer");
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(server, (struct sockaddr *)&address, sizeof(address)) || listen(server, 1) ||
	    getsockname(server, (struct sockaddr *)&address, &size))
		abort();
	f = fopen("port.new", "w");
	if (!f || fprintf(f, "%d\n", ntohs(address.sin_port)) < 0 || fclose(f) ||
	    rename("port.new", "port"))
		abort();
	end = accept(server, NULL, NULL);
	while (read(end, &asker, sizeof(asker)) == sizeof(asker)) {
		usleep(3000);
		spin(3);
		say_wake(asker);
		if (write(end, "", 1) != 1)
			break;
	}
}

static void shape_tcp_alone(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	FILE *f = fopen("port", "r");
	int port, end = socket(AF_INET, SOCK_STREAM, 0);
	char c;

	if (!f || fscanf(f, "%d", &port) != 1)
		not_here("nobody answers");
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	address.sin_port = htons((uint16_t)port);
	if (connect(end, (struct sockaddr *)&address, sizeof(address)))
		abort();
	for (int i = 0; i < requests; i++)
		REQUEST(i, {
			if (write(end, &asker, sizeof(asker)) != sizeof(asker))
				abort();
			WAIT("alone", if (read(end, &c, 1) != 1) abort());
		});
}

/* A lock on a file. */
static int locked_file;

static void *lock_file(void *arg)
{
	FILE *f = tmpfile();
	char path[64];
	int file;

	(void)arg;
	begin_thread("locker", 1000);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fileno(f));
	locked_file = open(path, O_RDWR);
	file = fileno(f);
	sem_post(&ready);
	while (begin_turn(0)) {
		long long from;

		flock(file, LOCK_EX);
		from = now();
		sem_post(&ready);
		nap(3);
		spin(3);
		say_hold("flock", from, "");
		flock(file, LOCK_UN);
	}
	return NULL;
}

static void shape_flock(void)
{
	start_thread(lock_file, 0);
	await_ready(1);
	ROUNDS(1, {
		WAIT("flock", flock(locked_file, LOCK_EX));
		flock(locked_file, LOCK_UN);
	});
}

/* A lock on a part of a file, which another process has. */
static int part_of(int file, short type)
{
	struct flock part = { .l_type = type, .l_whence = SEEK_SET, .l_start = 100, .l_len = 10 };

	return fcntl(file, F_SETLKW, &part);
}

static void hold_part(int file, int from, int to)
{
	char c;

	begin_thread("locker", 1000);
	while (read(from, &c, 1) == 1) {
		long long since;

		part_of(file, F_WRLCK);
		since = now();
		if (write(to, &c, 1) != 1)
			return;
		nap(3);
		spin(3);
		say_hold("fcntl", since, "");
		part_of(file, F_UNLCK);
	}
}

static void shape_fcntl(void)
{
	int file = fileno(tmpfile()), down[2], up[2];
	char c = 1;

	if (pipe(down) || pipe(up))
		abort();
	if (!fork()) {
		close(down[1]);
		hold_part(file, down[0], up[1]);
		_exit(0);
	}
	nap(50); /* the recorder finds where the process has its activities */
	for (int i = 0; i < requests; i++) {
		if (write(down[1], &c, 1) != 1 || read(up[0], &c, 1) != 1)
			abort();
		REQUEST(i, {
			WAIT("fcntl", part_of(file, F_WRLCK));
			part_of(file, F_UNLCK);
		});
	}
	close(down[1]);
	wait(NULL);
}

/* An owner that dies: the next one gets the lock by the kernel. */
static void *die_with_book(void *arg)
{
	long long from;

	(void)arg;
	begin_thread("dying", 1000);
	pthread_mutex_lock(&book.lock);
	from = now();
	sem_post(&ready);
	nap(3);
	spin(3);
	say_hold("book.lock", from, "");
	return NULL;
}

static void shape_dead(void)
{
	make_mutex(&book.lock, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_ROBUST);
	for (int i = 0; i < requests; i++) {
		start_thread(die_with_book, 0);
		await_ready(1);
		REQUEST(i, {
			WAIT("book.lock", if (pthread_mutex_lock(&book.lock) == EOWNERDEAD)
						  pthread_mutex_consistent(&book.lock));
			spin(1);
			pthread_mutex_unlock(&book.lock);
		});
	}
}

/* A lock of the kernel: a large write to a file keeps other writes waiting. */
#define LARGE (64u << 20)

static int written_file;
static char *large;

static void *write_file(void *arg)
{
	(void)arg;
	begin_thread("large", 1000);
	while (begin_turn(0)) {
		long long from;

		sem_post(&ready);
		from = now();
		if (pwrite(written_file, large, LARGE, 0) < 0)
			abort();
		SAY("hold inode %d %lld %lld ", self(), from, now());
	}
	return NULL;
}

static void shape_inode(void)
{
	written_file = memfd_create("written", 0);
	large = calloc(1, LARGE);
	start_thread(write_file, 0);
	for (int i = 0; i < requests; i++) {
		let(0);
		await_ready(1);
		nap(2);
		REQUEST(i, WAIT("inode", if (pwrite(written_file, large, 1, 0) < 0) abort()));
	}
}

/* A child that becomes another program. */
static void shape_exec(void)
{
	for (int i = 0; i < requests; i++)
		REQUEST(i, {
			int parent = asker;
			pid_t child = fork();

			if (!child) {
				SAY("thread %d %d", self(), 1000);
				work_for(1000);
				spin(2);
				say_wake(parent);
				execlp("sleep", "sleep", "0.005", NULL);
				_exit(1);
			}
			WAIT("child", waitpid(child, NULL, 0));
		});
}

/* The owner of the lock has a low priority, and another thread wants the CPU of all three. */
static void *hold_low(void *arg)
{
	pin();
	setpriority(PRIO_PROCESS, (id_t)self(), 5);
	return hold_book(arg);
}

static void shape_inversion(void)
{
	pin();
	start_thread(hold_low, 0);
	start_thread(hog, 1);
	for (int i = 0; i < requests; i++) {
		let(0);
		await_ready(1);
		REQUEST(i, HOLD("book.lock", &book.lock, spin(2)));
		nap(5); /* the hog says when it had the CPU */
	}
}

/* A lock of the program's own: it spins for a millisecond, then it sleeps. Only the waker is known. */
static int own_lock;

static void take_own_lock(void)
{
	long long until = now() + 1000000;

	while (now() < until)
		if (!__atomic_exchange_n(&own_lock, 1, __ATOMIC_ACQUIRE))
			return;
	while (__atomic_exchange_n(&own_lock, 2, __ATOMIC_ACQUIRE))
		WAIT("own_lock",
		     syscall(SYS_futex, &own_lock, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0));
}

static void give_own_lock(void)
{
	say_wake(asker);
	if (__atomic_exchange_n(&own_lock, 0, __ATOMIC_RELEASE) == 2)
		syscall(SYS_futex, &own_lock, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *hold_own_lock(void *arg)
{
	(void)arg;
	begin_thread("holder", 1000);
	while (begin_turn(0)) {
		take_own_lock();
		sem_post(&ready);
		nap(3);
		spin(3);
		give_own_lock();
	}
	return NULL;
}

static void shape_spins(void)
{
	start_thread(hold_own_lock, 0);
	ROUNDS(1, {
		take_own_lock();
		spin(1);
		give_own_lock();
	});
}

/* A read by io_uring, of what another thread writes. Without liburing: one entry at a time. */
struct ring {
	int file;
	unsigned *sq_tail, *sq_mask, *sq_array, *cq_head, *cq_tail;
	struct io_uring_sqe *entries;
};

/* Returns whether this kernel and its settings have it. */
static int open_ring(struct ring *ring)
{
	struct io_uring_params params = { 0 };
	char *sq, *cq;

	ring->file = (int)syscall(SYS_io_uring_setup, 1, &params);
	if (ring->file < 0)
		return 0;
	sq = mmap(NULL, params.sq_off.array + params.sq_entries * sizeof(unsigned),
		  PROT_READ | PROT_WRITE, MAP_SHARED, ring->file, IORING_OFF_SQ_RING);
	cq = mmap(NULL, params.cq_off.cqes + params.cq_entries * sizeof(struct io_uring_cqe),
		  PROT_READ | PROT_WRITE, MAP_SHARED, ring->file, IORING_OFF_CQ_RING);
	ring->entries = mmap(NULL, params.sq_entries * sizeof(struct io_uring_sqe),
			     PROT_READ | PROT_WRITE, MAP_SHARED, ring->file, IORING_OFF_SQES);
	if (sq == MAP_FAILED || cq == MAP_FAILED || ring->entries == MAP_FAILED)
		abort();
	ring->sq_tail = (unsigned *)(sq + params.sq_off.tail);
	ring->sq_mask = (unsigned *)(sq + params.sq_off.ring_mask);
	ring->sq_array = (unsigned *)(sq + params.sq_off.array);
	ring->cq_head = (unsigned *)(cq + params.cq_off.head);
	ring->cq_tail = (unsigned *)(cq + params.cq_off.tail);
	return 1;
}

static void read_by_ring(struct ring *ring, int file, void *to, unsigned size)
{
	unsigned at = *ring->sq_tail & *ring->sq_mask;

	ring->entries[at] = (struct io_uring_sqe){
		.opcode = IORING_OP_READ, .fd = file, .addr = (uintptr_t)to, .len = size
	};
	ring->sq_array[at] = at;
	__atomic_store_n(ring->sq_tail, *ring->sq_tail + 1, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, ring->file, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0)
		abort();
	__atomic_store_n(ring->cq_head, __atomic_load_n(ring->cq_tail, __ATOMIC_ACQUIRE),
			 __ATOMIC_RELEASE);
}

static void shape_ring(void)
{
	struct ring ring;
	uint64_t sum;

	if (!open_ring(&ring))
		not_here("this kernel does not permit io_uring");
	counter = eventfd(0, 0);
	start_thread(add_up, 0);
	ROUNDS(1, WAIT("ring", read_by_ring(&ring, counter, &sum, sizeof(sum))));
}

/* A file on a disk, of so many bytes. */
static int file_on_disk(size_t size)
{
	int file = open(".", O_TMPFILE | O_RDWR, 0600);
	struct statfs fs;

	if (file < 0 || fstatfs(file, &fs) || fs.f_type == TMPFS_MAGIC)
		not_here("the present folder is on no disk");
	large = large ? large : calloc(1, LARGE);
	if (pwrite(file, large, size, 0) != (ssize_t)size || fsync(file))
		not_here("the disk is full");
	return file;
}

/* fsync() of a little, while the disk has much of another writer to write. */
static void *sync_large(void *arg)
{
	int file = (int)(long)arg;

	begin_thread("large", 1000);
	while (begin_turn(0)) {
		if (pwrite(file, large, LARGE / 4, 0) < 0)
			abort();
		sem_post(&ready);
		fsync(file);
	}
	return NULL;
}

static void shape_fsync(void)
{
	int file = file_on_disk(4096);

	start_thread(sync_large, file_on_disk(LARGE / 4));
	ROUNDS(1, {
		long long from = now();

		if (pwrite(file, large, 4096, 0) < 0 || fsync(file))
			abort();
		SAY("device %d %lld %lld", asker, from, now());
	});
}

/* Three threads read different pages of a file that is not in memory. */
#define STORM (4u << 20)

static const char *stormed;

static void touch_pages(int first)
{
	for (size_t at = (size_t)first * 4096; at < STORM; at += 3 * 4096)
		spun += (unsigned long)stormed[at];
}

static void *touch_others(void *arg)
{
	int helper = (int)(long)arg;

	begin_thread("reader", 1000 + helper);
	while (begin_turn(helper)) {
		sem_post(&ready);
		touch_pages(1 + helper);
	}
	return NULL;
}

static void shape_faults(void)
{
	int file = file_on_disk(STORM);

	stormed = mmap(NULL, STORM, PROT_READ, MAP_SHARED, file, 0);
	madvise((void *)stormed, STORM, MADV_RANDOM); /* no page is read before it is wanted */
	start_thread(touch_others, 0);
	start_thread(touch_others, 1);
	for (int i = 0; i < requests; i++) {
		madvise((void *)stormed, STORM, MADV_DONTNEED);
		posix_fadvise(file, 0, STORM, POSIX_FADV_DONTNEED);
		let(0);
		let(1);
		await_ready(2);
		REQUEST(i, {
			long long from = now();

			touch_pages(0);
			SAY("device %d %lld %lld", asker, from, now());
		});
	}
}

/*
 * Locks of other languages: functions of the shared library LOCKS (tests/critical/locks.cc, locks.rs, parking.rs), which run a body with the
 * lock. If the lock has an owner, the log says who has it; otherwise the log says who woke whom.
 */
typedef void with_lock(void (*body)(void));

static struct {
	const char *name;
	int has_owner;
	with_lock *by_holder, *by_asker;
	long long asked;
} other;

static void hold_other(void)
{
	long long from = now();

	sem_post(&ready);
	nap(3);
	spin(3);
	if (other.has_owner)
		say_hold(other.name, from, "");
	else
		say_wake(asker);
}

static void have_other(void)
{
	SAY("wait %d %lld %lld %s", asker, other.asked, now(), other.name);
	spin(1);
}

static void *hold_others(void *arg)
{
	(void)arg;
	begin_thread("holder", 1000);
	while (begin_turn(0))
		other.by_holder(hold_other);
	return NULL;
}

static void ask_other(const char *name, int has_owner, const char *by_holder, const char *by_asker)
{
	const char *path = getenv("LOCKS");
	void *locks = path ? dlopen(path, RTLD_NOW) : NULL;

	if (!locks)
		not_here("LOCKS is no shared library");
	other.name = name;
	other.has_owner = has_owner;
	other.by_holder = (with_lock *)dlsym(locks, by_holder);
	other.by_asker = (with_lock *)dlsym(locks, by_asker);
	start_thread(hold_others, 0);
	ROUNDS(1, {
		other.asked = now();
		other.by_asker(have_other);
	});
}

static void shape_std_mutex(void)
{
	ask_other("book.lock", 1, "with_mutex", "with_mutex");
}

static void shape_std_shared(void)
{
	ask_other("shelf.lock", 1, "with_writer", "with_reader");
}

static void shape_rust_mutex(void)
{
	ask_other("BOOK", 0, "with_mutex", "with_mutex");
}

static void shape_rust_rwlock(void)
{
	ask_other("SHELF", 0, "with_writer", "with_reader");
}

/* The futex is the thread's own, not the lock's. */
static void shape_parking_mutex(void)
{
	ask_other("parked", 0, "with_mutex", "with_mutex");
}

static void shape_parking_rwlock(void)
{
	ask_other("parked", 0, "with_writer", "with_reader");
}

/* Goroutines: critical/run builds the program that has them. */
static void become_goroutines(const char *shape)
{
	const char *program = getenv("GOROUTINES");
	char nr[16];

	snprintf(nr, sizeof(nr), "%d", requests);
	if (program)
		execl(program, program, shape, nr, NULL);
	not_here("the variable GOROUTINES names no program");
}

static void shape_go_mutex(void)
{
	become_goroutines("go_mutex");
}

static void shape_go_channel(void)
{
	become_goroutines("go_channel");
}

/* Most requests find the lock free. Some find that "report" has it, which reads all items. */
struct item {
	long key;
	struct item *next;
};

static struct {
	pthread_mutex_t lock;
	struct item items[1000];
} store = { .lock = PTHREAD_MUTEX_INITIALIZER };

__attribute__((noipa)) static unsigned long scan(const struct item *first)
{
	unsigned long sum = 0;

	for (const struct item *item = first; item; item = item->next)
		sum += (unsigned long)item->key;
	return sum;
}

/* So much work that other waits are short beside it, also on a busy machine. */
static void scan_long(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	for (long long until = t.tv_sec * 1000000000ll + t.tv_nsec + 300 * 1000000ll;
	     t.tv_sec * 1000000000ll + t.tv_nsec < until;
	     clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t))
		for (int i = 0; i < 100; i++)
			spun += scan(store.items);
}

static void *report_items(void *arg)
{
	(void)arg;
	begin_thread("report", 1000);
	while (begin_turn(0)) {
		HOLD("store.lock", &store.lock, {
			sem_post(&ready);
			scan_long();
		});
	}
	return NULL;
}

static void shape_store(void)
{
	for (int i = 0; i < 999; i++)
		store.items[i].next = &store.items[i + 1];
	start_thread(report_items, 0);
	for (int i = 0; i < requests; i++) {
		if (i % 25 == 12) {
			let(0);
			await_ready(1);
		}
		REQUEST(i, {
			HOLD("store.lock", &store.lock, spin(1));
			nap(1);
		});
	}
}

static const struct {
	const char *name, *words;
	void (*run)(void);
} shapes[] = {
	{ "mutex", "mutex; the owner sleeps, then runs", shape_mutex },
	{ "recursive", "the same, recursive mutex", shape_recursive },
	{ "adaptive", "the same, adaptive mutex: it spins, then sleeps", shape_adaptive },
	{ "inherits", "the same, priority inheritance", shape_inherits },
	{ "robust", "the same, robust mutex", shape_robust },
	{ "convoy", "mutex; four threads want it at once", shape_convoy },
	{ "barging", "mutex; taken by a thread that did not sleep", shape_barging },
	{ "nested", "mutex; its owner waits for another mutex", shape_nested },
	{ "reader", "rwlock; a reader waits for a writer", shape_reader },
	{ "writer", "rwlock; a writer waits for two readers", shape_writer },
	{ "pool", "queue with a worker that has no work", shape_pool },
	{ "queue", "queue with a worker that works for another request", shape_queue },
	{ "barrier", "barrier; one thread is late", shape_barrier },
	{ "semaphore", "semaphore", shape_semaphore },
	{ "next", "mutex, then a semaphore that is posted later", shape_next },
	{ "join", "the end of a thread", shape_join },
	{ "chain", "pipes; a chain of four processes", shape_chain },
	{ "socket", "Unix socket; request and response", shape_socket },
	{ "eventfd", "eventfd", shape_eventfd },
	{ "epoll", "epoll; one of three descriptors", shape_epoll },
	{ "signal", "signal", shape_signal },
	{ "child", "fork, wait for the child", shape_child },
	{ "timers", "timers: nanosleep, poll", shape_timers },
	{ "tcp", "TCP over the loopback; request and response", shape_tcp },
	{ "tcp_epoll", "the same, the request waits in epoll_wait()", shape_tcp_epoll },
	{ "tcp_poll", "the same, in poll()", shape_tcp_poll },
	{ "tcp_alone", "the same, in read(); nobody records the other end", shape_tcp_alone },
	{ "peer", "(the other end)", shape_peer },
	{ "proxy", "TCP over the loopback; a proxy, and a server behind it", shape_proxy },
	{ "udp", "UDP over the loopback; request and response", shape_udp },
	{ "flock", "a lock on a file", shape_flock },
	{ "fcntl", "a lock on a part of a file, which another process has", shape_fcntl },
	{ "inode", "a lock of the kernel: a file that another thread writes", shape_inode },
	{ "dead", "robust mutex; its owner dies with it", shape_dead },
	{ "exec", "fork, exec, wait for the child", shape_exec },
	{ "store", "mutex, mostly free; sometimes held while a list is read", shape_store },
	{ "inversion", "mutex; its owner has a low priority, and a third thread has the CPU",
	  shape_inversion },
	{ "spins", "a lock of the program's own: it spins, then sleeps", shape_spins },
	{ "std_mutex", "std::mutex of C++", shape_std_mutex },
	{ "std_shared", "std::shared_mutex of C++; a reader waits for a writer", shape_std_shared },
	{ "rust_mutex", "Mutex of Rust's standard library", shape_rust_mutex },
	{ "rust_rwlock", "RwLock of Rust's standard library; a reader waits for a writer",
	  shape_rust_rwlock },
	{ "parking_mutex", "Mutex of parking_lot (Rust)", shape_parking_mutex },
	{ "parking_rwlock", "RwLock of parking_lot (Rust); a reader waits for a writer",
	  shape_parking_rwlock },
	{ "go_mutex", "sync.Mutex of Go, threads of goroutines", shape_go_mutex },
	{ "go_channel", "the same, a channel", shape_go_channel },
	{ "ring", "io_uring", shape_ring },
	{ "fsync", "fsync() while another thread writes much", shape_fsync },
	{ "faults", "page faults: three threads read a file from the disk", shape_faults },
	{ "cpu", "two threads on one CPU", shape_cpu },
	{ "cpus", "four threads of two processes on one CPU", shape_cpus },
};

static void write_span(FILE *f, int id, const char *name, long long from, long long to)
{
	fprintf(f,
		"{\"traceId\":\"01%030x\",\"spanId\":\"%016x\",\"name\":\"%s\","
		"\"startTimeUnixNano\":\"%lld\","
		"\"endTimeUnixNano\":\"%lld\"}",
		id, id, name, from, to);
}

static void write_spans(const char *path, long long offset)
{
	FILE *f = fopen(path, "w");
	long long from, to, first = 0, last = 0;
	int id, tid;

	if (!f)
		return;
	fputs("{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[", f);
	for (int i = 0; i < said->nr && i < MOST; i++) {
		if (sscanf(said->lines[i].text, "span %d %d %lld %lld", &id, &tid, &from, &to) != 4)
			continue;
		write_span(f, id, "checkout", from + offset, to + offset);
		fputc(',', f);
		first = first ? first : from;
		last = to;
	}
	write_span(f, 1000, "report", first + offset, last + offset);
	fputs("]}]}]}\n", f);
	fclose(f);
}

static void run_shape(void (*run)(void), const char *spans)
{
	struct timespec wall;
	long long offset;

	asker = self();
	begin_thread("asker", 999);
	run();
	stop = 1;
	clock_gettime(CLOCK_REALTIME, &wall);
	offset = wall.tv_sec * 1000000000ll + wall.tv_nsec - now();
	printf("clock %lld\n", offset);
	for (int i = 0; i < said->nr && i < MOST; i++)
		puts(said->lines[i].text);
	fflush(stdout);
	if (spans)
		write_spans(spans, offset);
	_exit(0);
}

int main(int argc, char **argv)
{
	said = mmap(NULL, sizeof(*said), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (said == MAP_FAILED)
		return 1;
	for (int k = 0; k < 4; k++)
		sem_init(&go[k], 0, 0);
	sem_init(&ready, 0, 0);
	if (argc > 2)
		requests = atoi(argv[2]);
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		if (argc < 2)
			printf("%s\t%s\n", shapes[i].name, shapes[i].words);
		else if (!strcmp(argv[1], shapes[i].name))
			run_shape(shapes[i].run, argc > 3 ? argv[3] : NULL);
	}
	return argc > 1;
}
