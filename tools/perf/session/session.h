/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session reads one recording. It opens the file, builds the machine (threads, maps,
 * symbols) from the side-band records and hands out samples as places.
 *
 * A seekable file is read twice: session_open() passes over the records that change the
 * machine, which keeps them as versions by time; session_each_sample() then reads samples
 * in the file's order and looks each one up at its own time. On a pipe both happen in one pass
 * in time order. Options and filters are fixed at opening. What a session gives out
 * (code, threads, dsos) lives until session_close().
 */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include <glib.h>

#include "base/error.h"
#include "base/progress.h"
#include "base/types.h"
#include "dso/dsos.h"
#include "resolve/place.h"
#include "resolve/resolve.h"
#include "resolve/waited.h"
#include "typeflow/typeflow.h"

struct chain_ends;
struct event;
struct evsel;
struct machine;
struct packed;
struct perfdata;
struct progress_watch;
struct spans;

/* Selects the samples that count; NULL: all. The strings are as the user wrote them. */
struct session_filter {
	const char *comms;   /* csv, or file:///path with one name per line */
	const char *dsos;    /* csv, short or long names */
	const char *symbols; /* csv of symbol names with parameters or without, or 0xADDR */
	u64 addr_range; /* an address in @symbols stands for this many bytes from it; 0: for it alone */
	const char *symbol_part; /* substring of the symbol's name */
	const char *pids, *tids; /* csv of numbers */
	const char *cpus;	 /* "0,2-4" */
	const char *sockets;	 /* "0,2-3": processor sockets, by the header's topology */
	const char *parallelism; /* "1-2,8": threads on a CPU at the time */
	bool with_parent;	 /* a function on the call chain matches the resolver's parent */
	const char *traces;	 /* csv of trace ids; of values that are no ids as they print */
	const GPtrArray *spans;	 /* const char *: span ids, or patterns of names; one must fit */
	const GPtrArray *labels; /* const char *: KEY=PATTERN; all must fit */
	const char *time;	 /* "a,b" in s.ns, "10%-20%", "10%/2", several: see times.h */
	const char *switch_on, *switch_off; /* names of events: see switches.h */
	bool show_switches;		    /* samples of these two events count, too */
};

struct session_options {
	const char *input;	 /* NULL = perfdata_default_path(), "-" = stdin */
	struct perfdata *opened; /* what is read instead, taken over; NULL: none */
	const GPtrArray *beside; /* const char *: further files, to be read as one with it */
	struct dso_options dso;
	struct resolver_options resolver;
	struct session_filter filter;
	const GPtrArray *span_files;  /* const char *: what to read of spans, see spans/load.h */
	const GPtrArray *span_labels; /* const char *: attributes that are wanted of them */
	const GPtrArray
		*trace_names; /* const char *: labels that are trace ids, besides those known */
	const GPtrArray *span_names; /* likewise of spans */
	bool charge_interrupts; /* samples of softirqs and interrupts count for the activity they hit */
	enum access_rank type_min; /* data types known less well are unknown */
	enum skid_mode skid; /* which instruction a sample is charged to, see resolve/waited.h */
	int threads;	     /* that read records; 0 and less: as many as there are CPUs */
	u32 part_size;	     /* bytes that a thread reads at a time; 0: as many as are good */
	size_t numbers_size; /* memory for the numbers of samples that are alike; 0: 128 MB */
	bool force;	     /* files of other owners are read as well */
	bool unsplit;	     /* samples with the values of a group stay one, see group_reads.h */
	bool header_only;    /* nothing is asked of records: only those of a pipe are read */
	bool show_progress;  /* a line on stderr when that is a terminal */
	bool verbose; /* stderr gets a line for each build-id of the header, as upstream prints it */
	struct progress_watch
		watch; /* as session_set_watch(), for opening, too; all 0: nobody watches */
};

