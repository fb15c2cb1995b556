/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libactivity: a thread says what it is working for, so that a profiler's samples say it too.
 *
 * An activity is a 16-byte trace id and an 8-byte span id, both in the byte order of the W3C
 * trace context. A thread sets it when it takes up a request and clears it when it puts the
 * request down; `perf record --sample-tls` then stores it with each of that thread's samples,
 * and `perf report -s activity` adds the samples up by it.
 *
 *	activity_set(request->trace_id, request->span_id);
 *	handle(request);
 *	activity_clear();
 *
 * It may have spans within spans, follow its work to another thread or fiber, and carry
 * attributes such as a route. What is published is at the same time an OpenTelemetry thread
 * context (OTEP 4947) with its process context (OTEP 4719), for whoever reads those.
 *
 * Where nothing else is stated, a function concerns the calling thread only, takes a few
 * nanoseconds, makes no system call, allocates nothing, takes no lock, and may be called from a
 * signal handler, also from one that interrupted any of these functions. A new thread has no
 * activity. The child of a fork keeps that of the thread which forked; after an exec there is
 * none.
 *
 * A sample that hits the middle of a change reads as "being updated", never as a mix of two
 * ids. In a signal handler that interrupted a change nothing can be changed: its calls do
 * nothing, and its samples read as being updated. One that leaves such a change for good, by
 * siglongjmp, must be followed by activity_restore() of what activity_save() saved before.
 *
 * What lies in memory, and how it is found from outside, is written down in
 * Documentation/formats/activity-record.md.
 *
 * Link as `pkg-config --libs libactivity` says: with the shared library, or with -l:libactivity.a for
 * -lactivity. The static library keeps the record close to the thread pointer, where a sample looks
 * first, and the other options make the program export the symbols by which readers find it.
 * Without the library: define ACTIVITY_HEADER_ONLY in each file that
 * includes this header, and _GNU_SOURCE before any header; and export the symbols
 * `activity_record` and `otel_thread_ctx_v1`.
 *
 * C11 and C++11, gcc and clang, little-endian. The struct sizes are part of the ABI.
 */
#ifndef ACTIVITY_H
#define ACTIVITY_H

#if defined(ACTIVITY_HEADER_ONLY) && !defined(_GNU_SOURCE)
#error "ACTIVITY_HEADER_ONLY needs -D_GNU_SOURCE: before the first header, best for the whole program"
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fast functions are compiled into their callers, slow ones are not; helpers are not for callers. */
#ifdef ACTIVITY_LIBRARY /* the library itself: every function once, for all callers */
#define ACTIVITY_HELPER	 static inline
#define ACTIVITY_FAST	 __attribute__((visibility("default")))
#define ACTIVITY_SLOW	 __attribute__((visibility("default")))
#define ACTIVITY_DATA	 __attribute__((visibility("default")))
#define ACTIVITY_PRIVATE __attribute__((visibility("hidden")))
#elif defined(ACTIVITY_HEADER_ONLY)
#define ACTIVITY_HELPER	 static inline
#define ACTIVITY_FAST	 static inline __attribute__((unused))
#define ACTIVITY_SLOW	 __attribute__((weak, noinline))
#define ACTIVITY_DATA	 __attribute__((weak, visibility("default")))
#define ACTIVITY_PRIVATE __attribute__((weak))
#else
#define ACTIVITY_HELPER extern inline __attribute__((gnu_inline, always_inline))
#define ACTIVITY_FAST	ACTIVITY_HELPER
#define ACTIVITY_SLOW
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define ACTIVITY_TRACE_ID_SIZE	 16
#define ACTIVITY_SPAN_ID_SIZE	 8
#define ACTIVITY_ATTRIBUTES_SIZE 164 /* of all attributes of an activity, 2 bytes extra for each */
#define ACTIVITY_KEYS_MAX	 256

/* What activity_push() keeps for activity_pop(). The members are the library's own. */
struct activity_span {
	uint64_t root, parent, span, tail;
};

/* Of a whole activity but its attributes. */
struct activity_whole {
	uint64_t root, parent, trace[2], span, tail;
};

/* A thread's activity with its attributes, put aside. All zero is no activity. */
struct activity_context {
	struct activity_whole ids;
	uint16_t size; /* of the attributes, where ids says that there are any */
	uint8_t attributes[ACTIVITY_ATTRIBUTES_SIZE];
};

/* What activity_look() tells. All zero where there is no activity. */
struct activity_ids {
	uint8_t trace_id[ACTIVITY_TRACE_ID_SIZE], span_id[ACTIVITY_SPAN_ID_SIZE];
	uint8_t parent_id[ACTIVITY_SPAN_ID_SIZE]; /* of the span around, zero where it was set */
	uint8_t root_id[ACTIVITY_SPAN_ID_SIZE];	  /* of the outermost span */
	uint32_t depth;				  /* 1 for what was set, one more for each push */
	uint8_t flags;				  /* W3C trace flags */
};

#ifndef ACTIVITY_HEADER_ONLY
/*
 * Makes (@trace_id, @span_id) the calling thread's activity, without attributes and with trace
 * flags 0; both ids are copied. Two ids that are all zero are no activity.
 */
void activity_set(const uint8_t trace_id[ACTIVITY_TRACE_ID_SIZE],
		  const uint8_t span_id[ACTIVITY_SPAN_ID_SIZE]);

/* The calling thread works for no activity from here on. */
void activity_clear(void);

