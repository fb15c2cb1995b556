// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kernel features as data: which bits of the attributes ask for each. The same bits are set to
 * probe for it, and cleared to do without. The one-bit fields of attr are compared as the word that
 * they share; the compiler builds that word from named fields, so their order does not matter.
 */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "perfevent/features.h"

#define FLAG_WORD (offsetof(struct perf_event_attr, read_format) + sizeof(u64))

static const struct feature {
	const char *name, *since;
	struct perf_event_attr bits; /* sample_type, read_format and flags that ask for it */
	bool wanted; /* kernel_feature_wanted(): without the feature, refuse to record */
	u64 flags;   /* more flags that ask for it: older headers have no names for them */
} features[NR_KERNEL_FEATURES] = {
	[KERNEL_TLS_USER] = { "PERF_SAMPLE_TLS_USER",
			      "in no release yet",
			      { .sample_type = PERF_SAMPLE_TLS_USER },
			      true },
	[KERNEL_DEFER_CHAIN] = { "attr.defer_callchain", "Linux 6.19",
				 .flags = PERF_ATTR_FLAG_DEFER_CALLCHAIN },
	[KERNEL_DEFER_OUTPUT] = { "attr.defer_output", "Linux 6.19",
				  .flags = PERF_ATTR_FLAG_DEFER_OUTPUT },
	[KERNEL_INHERIT_READ] = { "inherit with PERF_SAMPLE_READ",
				  "Linux 6.12",
				  { .sample_type = PERF_SAMPLE_READ, .inherit = 1 } },
	[KERNEL_READ_LOST] = { "PERF_FORMAT_LOST",
			       "Linux 6.0",
			       { .read_format = PERF_FORMAT_LOST } },
	[KERNEL_BUILD_ID] = { "attr.build_id", "Linux 5.12", { .build_id = 1 } },
	[KERNEL_WEIGHT_STRUCT] = { "PERF_SAMPLE_WEIGHT_STRUCT",
				   "Linux 5.12",
				   { .sample_type = PERF_SAMPLE_WEIGHT_STRUCT } },
	[KERNEL_CODE_PAGE_SIZE] = { "PERF_SAMPLE_CODE_PAGE_SIZE",
				    "Linux 5.11",
				    { .sample_type = PERF_SAMPLE_CODE_PAGE_SIZE },
				    true },
	[KERNEL_DATA_PAGE_SIZE] = { "PERF_SAMPLE_DATA_PAGE_SIZE",
				    "Linux 5.11",
				    { .sample_type = PERF_SAMPLE_DATA_PAGE_SIZE },
				    true },
	[KERNEL_TEXT_POKE] = { "attr.text_poke", "Linux 5.9", { .text_poke = 1 } },
	[KERNEL_CGROUP_SAMPLE] = { "PERF_SAMPLE_CGROUP",
				   "Linux 5.7",
				   { .sample_type = PERF_SAMPLE_CGROUP },
				   true },
	[KERNEL_CGROUP] = { "attr.cgroup", "Linux 5.7", { .cgroup = 1 }, true },
	[KERNEL_BPF_EVENT] = { "attr.bpf_event", "Linux 5.0", { .bpf_event = 1 } },
	[KERNEL_KSYMBOL] = { "attr.ksymbol", "Linux 5.0", { .ksymbol = 1 } },
	[KERNEL_PHYS_ADDR] = { "PERF_SAMPLE_PHYS_ADDR",
			       "Linux 4.14",
			       { .sample_type = PERF_SAMPLE_PHYS_ADDR },
			       true },
	[KERNEL_NAMESPACES] = { "attr.namespaces", "Linux 4.12", { .namespaces = 1 } },
	[KERNEL_WRITE_BACKWARD] = { "attr.write_backward",
				    "Linux 4.7",
				    { .write_backward = 1 },
				    true },
	[KERNEL_CONTEXT_SWITCH] = { "attr.context_switch", "Linux 4.3", { .context_switch = 1 } },
	[KERNEL_CLOCKID] = { "attr.clockid", "Linux 4.1", { .use_clockid = 1 }, true },
	[KERNEL_COMM_EXEC] = { "attr.comm_exec", "Linux 3.16", { .comm_exec = 1 } },
	[KERNEL_MMAP2] = { "attr.mmap2", "Linux 3.16", { .mmap2 = 1 } },
	[KERNEL_CLOEXEC] = { "PERF_FLAG_FD_CLOEXEC", "Linux 3.14", { 0 } },
};