/* Why a filter keeps a sample out of the rows although it is counted. */
enum session_filtered {
	FILTERED_THREAD = 1 << 0, /* comm, pid or tid */
	FILTERED_DSO = 1 << 1,
	FILTERED_SYMBOL = 1 << 2,
	FILTERED_PARENT = 1 << 3,
	FILTERED_PARALLELISM = 1 << 4,
	FILTERED_ACTIVITY = 1 << 5, /* trace, span or label */
	FILTERED_SOCKET = 1 << 6,
	FILTERED_CODE = FILTERED_DSO | FILTERED_SYMBOL,
};

struct session;

/*
 * Several files, of several machines perhaps, are sessions beside each other: the first one is
 * opened and closed with the others, and hands out the samples of all. Ids of code, functions and
 * dsos are the same in all of them, and functions of one name in files of one name are one;
 * threads, maps and activities are each file's own, so place->session says whom to ask. Times are
 * comparable where each file tells the time of day of its clock (session_has_wall()).
 */
u32 session_nr_files(const struct session *session);
struct session *session_file(struct session *session, u32 i);
u32 session_index(const struct session *session); /* its i */
bool session_has_wall(const struct session *session);

/* The host name of the recorded machine; without one, the file's name. */
const char *session_host(const struct session *session);

/* The losses that the recording reports; for a pipe, complete after reading. */
struct session_counts {
	u64 lost_samples; /* by LOST_SAMPLES records */
	u64 lost_mixed; /* part of it: of events whose count includes other records, evsel_has_side_records() */
	u64 lost_events;	   /* by LOST records: of any kind */
	u64 lost_chunks;	   /* LOST records */
	u64 asleep, estimated;	   /* ns of thread states, as in struct event_wall_pass */
	u64 first_pass, last_pass; /* their times; 0: none */
};

/* The ends of the unwound stacks of this file's places: those of the last pass with chains, as far as it has come. */
const struct chain_ends *session_chain_ends(const struct session *session);

/* NULL with @error: no file, not a perf.data file, an invalid filter. */
struct session *session_open(const struct session_options *options, GError **error);
void session_close(struct session *session);

struct perfdata *session_perfdata(struct session *session);
struct machine *session_machine(struct session *session);
struct dsos *session_dsos(struct session *session);
/* The contents of the files of spans; NULL: none. */
const struct spans *session_spans(const struct session *session);
/* The files that are packed behind the recording; NULL: none. */
struct packed *session_packed(const struct session *session);
struct resolver *session_resolver(struct session *session);
const struct session_counts *session_counts(const struct session *session);

/*
 * Reports progress to @watch instead of a line on stderr. If @watch stops the reading, it fails with
 * PERF_ERROR_STOPPED, and can be repeated.
 */
void session_set_watch(struct session *session, const struct progress_watch *watch);

/*
 * Starts to report the progress of other work, with @total steps, after samples have been read. progress->stopped:
 * the work is to stop.
 */
void session_work(const struct session *session, struct progress *progress, const char *title,
		  u64 total);

/*
 * Calls @fn for each sample that matches --time and --cpu. @filtered has enum session_filtered bits for the other
 * filters: such a sample counts in totals. To stop, @fn returns false with its @error set. Samples come in the file's
 * order, or for a pipe in order of time, one file after the other. For a pipe it can be called only once, unless
 * samples are kept.
 */
typedef bool session_place_fn(const struct place *place, u32 filtered, void *arg, GError **error);
bool session_each_sample(struct session *session, u32 needs, session_place_fn *fn, void *arg,
			 GError **error);

/*
 * Reads a running recording from a pipe to its end, as session_each_sample() does. It keeps the samples that match
 * --time and --cpu and for which @fn returns true: the newest @most_bytes of them, which are not split (group_reads.h).
 * During this, and afterwards, session_each_sample() returns the kept samples as often as wanted. A caller on another
 * thread must take turns with the reader (base/turns.h).
 */
typedef bool session_keep_fn(const struct event *sample, void *arg);
bool session_keep(struct session *session, size_t most_bytes, session_keep_fn *fn, void *arg,
		  GError **error);
