/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where do the records of a recording come from? One struct source per origin, behind a
 * small table of functions: the kernel's rings (rings.c), the bytes of thread-local storage
 * that a BPF program adds to them, thread states. The recorder (recorder.c) calls them in
 * this order:
 *
 *   prepare     main     attributes may still change; nothing is open
 *   open        main     the user's events are open, their rings mapped, nothing counts yet
 *   describe    main     the evsels and notes as the file will state them
 *   enable      main     counting begins (not for what starts with the command's exec)
 *   synthesize  writer   at the head of each file: what holds now and no record will tell
 *   drain       drainer  over and over: everything that waits goes into the outlet
 *   pass        drainer  one record from a ring on its way there (filters only)
 *   disable     main     counting ends; one more drain follows
 *   close       main     the threads are gone
 *
 * Every member but name and close may be NULL. A source that keeps state for both threads
 * guards it itself; pass, drain and disable never run at the same time as open, describe or close.
 */
#ifndef RECORD_SOURCE_H
#define RECORD_SOURCE_H

#include <linux/perf_event.h>

#include "base/error.h"
#include "base/types.h"
#include "perfdata/event.h"
#include "perfdata/info.h"
#include "perfevent/open.h"
#include "perfevent/proc.h"
#include "perfevent/ring.h"

struct record_options;
struct source;

/* Where whole records are put: the queue to the writer, or the file itself. */
struct outlet {
	void (*put)(struct outlet *out, const void *records, size_t size);
};

static inline void outlet_put(struct outlet *out, const void *records, size_t size)
{
	out->put(out, records, size);
}

/* Encodes @ev (perfdata/encode.h, with @evsel's trailer; NULL for tool records) and puts it. */
bool outlet_event(struct outlet *out, const struct event *ev, const struct evsel *evsel,
		  GError **error);

/* One mapped ring. All fds that write into it are of one CPU (or, with --per-thread, one thread). */
struct record_ring {
	struct ring ring;
	s32 cpu;     /* -1: any */
	pid_t tid;   /* -1: of no single thread */
	GArray *fds; /* int: all that write here, the mapped one first */
	u32 polled;  /* which of them is waited for */
	bool ended;  /* all of them report the end of their threads */
};

/* What the sources of one recording share. Everything but the rings' positions is fixed once open. */
struct recording {
	const struct record_options *opts;
	const struct kernel_paths *paths;
	struct event_list *events; /* the user's; after opening, with what the kernel accepted */
	const struct open_target *target;
	struct openset *set; /* fds of @events on @target */
	/* The event that carries side records where the user's cannot; NULL: there is none. */
	struct openset *side_set;
	const struct open_target *side_target;
	GPtrArray *rings;	  /* struct record_ring * */
	GPtrArray *sources;	  /* struct source *, the rings' one first */
	GPtrArray *observers;	  /* struct observer *; sources add theirs in prepare() */
	struct kernel_map kernel; /* where the kernel's text is; start and end 0: not known */
	GPtrArray *notes;	  /* char *: sentences for the user; added to while opening */
};

struct source_ops {
	const char *name;
	bool (*prepare)(struct source *src, struct recording *rec, GError **error);
	bool (*open)(struct source *src, struct recording *rec, GError **error);
	/* @evsels are the file's copies: a source that adds fields to samples says so in their
	 * attributes. Notes go to @info (perfdata_info_add_note()). */
	void (*describe)(struct source *src, struct evsel *const *evsels, u32 nr,
			 struct perfdata_info *info);
	bool (*enable)(struct source *src, GError **error);
	bool (*disable)(struct source *src, GError **error);
	void (*synthesize)(struct source *src, struct outlet *out);
	/* @last: nothing more will come, so nothing may be held back. */
	void (*drain)(struct source *src, struct outlet *out, bool last);
	/* A filter on rings: at most one source has it. It passes @record on, changed or not,
	 * now or with a later one of the same ring; @ring is the index in recording.rings. */
	void (*pass)(struct source *src, u32 ring, const struct perf_event_header *record,
		     struct outlet *out);
	/* Sentences about what was missed, for the closing lines, of which each is printed as one;
	 * NULL when there are none. */
	char *(*summary)(struct source *src);
	void (*close)(struct source *src);
};

struct source {
	const struct source_ops *ops;
};

#endif
