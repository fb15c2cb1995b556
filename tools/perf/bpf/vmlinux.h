/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's types that the programs use. The names are the kernel's. The loader adjusts the
 * offsets to the running kernel's BTF (CO-RE), so a struct needs only the used members, in any
 * order. Fixed interfaces (enumerators, the registers of a perf_event program) are written as they
 * are.
 */
#ifndef BPF_VMLINUX_H
#define BPF_VMLINUX_H

typedef unsigned char __u8;
typedef unsigned short __u16;
typedef unsigned int __u32;
typedef unsigned long long __u64;
typedef signed char __s8;
typedef short __s16;
typedef int __s32;
typedef long long __s64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;
typedef _Bool bool;
enum { false, true };

enum bpf_map_type {
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PERF_EVENT_ARRAY = 4,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
	BPF_MAP_TYPE_LRU_HASH = 9,
	BPF_MAP_TYPE_RINGBUF = 27,
	BPF_MAP_TYPE_TASK_STORAGE = 29,
};

enum { BPF_ANY = 0, BPF_NOEXIST = 1 };
enum { BPF_RB_AVAIL_DATA = 0, BPF_RB_NO_WAKEUP = 1 };
enum { BPF_F_NO_PREALLOC = 1, BPF_LOCAL_STORAGE_GET_F_CREATE = 1, BPF_F_MMAPABLE = 1024 };

#define BPF_F_CURRENT_CPU 0xffffffffULL
#define PERF_SAMPLE_TIME  (1U << 2)

enum { PERF_TYPE_SOFTWARE = 1, PERF_TYPE_TRACEPOINT = 2, PERF_TYPE_BREAKPOINT = 5 };
enum { PERF_COUNT_SW_TASK_CLOCK = 1 };

/*
 * Value of enum perf_event_task_context. It has another name than in the kernel, so both cannot
 * conflict.
 */
#define PERF_SW_CONTEXT 1

/* The context of a perf_event program, a fixed interface (linux/bpf_perf_event.h, x86-64). */
struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax;
	unsigned long ip, cs, flags, sp, ss;
};

struct bpf_perf_event_data {
	struct pt_regs regs;
	__u64 sample_period;
	__u64 addr;
};

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

typedef struct {
	__s64 counter;
} atomic_long_t;

/* Owners are a task's address; the low three bits are flags. */
struct mutex {
	atomic_long_t owner;
};

struct rw_semaphore {
	atomic_long_t count;
	atomic_long_t owner;
};

struct mm_struct {
	struct rw_semaphore mmap_lock;
};

struct thread_struct {
	unsigned long fsbase;
};

typedef struct {
	int counter;
} atomic_t;

struct ns_common {
	unsigned int inum;
};

struct pid_namespace {
	struct ns_common ns;
};

struct upid {
	int nr;
	struct pid_namespace *ns;
};

struct pid {
	unsigned int level;
	struct upid numbers[1];
};

struct signal_struct {
	atomic_t live;
	int nr_threads;
	struct pid *pids[4];
};

typedef struct {
	unsigned long sig[1];
} sigset_t;

struct sigpending {
	sigset_t signal;
};

struct rq;

struct cfs_rq {
	struct rq *rq;
};

struct sched_entity {
	struct cfs_rq *cfs_rq;
	unsigned char sched_delayed;
	__u64 sum_exec_runtime, prev_sum_exec_runtime;
};

struct sched_info {
	unsigned long pcount;
	unsigned long long run_delay, last_arrival, last_queued;
};

struct kernfs_node {
	__u64 id;
};

struct cgroup {
	struct kernfs_node *kn;
};

struct cgroup_subsys_state {
	struct cgroup *cgroup;
	struct cgroup_subsys_state *parent;
};

enum cgroup_subsys_id {
	perf_event_cgrp_id,
};

/* The helpers that this kernel has. */
enum bpf_func_id {
	BPF_FUNC_loop = 181,
};

struct css_set {
	struct cgroup_subsys_state *subsys[1];
	struct cgroup *dfl_cgrp;
};

struct files_struct;

typedef struct {
	__u32 val;
} kuid_t;

struct cred {
	kuid_t euid;
};

struct thread_info {
	__u32 cpu;
};

/* Before Linux 5.16. */
struct task_struct___cpu {
	unsigned int cpu;
};

/* Of a thread of the kernel, and of one that does the work of workqueues. */
struct kthread {
	void *data;
};

struct worker {
	void *current_func;
};

struct task_struct {
	struct thread_info thread_info;
	void *worker_private;
	void *stack;
	unsigned int __state;
	unsigned int flags;
	int on_cpu, on_rq;
	int exit_state;
	int pid;
	int tgid;
	struct sched_entity se;
	struct sched_info sched_info;
	unsigned int in_execve : 1;
	unsigned int in_iowait : 1;
	unsigned long jobctl, nvcsw;
	unsigned long sas_ss_sp, sas_ss_size; /* sigaltstack(); size 0: none */
	__u64 start_time;
	char comm[16];
	struct signal_struct *signal;
	struct sigpending pending;
	struct pid *thread_pid;
	struct files_struct *files;
	struct mm_struct *mm;
	struct css_set *cgroups;
	const struct cred *real_cred;
	struct thread_struct thread;
};