/* Number of samples kept so far, including removed ones: the number of the next one. */
u64 session_kept_end(const struct session *session);
/* The kept samples with numbers from @from to @to (exclusive), as far as they are still there. */
bool session_each_kept(struct session *session, u64 from, u64 to, u32 needs, session_place_fn *fn,
		       void *arg, GError **error);

/*
 * True if samples of the event are charged to the instruction that they name, although it is executed after the one
 * that waited: --skid=sampled, for a timer or a counter.
 */
bool session_names_later(const struct session *session, const struct evsel *evsel);

/*
 * The files that samples of this file and their call chains hit, each once, in the order of their first samples.
 * Decodes only the fields that this needs.
 */
typedef void session_hit_fn(struct dso *dso, void *arg);
bool session_each_hit(struct session *session, session_hit_fn *fn, void *arg, GError **error);

/*
 * Like session_each_sample(), for callers that only sum. Each sample is given as two numbers; who() and where() are
 * called once for each new number, with the place of the first sample that has it. who() gets what NEED_THREAD,
 * NEED_COMM and NEED_CPU fill (thread, comm, event->id, time), where() the rest. Both are called with 0, 1, 2 ... in
 * turn, before a share has that number. With two numbers, combinations of many values need no place for each pair.
 */
struct session_share {
	u32 where, who;
	u64 period;
};

struct session_feed {
	u32 needs; /* enum place_need; without those that may differ between alike samples */
	void (*where)(struct session_feed *feed, const struct place *place, u32 filtered);
	void (*who)(struct session_feed *feed, const struct place *place);
	/* Samples in order. */
	void (*add)(struct session_feed *feed, const struct session_share *shares, u32 nr);
	/* There are too many numbers: they start at 0 again. */
	void (*forget)(struct session_feed *feed);
};

/* True if all files can be read this way: none is a pipe, and no filter needs each sample. */
bool session_can_feed(struct session *session, u32 needs);
bool session_feed(struct session *session, struct session_feed *feed, GError **error);

/*
 * From now on, a name of --symbols also matches the end of a longer one: "run" finds S::run(int) and "tmpl" finds
 * tmpl<long>(long).
 */
void session_widen_symbols(struct session *session);

/* From now on, a sample's parent is the outermost match of its chain: for chains that are shown from there. */
void session_take_outermost_parent(struct session *session);

/* After reading: true if --symbols matched by a part of a name, such as S::run(int) by "S::run". */
bool session_found_by_part(struct session *session);

/*
 * Calls @fn for each event of this file, in order of time (@by_time) or of the file. @place is NULL if the event is
 * not a sample. Samples that do not match the filters are left out.
 */
typedef bool session_event_fn(const struct event *event, const struct place *place, void *arg,
			      GError **error);
bool session_each_event(struct session *session, u32 needs, bool by_time, session_event_fn *fn,
			void *arg, GError **error);

/*
 * FILTERED_DSO and FILTERED_SYMBOL for any address, such as a function of a call chain that gets its own row.
 */
u32 session_filter_code(struct session *session, const struct code *code);

/*
 * For a thread that waits for a lock (perfdata/wall.h): appends the name of @lock as lock_names_append() does; and decodes
 * the activity of the lock's owner, lock->activity_size bytes at @data. The owner is a thread of the same process, but for CPUs.
 * @activity is valid as long as the session.
 */
struct wall_lock;
void session_append_lock(struct session *session, const struct place *place,
			 const struct wall_lock *lock, GString *out);
void session_owner_activity(struct session *session, const struct place *place,
			    const struct wall_lock *lock, const void *data,
			    struct activity *activity);

/*
 * The variable with static storage at the data address of @place, and how far into it the address is. False: none is known there. Its
 * types are read with type_lock().
 */
struct pointee;
bool session_data_variable(const struct place *place, struct pointee *out);

/*
 * With NEED_BESIDE: the function in which another thread was, by the number that a wait states (struct wall_edge in
 * perfdata/wall.h). NULL: not known.
 */
const struct code *session_beside(const struct session *session, u64 number);
/* Likewise its activity then. */
const struct activity *session_beside_activity(const struct session *session, u64 number);

#endif
