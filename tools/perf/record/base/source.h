/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where do the records of a recording come from? One struct source per origin, behind a
 * small table of functions: the kernel's rings (rings.c), what is found out about thread-local
 * storage (tls/source.c), thread states. The recorder calls them in this order:
 *
 *   prepare     main       attributes may still change; nothing is open; stages and observers are added
 *   open        main       the user's events are open, their rings mapped, nothing counts yet
 *   describe    main       the evsels and notes as the file will state them
 *   enable      main       counting begins (not for what starts with the command's exec)
 *   synthesize  collector  at the head of each file: what holds now and no record will tell
 *   drain       drainer    over and over: everything that waits goes into the outlet
 *   disable     main       counting ends; one more drain follows
 *   close       main       the threads are gone
 *
 * Every member but name and close may be NULL. A source that keeps state for both threads
 * guards it itself; drain and disable never run at the same time as open, describe or close.
 *
 * What a source may bring (all of it in prepare): events of the kernel (recording_add_events()), an event of
 * its own that no kernel counts (recording_add_evsel()), stages, observers; and fds to wait for. Threads are its
 * own business, from enable or open to disable or close; what they gather is put in drain.
 */
#ifndef RECORD_SOURCE_H
#define RECORD_SOURCE_H

#include <linux/perf_event.h>
#include <poll.h>

#include "base/error.h"
#include "base/types.h"
#include "perfdata/event.h"
#include "perfdata/info.h"
#include "perfevent/open.h"
#include "perfevent/proc.h"
#include "perfevent/ring.h"

struct record_options;
struct source;

#define OUTLET_NO_RING ((u32)-1)

/* Where whole records are put: the queue to the collector, the next stage, the consumers. */
struct outlet {
	void (*put)(struct outlet *out, const void *records, size_t size);
	u32 ring; /* of recording.rings, where what is put comes from; or OUTLET_NO_RING */
};

static inline void outlet_put(struct outlet *out, const void *records, size_t size)
{
	out->put(out, records, size);
}

/* Encodes @ev (perfdata/write/encode.h, with @evsel's trailer; NULL for tool records) and puts it. */
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

/* Events besides the user's. */
struct event_set {
	struct event_list list;
	bool side; /* carries side records where the user's cannot: on a target of its own, always on */
	const struct open_target *target;
	struct openset *set; /* once open */
};

/* What the sources of one recording share. Everything but the rings' positions is fixed once open. */
struct recording {
	const struct record_options *opts;
	const struct kernel_paths *paths;
	struct event_list *events; /* the user's; after opening, with what the kernel accepted */
	const struct open_target *target;
	struct openset
		*set; /* fds of @events on @target; NULL: no event of the user's is counted */
	GPtrArray *
		more_events; /* struct event_set *: the one for side records, and what sources add */
	GPtrArray *own_evsels; /* struct evsel *: recording_add_evsel() */
	GPtrArray *rings;      /* struct record_ring * */
	GPtrArray *sources;    /* struct source *, the rings' one first */
	/* Sources add theirs in prepare(), and free them. */
	GPtrArray *stages;	  /* struct stage *: what records go through, in this order */
	GPtrArray *observers;	  /* struct observer * */
	struct kernel_map kernel; /* where the kernel's text is; start and end 0: not known */
	GPtrArray *notes;	  /* char *: sentences for the user; added to while opening */
};

void recording_init(struct recording *rec, const struct record_options *opts,
		    const struct kernel_paths *paths);
void recording_release(struct recording *rec);

/*
 * For prepare(): adds events of the kernel. The caller appends them to the returned set's list,
 * with type, config and period. They are opened on the same target and count together with the
 * user's events. Their records are in the same rings; their ids tell them apart.
 */
struct event_set *recording_add_events(struct recording *rec);

/*
 * For prepare(): adds an event to the file that no kernel counts. The source itself makes its
 * samples: with the id evsel->ids[0], and IDENTIFIER, IP, TID and TIME as their first fields,
 * followed by what the source sets in attr. Times must be of the same clock as those of the
 * kernel's events.
 */
struct evsel *recording_add_evsel(struct recording *rec, const char *name);

struct source_ops {
	const char *name;
	bool (*prepare)(struct source *src, struct recording *rec, GError **error);
	bool (*open)(struct source *src, struct recording *rec, GError **error);
	/* @evsels are the file's copies. Notes go to @info (perfdata_info_add_note()). */
	void (*describe)(struct source *src, struct evsel *const *evsels, u32 nr,
			 struct perfdata_info *info);
	bool (*enable)(struct source *src, GError **error);
	bool (*disable)(struct source *src, GError **error);
	void (*synthesize)(struct source *src, struct outlet *out);
	/* @last: nothing more will come, so nothing may be held back. */
	void (*drain)(struct source *src, struct outlet *out, bool last);
	/*
	 * Drainer: appends fds to wait for (struct pollfd), in addition to the timer. Before each
	 * round, polled() gets the result of poll() for these. It returns false when this source
	 * will get no more records. The recording ends when all sources that have polled() said so.
	 */
	void (*poll_fds)(struct source *src, GArray *fds);
	bool (*polled)(struct source *src, const struct pollfd *fds, u32 nr);
	/*
	 * Drainer, after drain(): a lower bound for the time of all records that this source will
	 * put later. For sources that hand over records later than in the round after they
	 * happened: a reader is then not told to release newer records. NULL: everything that
	 * happened before a round began is put in that round.
	 */
	u64 (*position)(struct source *src);
	/* Sentences about what was missed, for the closing lines, of which each is printed as one;
	 * NULL when there are none. */
	char *(*summary)(struct source *src);
	void (*close)(struct source *src);
};

struct source {
	const struct source_ops *ops;
};

#endif
