// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A recording without a recorder process. On each sample of a CPU, the program writes a perf record
 * into an array that is pinned in bpffs. The array has the form of an image
 * (perfdata/image/image.h). Each CPU has its own chunks, and uses them one after the other. When
 * all are used, it overwrites the oldest.
 *
 * The chunks of 2 CPUs with 3 chunks each, after CPU 0 has begun its fourth:
 *
 *	element		0 .. first_chunk - 1	first_chunk + 0  1  2	3  4  5
 *			header, facts, sides	CPU 0: 4th 2nd 3rd	CPU 1: 1st 2nd -
 *
 * A reader copies the image at any time, without a lock, also in the middle of a write. Each entry
 * has a check over its bytes, its place and the chunk's generation (image_check()): what is half
 * written, half overwritten or left from an earlier use fails it. used is set last, and set to 0
 * first when a chunk is begun anew; volatile keeps the compiler from moving these stores.
 *
 * There is one event per CPU, so no other sample interrupts this program on its CPU, and the
 * per-CPU maps need no lock.
 */
#include "bpf/vmlinux.h"

#include <bpf/bpf_helpers.h>

#include "bpf/follow.h"
#include "bpf/pinned.h"

char LICENSE[] SEC("license") = "GPL";

#define CONTEXT_KERNEL ((__u64)-128)
#define CONTEXT_USER   ((__u64)-512)
#define RECORD_SAMPLE  9
#define MISC_KERNEL    1
#define MISC_USER      2
#define WITHOUT_CHAIN  __builtin_offsetof(struct pinned_sample, nr)
#define MIX	       0x9e3779b97f4a7c15ULL

const volatile __u32 first_chunk; /* earlier elements are the image's other parts */
const volatile __u32 chunks_per_cpu;
const volatile __u32 nr_cpus;
const volatile __u64 sample_id;
const volatile bool chains;	 /* samples have call chains */
const volatile __u32 samples_at; /* offset of the count in the header, in bytes */

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct pinned_chunk);
} image SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct pinned_sample);
} samples SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct pinned_cursor);
} cursors SEC(".maps");

/*
 * Number of words in @size bytes; 0 if more than @most. The barriers keep the comparison in the
 * code, which older verifiers need.
 */
static __always_inline __u64 words_of(long size, __u64 most)
{
	__u64 nr = size > 0 ? (__u64)size / 8 : 0;

	barrier_var(nr);
	return nr <= most ? nr : 0;
}

/*
 * Stores the kernel's part of the call chain, then the user's, each after its marker. Returns the
 * number of words, of which *@user are the user's.
 */
static __always_inline __u64 take_stack(void *ctx, struct pinned_sample *s, __u64 *user)
{
	__u64 nr = words_of(bpf_get_stack(ctx, s->ips + 1, PINNED_KERNEL_IPS * 8, 0),
			    PINNED_KERNEL_IPS);

	if (nr) {
		s->ips[0] = CONTEXT_KERNEL;
		nr++;
	}
	barrier_var(nr);
	if (nr > PINNED_KERNEL_IPS + 1)
		return 0;
	s->ips[nr] = CONTEXT_USER;
	*user = words_of(bpf_get_stack(ctx, s->ips + nr + 1, PINNED_USER_IPS * 8, USER_STACK),
			 PINNED_USER_IPS);
	return *user ? nr + 1 + *user : nr;
}

/* Returns how many of the sample's last addresses are the user's. */
static __always_inline __u64 fill(struct bpf_perf_event_data *ctx, struct pinned_sample *s,
				  __u32 cpu)
{
	__u64 ids = bpf_get_current_pid_tgid(), user = 0, nr = take_stack(ctx, s, &user);

	s->type = RECORD_SAMPLE;
	s->misc = (long)ctx->regs.ip < 0 ? MISC_KERNEL : MISC_USER;
	s->id = sample_id;
	s->ip = ctx->regs.ip;
	s->pid = ids >> 32;
	s->tid = (__u32)ids;
	s->time = bpf_ktime_get_ns();
	s->cpu = cpu;
	s->zero = 0;
	s->period = ctx->sample_period;
	s->nr = nr;
	s->size = chains ? (sizeof(*s) - sizeof(s->ips)) + nr * 8 : WITHOUT_CHAIN;
	return user;
}