const char *kernel_feature_name(enum kernel_feature feature)
{
	return features[feature].name;
}

const char *kernel_feature_since(enum kernel_feature feature)
{
	return features[feature].since;
}

bool kernel_feature_wanted(enum kernel_feature feature)
{
	return features[feature].wanted;
}

static u64 flags_of(const struct perf_event_attr *attr)
{
	u64 flags;

	memcpy(&flags, (const char *)attr + FLAG_WORD, sizeof(flags));
	return flags;
}

static void set_flags(struct perf_event_attr *attr, u64 flags)
{
	memcpy((char *)attr + FLAG_WORD, &flags, sizeof(flags));
}

bool kernel_feature_used(enum kernel_feature feature, const struct evsel *evsel)
{
	const struct perf_event_attr *bits = &features[feature].bits, *attr = &evsel->attr;
	u64 flags = flags_of(bits) | features[feature].flags;

	if (feature == KERNEL_CLOEXEC)
		return true;
	return (attr->sample_type & bits->sample_type) == bits->sample_type &&
	       (attr->read_format & bits->read_format) == bits->read_format &&
	       (flags_of(attr) & flags) == flags;
}

void kernel_feature_take_back(enum kernel_feature feature, struct evsel *evsel)
{
	const struct perf_event_attr *bits = &features[feature].bits;
	struct perf_event_attr *attr = &evsel->attr;

	if (feature == KERNEL_CLOEXEC)
		return;
	if (feature == KERNEL_INHERIT_READ) {
		attr->inherit = 0;
		return;
	}
	attr->sample_type &= ~bits->sample_type;
	attr->read_format &= ~bits->read_format;
	set_flags(attr, flags_of(attr) & ~(flags_of(bits) | features[feature].flags));
	if (feature == KERNEL_WEIGHT_STRUCT)
		attr->sample_type |= PERF_SAMPLE_WEIGHT;
}

/* A dummy event with only these bits and what they require. */
static struct evsel *probe_evsel(enum kernel_feature feature)
{
	struct evsel *evsel = evsel_new();

	evsel->attr = features[feature].bits;
	set_flags(&evsel->attr, flags_of(&evsel->attr) | features[feature].flags);
	evsel->attr.type = PERF_TYPE_SOFTWARE;
	evsel->attr.config = PERF_COUNT_SW_DUMMY;
	evsel->attr.disabled = 1;
	evsel->attr.exclude_kernel = 1;
	evsel->attr.exclude_hv = 1;
	if (feature == KERNEL_TLS_USER)
		evsel->sample_tls_user = 64;
	if (feature == KERNEL_CLOCKID)
		evsel->attr.clockid = CLOCK_MONOTONIC;
	if (feature == KERNEL_BUILD_ID)
		evsel->attr.mmap2 = 1;
	if (feature == KERNEL_INHERIT_READ)
		evsel->attr.sample_type |= PERF_SAMPLE_TID;
	return evsel;
}

bool kernel_can(enum kernel_feature feature)
{
	struct evsel *evsel = probe_evsel(feature);
	unsigned long flags = feature == KERNEL_CLOEXEC ? PERF_FLAG_FD_CLOEXEC : 0;
	int fd = evsel_sys_open(evsel, 0, -1, -1, flags);

	evsel_free(evsel);
	if (fd >= 0)
		close(fd);
	return fd != -EINVAL && fd != -E2BIG;
}

int evsel_sys_open(const struct evsel *evsel, pid_t pid, int cpu, int group_fd, unsigned long flags)
{
	u8 attr[PERF_ATTR_SIZE_VER9] = { 0 };
	int fd;

	evsel_attr_bytes(evsel, attr);
	fd = syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, flags);
	return fd < 0 ? -errno : fd;
}