/*
 * Starts the span @span_id within the current span, which becomes its parent. activity_pop() with the same @before ends
 * it. Spans nest without a limit (depth is counted modulo 2^24). Without an activity, this function and activity_pop()
 * change nothing.
 */
void activity_push(struct activity_span *before, const uint8_t span_id[ACTIVITY_SPAN_ID_SIZE]);

/*
 * Returns to the span before the push, even if later pushes were not popped (an exception or longjmp may have skipped
 * them). Attributes do not change. If the thread has another activity by now, or none, nothing changes.
 */
void activity_pop(const struct activity_span *before);

/*
 * For schedulers in user space and event loops: saves the calling thread's activity to @save and sets that of @next. Both
 * may be the same struct.
 */
void activity_swap(struct activity_context *save, const struct activity_context *next);
#endif

/*
 * Copies the calling thread's activity to @trace_id and @span_id and returns true. Without one,
 * and in a signal handler that interrupted a change of it, both are zeroed and the result is
 * false.
 */
ACTIVITY_SLOW bool activity_get(uint8_t trace_id[ACTIVITY_TRACE_ID_SIZE],
				uint8_t span_id[ACTIVITY_SPAN_ID_SIZE]);

/* The same, with parent, root, depth and flags. */
ACTIVITY_SLOW bool activity_look(struct activity_ids *ids);

/* The W3C trace flags of the present activity; nothing without one. */
ACTIVITY_SLOW void activity_flags(uint8_t flags);

/*
 * Puts a copy of the calling thread's activity into @context; the activity stays. Saved before a
 * sigsetjmp or try, restored where the longjmp or exception arrives, on the same thread.
 */
ACTIVITY_SLOW void activity_save(struct activity_context *context);
ACTIVITY_SLOW void activity_restore(const struct activity_context *context);

/*
 * For work that moves to another thread. Detach saves the calling thread's activity to @context and clears it. Attach, on
 * any thread, replaces the thread's activity by that of @context. A context may be attached many times.
 */
ACTIVITY_SLOW void activity_detach(struct activity_context *context);
ACTIVITY_SLOW void activity_attach(const struct activity_context *context);

/*
 * A new random id, never all zero. A thread's first call, and its first after a fork, asks the
 * kernel for a seed; parent and child of a fork go on with different ids.
 */
ACTIVITY_SLOW void activity_new_span_id(uint8_t span_id[ACTIVITY_SPAN_ID_SIZE]);
ACTIVITY_SLOW void activity_new_trace_id(uint8_t trace_id[ACTIVITY_TRACE_ID_SIZE]);

/*
 * The index of the attribute key @name, the same in all threads until the process ends; -1 where
 * there are ACTIVITY_KEYS_MAX of them, @name is empty or longer than 63 bytes, or the process
 * cannot publish it. Publishes the name to readers, see activity_describe(): to be called at
 * start, once per key, and not from a signal handler.
 */
ACTIVITY_SLOW int activity_key(const char *name);

/*
 * The present activity has the attribute @value, @size bytes of UTF-8, for @key, in place of an
 * earlier one; size 0 takes it away. It lasts until another activity is set, and goes with
 * it through save, detach and swap. False, and nothing changes, without an activity, for a key
 * that is none, and where all attributes would be more than ACTIVITY_ATTRIBUTES_SIZE bytes.
 */
ACTIVITY_SLOW bool activity_attribute(int key, const char *value, size_t size);

/*
 * Says of the process what readers add to all its samples, by the names of OpenTelemetry's
 * resource attributes: activity_describe("service.name", "orders"). Names and values of up to 63
 * bytes, 32 of them; a later value for a name replaces the earlier. False where that does not do or
 * nothing can be published. Publishes a process context of OTEP 4719: allocates, takes a lock,
 * makes system calls, is not for signal handlers. The child of a fork publishes its own.
 */
ACTIVITY_SLOW bool activity_describe(const char *name, const char *value);

#ifdef __cplusplus
}
#endif

#ifndef ACTIVITY_NO_INLINE
#include "activity/inline.h"
#endif
#ifdef ACTIVITY_HEADER_ONLY
#include "activity/slow.h"
#include "activity/publish.h"
#endif

#ifdef __cplusplus
/* Scope guards for C++. */
namespace activity
{

/* For the guard's lifetime the thread works for the activity; then for what it did before. */
class scope
{
      public:
	scope(const uint8_t trace_id[ACTIVITY_TRACE_ID_SIZE],
	      const uint8_t span_id[ACTIVITY_SPAN_ID_SIZE])
	{
		activity_save(&before_);
		activity_set(trace_id, span_id);
	}
	explicit scope(const activity_context &context)
	{
		activity_save(&before_);
		activity_attach(&context);
	}
	~scope()
	{
		activity_restore(&before_);
	}
	scope(const scope &) = delete;
	scope &operator=(const scope &) = delete;

      private:
	activity_context before_;
};

/* A span within the present one, with a new id where none is given. */
class span
{
      public:
	span()
	{
		uint8_t id[ACTIVITY_SPAN_ID_SIZE];

		activity_new_span_id(id);
		activity_push(&before_, id);
	}
	explicit span(const uint8_t span_id[ACTIVITY_SPAN_ID_SIZE])
	{
		activity_push(&before_, span_id);
	}
	~span()
	{
		activity_pop(&before_);
	}
	span(const span &) = delete;
	span &operator=(const span &) = delete;

      private:
	activity_span before_;
};

} // namespace activity
#endif

#endif
