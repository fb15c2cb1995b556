/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A source produces records of a recording: the kernel's rings (rings.c), thread-local storage (tls/source.c), thread
 * states (wall_source.c). Each source is a table of functions. The recorder calls them by these threads, in this order:
 *
 *   prepare     main       attributes may still change; nothing is open; stages and observers are added
 *   open        main       the user's events are open, their rings mapped, nothing counts yet
 *   describe    main       gets the evsels and notes of the file
 *   enable      main       counting begins (except for events that start with the command's exec)
 *   synthesize  collector  at the head of each file: the present state, as far as no later record reports it
 *   drain       drainer    repeatedly: puts all waiting records into the outlet
 *   attend      main       if the source has asked for it (ALERT_ATTEND)
 *   disable     main       counting has ended, and side records go on until the last source is disabled; one more drain follows
 *   conclude    collector  at the end of each file: notes on what the recording has found out
 *   close       main       the threads have ended
 *
 * Every member except name and close may be NULL. A source must itself protect state that both threads use. drain and
 * disable never run at the same time as open, describe or close.
 *
 * In prepare, a source may add: events of the kernel (recording_add_events()), events that the kernel does not count
 * (recording_add_evsel()), stages, observers. It may also have fds to wait for. A source may run its own threads, from
 * enable or open to disable or close. Records of these threads are put in drain.
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
struct renumbered; /* "record/renumbered.h" */
struct seen_files;
struct source;

#define OUTLET_NO_RING ((u32)-1)

/* A receiver of whole records: the queue to the collector, the next stage, the consumers. */
struct outlet {
	void (*put)(struct outlet *out, const void *records, size_t size);
	u32 ring; /* the records' origin, an index of recording.rings; or OUTLET_NO_RING */
};

static inline void outlet_put(struct outlet *out, const void *records, size_t size)
{
	out->put(out, records, size);
}

/* Encodes @ev by perfdata/write/encode.h, with @evsel's trailer (NULL for tool records), and puts it. */
bool outlet_event(struct outlet *out, const struct event *ev, const struct evsel *evsel,
		  GError **error);

/* A mapped ring. All fds that write into it are of one CPU, or with --per-thread of one thread. */
struct record_ring {
	struct ring ring;
	s32 cpu;     /* -1: any */
	pid_t tid;   /* -1: several threads */
	GArray *fds; /* int: all fds that write into it, the mapped one first */
	u32 polled;  /* index of the fd that is polled */
	bool ended;  /* the threads of all fds have ended */
	struct renumbered
		*renumbered; /* atomic: the ids of its records are replaced; NULL: they are not */
};

/* Events besides the user's. */
struct event_set {
	struct event_list list;
	bool side; /* the dummy event for side records: it has its own target, and is always enabled */
	const struct open_target *target;
	struct openset *set; /* once open */
};

/* Shared by the sources of a recording. After opening, only the rings' positions change. */
struct recording {
	const struct record_options *opts;
	const struct kernel_paths *paths;
	struct event_list *events; /* the user's; after opening, as the kernel accepted them */
	const struct open_target *target;
	struct openset *set;	/* fds of @events on @target; NULL: no user event is counted */
	GPtrArray *more_events; /* struct event_set *: for side records, and those of sources */
	GPtrArray *own_evsels;	/* struct evsel *: recording_add_evsel() */
	GPtrArray *rings;	/* struct record_ring * */
	GPtrArray *sources;	/* struct source *, that of the rings first */
	/* Sources add these in prepare(), and free them. */
	GPtrArray *stages;    /* struct stage *: records pass them in this order */
	GPtrArray *observers; /* struct observer * */
	struct kernel_map
		kernel;	       /* address range of the kernel's text; start and end 0: not known */
	GPtrArray *notes;      /* char *: sentences for the user, added while opening */
	struct alerts *alerts; /* a source whose thread fails raises ALERT_FAILED */
	struct seen_files *
		seen; /* the mapped files so far; NULL: nobody has looked ("record/seen_files.h") */
	const u64 *asked; /* atomic: recorder_answer(); NULL: nobody asks */
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
	/* False with @error also if the source has failed since enable(). */
	bool (*disable)(struct source *src, GError **error);
	void (*synthesize)(struct source *src, struct outlet *out);
	/*
	 * @last: all records must be put. It is the last call of a file, so there are several with --switch-output, and
	 * a reader may ask for one at any time ("recording.asked"). A count of the whole recording, which a reader of
	 * the files adds up, is put as the difference from the last time.
	 */
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
	/* Adds notes to @info that describe() did not know, each once. */
	void (*conclude)(struct source *src, struct perfdata_info *info);
	/* Main, while collecting: after the source has raised ALERT_ATTEND. For work on events, which no other thread may do. */
	void (*attend)(struct source *src);
	/* Sentences about what was missed, for the closing lines, of which each is printed as one;
	 * NULL when there are none. */
	char *(*summary)(struct source *src);
	void (*close)(struct source *src);
};

struct source {
	const struct source_ops *ops;
};

#endif
