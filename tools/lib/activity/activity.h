/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libactivity: publish what a thread works for, so that a profiler's samples have it.
 *
 * A thread's activity is the request for which it works: a 16-byte trace id and an 8-byte span id, both in the byte
 * order of the W3C trace context. A thread sets it when it starts to work on a request, and clears it afterwards.
 * `perf record --sample-tls` stores it with each sample of the thread, and `perf report -s activity` sums the samples
 * by it.
 *
 *	activity_set(request->trace_id, request->span_id);
 *	handle(request);
 *	activity_clear();
 *
 * An activity can have nested spans, can move to another thread or fiber, and can have attributes such as a route. It
 * is also published as an OpenTelemetry thread context (OTEP 4947) with its process context (OTEP 4719), for other
 * readers.
 *
 * Unless stated otherwise, a function acts only on the calling thread, takes a few nanoseconds, makes no system call,
 * allocates nothing, takes no lock, and may be called from a signal handler, also from a handler that interrupted one
 * of these functions. A new thread has no activity. The child of a fork keeps the activity of the thread that called
 * fork. After an exec there is none.
 *
 * A sample that hits the middle of a change is reported as "being updated", never as a mix of two ids. A signal handler
 * that interrupted a change cannot change anything: its calls do nothing, and its samples are reported as being
 * updated. If it leaves the interrupted change for good, by siglongjmp, activity_restore() must follow, with a context
 * from activity_save().
 *
 * The memory layout, and how readers find it, are described in Documentation/formats/activity-record.md.
 *
 * Link as `pkg-config --libs libactivity` says: with the shared library, or with -l:libactivity.a for -lactivity. The
 * static library keeps the record close to the thread pointer, where a sample looks first, and the other options make
 * the program export the symbols by which readers find it. Without the library: define ACTIVITY_HEADER_ONLY in each
 * file that includes this header, and _GNU_SOURCE before any header; and export the symbols `activity_record` and
 * `otel_thread_ctx_v1`.
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

/* Fast functions are inlined into their callers. Slow ones are not. Helpers are internal. */
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

/* The state that activity_push() saves for activity_pop(). The members are private. */
struct activity_span {
	uint64_t root, parent, span, tail;
};

/* An activity without its attributes. */
struct activity_whole {
	uint64_t root, parent, trace[2], span, tail;
};

/* A saved activity with its attributes. All zero: no activity. */
struct activity_context {
	struct activity_whole ids;
	uint16_t size; /* of the attributes, if ids says that there are any */
	uint8_t attributes[ACTIVITY_ATTRIBUTES_SIZE];
};

/* The result of activity_look(). All zero: there is no activity. */
struct activity_ids {
	uint8_t trace_id[ACTIVITY_TRACE_ID_SIZE], span_id[ACTIVITY_SPAN_ID_SIZE];
	uint8_t parent_id[ACTIVITY_SPAN_ID_SIZE]; /* of the enclosing span; zero at depth 1 */
	uint8_t root_id[ACTIVITY_SPAN_ID_SIZE];	  /* of the outermost span */
	uint32_t depth; /* 1 after activity_set(), one more for each push */
	uint8_t flags;	/* W3C trace flags */
};

#ifndef ACTIVITY_HEADER_ONLY
/*
 * Sets the calling thread's activity to (@trace_id, @span_id), without attributes and with trace flags 0. Both ids are
 * copied. If both are all zero, the thread has no activity.
 */
void activity_set(const uint8_t trace_id[ACTIVITY_TRACE_ID_SIZE],
		  const uint8_t span_id[ACTIVITY_SPAN_ID_SIZE]);

/* The calling thread has no activity from now on. */
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
 * For schedulers in user space and event loops: saves the calling thread's activity to @save and sets that of @next.
 * Both may be the same struct.
 */
void activity_swap(struct activity_context *save, const struct activity_context *next);
#endif

/*
 * Copies the calling thread's activity to @trace_id and @span_id. False, and both ids are zeroed: there is no activity,
 * or the caller is a signal handler that interrupted a change.
 */
ACTIVITY_SLOW bool activity_get(uint8_t trace_id[ACTIVITY_TRACE_ID_SIZE],
				uint8_t span_id[ACTIVITY_SPAN_ID_SIZE]);

/* The same, with parent, root, depth and flags. */
ACTIVITY_SLOW bool activity_look(struct activity_ids *ids);

/* Sets the W3C trace flags of the current activity. Does nothing if there is no activity. */
ACTIVITY_SLOW void activity_flags(uint8_t flags);

/*
 * Copies the calling thread's activity to @context; the activity stays. Save it before sigsetjmp or try, and restore it
 * where the longjmp or exception arrives, on the same thread.
 */
ACTIVITY_SLOW void activity_save(struct activity_context *context);
ACTIVITY_SLOW void activity_restore(const struct activity_context *context);

/*
 * For work that moves to another thread. Detach saves the calling thread's activity to @context and clears it. Attach,
 * on any thread, replaces the thread's activity by that of @context. A context may be attached many times.
 */
ACTIVITY_SLOW void activity_detach(struct activity_context *context);
ACTIVITY_SLOW void activity_attach(const struct activity_context *context);

/*
 * Makes a new random id, never all zero. A thread's first call, and its first call after a fork, gets a seed from the
 * kernel. Parent and child of a fork get different ids.
 */
ACTIVITY_SLOW void activity_new_span_id(uint8_t span_id[ACTIVITY_SPAN_ID_SIZE]);
ACTIVITY_SLOW void activity_new_trace_id(uint8_t trace_id[ACTIVITY_TRACE_ID_SIZE]);

/*
 * The index of the attribute key @name. It is the same in all threads and does not change. -1: there are
 * ACTIVITY_KEYS_MAX keys already, @name is empty or longer than 63 bytes, or the process cannot publish the name. It
 * publishes the name to readers, see activity_describe(). Call it at start, once per key, and not from a signal
 * handler.
 */
ACTIVITY_SLOW int activity_key(const char *name);

/*
 * Sets the attribute @key of the current activity to @value, @size bytes of UTF-8. It replaces an earlier value; size 0
 * removes the attribute. The attribute lasts until another activity is set; save, detach and swap keep it with its
 * activity. False, and nothing changes: there is no activity, @key is invalid, or all attributes would need more than
 * ACTIVITY_ATTRIBUTES_SIZE bytes.
 */
ACTIVITY_SLOW bool activity_attribute(int key, const char *value, size_t size);

/*
 * Publishes a fact about the process, which readers add to all its samples. Names are those of OpenTelemetry's resource
 * attributes: activity_describe("service.name", "orders"). At most 32 facts; names and values have at most 63 bytes. A
 * later value for a name replaces the earlier one. False: a limit is exceeded, or nothing can be published. It
 * publishes a process context of OTEP 4719: it allocates, takes a lock, makes system calls, and must not be called from
 * signal handlers. The child of a fork publishes its own facts.
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

/* Sets the activity for the guard's lifetime. Afterwards the thread has its previous activity again. */
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

/* A span within the current span. If no id is given, it gets a new one. */
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