struct bpf_iter_task {
	__u64 opaque[3];
} __attribute__((aligned(8)));

struct bpf_iter_num {
	__u64 opaque[1];
} __attribute__((aligned(8)));

struct in6_addr {
	__u8 in6_u[16];
};

struct sock_common {
	unsigned short skc_family;
	volatile unsigned char skc_state;
	__be32 skc_daddr, skc_rcv_saddr;
	__be16 skc_dport;
	__u16 skc_num;
	struct in6_addr skc_v6_daddr, skc_v6_rcv_saddr;
};

struct socket;

struct proto {
	char name[32];
};

struct sock {
	struct sock_common __sk_common;
	struct proto *sk_prot_creator;
	__u16 sk_protocol;
	struct socket *sk_socket;
	struct pid *sk_peer_pid;
	struct {
		int owned;
	} sk_lock;
};

struct tcp_sock {
	__u32 rcv_nxt, write_seq;
};

struct sk_buff {
	struct sock *sk;
	unsigned int len;
	__u16 transport_header;
	unsigned char *head, *data;
};

struct unix_sock {
	struct sock sk;
	struct sock *peer;
};

struct file;

struct socket {
	struct sock *sk;
	struct file *file;
};

struct super_block {
	__u32 s_dev;
};

struct inode {
	unsigned short i_mode;
	unsigned long i_ino;
	__s64 i_ctime_sec;
	__u32 i_ctime_nsec, i_generation;
	struct super_block *i_sb;
};

/*
 * The type of an inode's change time: __i_ctime up to Linux 6.10, i_ctime up to 6.5. The loader
 * finds the member that the running kernel has.
 */
struct timespec64 {
	__s64 tv_sec;
	long tv_nsec;
};

struct inode___6_10 {
	struct timespec64 __i_ctime;
};

struct inode___6_5 {
	struct timespec64 i_ctime;
};

struct hlist_bl_node {
	struct hlist_bl_node **pprev;
};

struct qstr {
	const unsigned char *name;
};

struct dentry {
	struct hlist_bl_node d_hash;
	struct dentry *d_parent;
	struct qstr d_name;
};

struct vfsmount {
	struct dentry *mnt_root;
};

struct mount {
	struct mount *mnt_parent;
	struct dentry *mnt_mountpoint;
	struct vfsmount mnt;
};

struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
};

struct file {
	struct inode *f_inode;
	struct path f_path;
	void *private_data;
};

struct list_head {
	struct list_head *next, *prev;
};

struct wait_queue_entry {
	void *private;
	struct list_head entry;
};

struct wait_queue_head {
	struct list_head head;
};

struct epoll_filefd {
	struct file *file;
};

struct epitem {
	struct epoll_filefd ffd;
	struct list_head rdllink;
};

struct eventpoll {
	struct list_head rdllist;
};

struct file_lock_core {
	struct file_lock_core *flc_blocker;
	void *flc_owner;
	unsigned int flc_flags;
	unsigned char flc_type;
	int flc_pid;
	struct wait_queue_head flc_wait;
	struct file *flc_file;
};

/* struct file_lock_core is its first member. */
struct file_lock {
	struct file_lock_core c;
	__s64 fl_start, fl_end;
};

/* Before Linux 6.9. */
struct file_lock___6_8 {
	struct file_lock *fl_blocker;
	void *fl_owner;
	unsigned int fl_flags;
	unsigned char fl_type;
	unsigned int fl_pid;
	struct wait_queue_head fl_wait;
	struct file *fl_file;
};

struct vm_special_mapping {
	const char *name;
};

struct vm_area_struct {
	unsigned long vm_start, vm_end, vm_flags, vm_pgoff;
	struct file *vm_file;
	void *vm_private_data;
};

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

/* Before Linux 5.11, what `part` of a request points to. */
struct hd_struct {
	int partno;
};

struct gendisk {
	char disk_name[32];
};

struct block_device {
	__u32 bd_dev;
	struct gendisk *bd_disk;
};

struct request {
	__u64 __sector;
	unsigned int __data_len;
	unsigned int cmd_flags;
	struct block_device *part;
};

struct linux_binprm {
	struct file *file;
};

struct perf_sample_data {
	__u64 sample_flags;
	__u64 time;
};

struct perf_event_attr {
	__u32 type;
	__u64 config;
};

struct pmu {
	int task_ctx_nr;
};

struct perf_event {
	__u64 id;
	struct perf_event *parent;
	struct pmu *pmu;
	struct perf_event_attr attr;
};

/* The kernel's struct behind struct bpf_perf_event_data. */
struct bpf_perf_event_data_kern {
	struct perf_sample_data *data;
	struct perf_event *event;
};

#pragma clang attribute pop

/* The context of an iterator, a fixed interface. */
struct bpf_iter__task {
	void *meta;
	struct task_struct *task;
};

#endif