/* Same as image_check() of perfdata/image/image.h. */
static __always_inline __u64 check(const struct pinned_sample *s, __u32 size, __u64 place,
				   __u64 generation)
{
	__u64 hash = (generation * MIX) ^ (place + 0x5851f42d4c957f2dULL);
	const __u64 *words = (const __u64 *)s;

	for (__u32 i = 0; i < sizeof(*s) / 8; i++) {
		if (i >= size / 8)
			break;
		hash = (hash ^ words[i]) * MIX;
		hash ^= hash >> 29;
	}
	return hash;
}

static __always_inline struct pinned_chunk *chunk_of(const struct pinned_cursor *cursor, __u32 cpu)
{
	__u32 index;

	if (!cursor->chunks || !chunks_per_cpu)
		return 0;
	index = first_chunk + cpu * chunks_per_cpu + (cursor->chunks - 1) % chunks_per_cpu;
	return bpf_map_lookup_elem(&image, &index);
}

static __always_inline struct pinned_chunk *next_chunk(struct pinned_cursor *cursor, __u32 cpu,
						       __u64 time)
{
	struct pinned_chunk *chunk;

	cursor->chunks++;
	chunk = chunk_of(cursor, cpu);
	if (!chunk)
		return 0;
	*(volatile __u64 *)&chunk->used = 0;
	*(volatile __u64 *)&chunk->generation = cursor->chunks * nr_cpus + cpu;
	chunk->key = cpu;
	chunk->first_time = time;
	return chunk;
}

/*
 * A sample that does not fit is not written; pinned_record() has begun a new chunk before, so this
 * is only for the verifier.
 */
static __always_inline void append(struct pinned_chunk *chunk, const struct pinned_sample *s)
{
	__u64 used = chunk->used, sum;
	__u32 size = s->size;

	if (used > sizeof(chunk->entries) - PINNED_MOST || size > sizeof(*s))
		return;
	sum = check(s, size, used, chunk->generation);
	bpf_probe_read_kernel(chunk->entries + used + 8, size, s);
	bpf_probe_read_kernel(chunk->entries + used, 8, &sum);
	chunk->last_time = s->time;
	*(volatile __u64 *)&chunk->used = used + 8 + size;
}

static __always_inline void count(void)
{
	__u32 zero = 0, at = samples_at;
	__u8 *header = bpf_map_lookup_elem(&image, &zero);

	if (header && at <= PINNED_PIECE - 8)
		__sync_fetch_and_add((__u64 *)(header + (at & ~7u)), 1);
}

static __always_inline void look_at_sample(void *ctx, const struct pinned_sample *s, __u64 user,
					   struct pinned_cursor *cursor)
{
	__u64 first = s->nr - user;

	barrier_var(first);
	if (user && user <= PINNED_USER_IPS && first <= PINNED_IPS - PINNED_USER_IPS)
		look_at_frames(ctx, s->ips + first, user, s->time, cursor);
}

SEC("perf_event")
int pinned_record(struct bpf_perf_event_data *ctx)
{
	__u32 zero = 0, cpu = bpf_get_smp_processor_id();
	struct pinned_sample *s = bpf_map_lookup_elem(&samples, &zero);
	struct pinned_cursor *cursor = bpf_map_lookup_elem(&cursors, &zero);
	struct pinned_chunk *chunk;
	__u64 user;

	if (!s || !cursor || cpu >= nr_cpus)
		return 0;
	user = fill(ctx, s, cpu);
	chunk = chunk_of(cursor, cpu);
	if (!chunk || chunk->used > sizeof(chunk->entries) - PINNED_MOST)
		chunk = next_chunk(cursor, cpu, s->time);
	if (!chunk)
		return 0;
	append(chunk, s);
	count();
	if (follows)
		look_at_sample(ctx, s, user, cursor);
	return 0;
}
