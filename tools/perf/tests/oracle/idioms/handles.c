// SPDX-License-Identifier: GPL-2.0-or-later
/* Plugins and handles: `void *self` that each method casts, private data, offsets for pointers. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "truth.h"

typedef struct filter_ops {
	const char *name;
	void *(*open)(const char *args);
	size_t (*process)(void *self, const uint8_t *in, size_t n, uint8_t *out);
	void (*close)(void *self);
} filter_ops;

struct xor_filter {
	uint32_t key;
	uint32_t position;
	uint64_t total;
};

struct rle_filter {
	uint8_t last;
	uint16_t run;
	uint64_t in, out;
	struct {
		uint32_t longest;
		uint32_t shortest;
	} stats;
};

static void *xor_open(const char *args)
{
	struct xor_filter *f = create(struct xor_filter);

	f->key = (uint32_t)strlen(args) * 77;
	f->position = 0;
	f->total = 0;
	return f;
}

static size_t xor_process(void *self, const uint8_t *in, size_t n, uint8_t *out)
{
	struct xor_filter *f = self;

	for (size_t i = 0; i < n; i++) {
		out[i] = in[i] ^ (uint8_t)(f->key >> (f->position & 3) * 8);
		f->position++;
	}
	f->total += n;
	return n;
}

static void plain_close(void *self)
{
	truth_free(self);
}

static void *rle_open(const char *args)
{
	struct rle_filter *f = create(struct rle_filter);

	memset(f, 0, sizeof(*f));
	f->stats.shortest = 255;
	f->last = (uint8_t)args[0];
	return f;
}

/* The same object cast anew in each expression: no variable ever has its type. */
static size_t rle_process(void *self, const uint8_t *in, size_t n, uint8_t *out)
{
	size_t o = 0;

	for (size_t i = 0; i < n; i++) {
		if (in[i] == ((struct rle_filter *)self)->last &&
		    ((struct rle_filter *)self)->run < 255) {
			((struct rle_filter *)self)->run++;
			continue;
		}
		if (((struct rle_filter *)self)->run) {
			out[o++] = (uint8_t)((struct rle_filter *)self)->run;
			out[o++] = ((struct rle_filter *)self)->last;
			if (((struct rle_filter *)self)->run >
			    ((struct rle_filter *)self)->stats.longest)
				((struct rle_filter *)self)->stats.longest =
					((struct rle_filter *)self)->run;
			if (((struct rle_filter *)self)->run <
			    ((struct rle_filter *)self)->stats.shortest)
				((struct rle_filter *)self)->stats.shortest =
					((struct rle_filter *)self)->run;
		}
		((struct rle_filter *)self)->last = in[i];
		((struct rle_filter *)self)->run = 1;
	}
	((struct rle_filter *)self)->in += n;
	((struct rle_filter *)self)->out += o;
	return o;
}

static void rle_close(void *self)
{
	if (((struct rle_filter *)self)->in)
		((struct rle_filter *)self)->stats.longest = 0;
	truth_free(self);
}

static const filter_ops filters[] = {
	{ "xor", xor_open, xor_process, plain_close },
	{ "rle", rle_open, rle_process, rle_close },
};

struct stage {
	const filter_ops *ops;
	void *self;
	size_t bytes;
};

static size_t run_stages(struct stage *stages, int nr, uint8_t *a, uint8_t *b, size_t n)
{
	for (int i = 0; i < nr; i++) {
		uint8_t *t = a;

		n = stages[i].ops->process(stages[i].self, a, n, b);
		stages[i].bytes += n;
		a = b;
		b = t;
	}
	return n;
}

/* Private data: file->private, as drivers have it. */
struct file {
	int mode;
	void *private_data;
	const struct file_ops *ops;
};

struct file_ops {
	int (*open)(struct file *file, int minor);
	long (*read)(struct file *file, char *buffer, size_t n);
	long (*ioctl)(struct file *file, unsigned int cmd, void *arg);
};

struct counter_device {
	unsigned long reads, limit;
	int minor;
	unsigned char fill;
};

struct limit_request {
	unsigned long limit;
	int fill, previous;
};

static int counter_open(struct file *file, int minor)
{
	struct counter_device *dev = create(struct counter_device);

	dev->minor = minor;
	dev->reads = 0;
	dev->limit = 64;
	dev->fill = 'a';
	file->private_data = dev;
	return 0;
}

static long counter_read(struct file *file, char *buffer, size_t n)
{
	struct counter_device *dev = file->private_data;

	if (n > dev->limit)
		n = dev->limit;
	memset(buffer, dev->fill + dev->minor, n);
	dev->reads++;
	return (long)n;
}

static long counter_ioctl(struct file *file, unsigned int cmd, void *arg)
{
	struct counter_device *dev = file->private_data;
	struct limit_request *req = arg;

	switch (cmd) {
	case 1:
		req->previous = (int)dev->limit;
		dev->limit = req->limit;
		dev->fill = (unsigned char)req->fill;
		return 0;
	case 2:
		req->limit = dev->reads;
		return 1;
	}
	return -1;
}

static const struct file_ops counter_ops = { counter_open, counter_read, counter_ioctl };

/* Offsets that count from themselves, in one image that may lie anywhere. */
struct rel {
	int32_t offset;
};

static inline const void *rel_get(const struct rel *r)
{
	return r->offset ? (const char *)r + r->offset : NULL;
}

struct table_entry {
	struct rel name;
	struct rel value;
	uint32_t hash;
};

struct text {
	uint32_t length;
	char chars[12];
};

struct value {
	uint16_t kind, flags;
	uint32_t nr;
	int64_t numbers[3];
};

struct image {
	uint32_t magic, size;
	struct rel entries;
	uint32_t nr_entries;
	struct rel next;
};

static const struct value *image_find(const struct image *image, const char *name)
{
	size_t length = strlen(name);

	while (image) {
		const struct table_entry *e = rel_get(&image->entries);

		for (uint32_t i = 0; i < image->nr_entries; i++) {
			const struct text *t = rel_get(&e[i].name);

			if (t->length == length && !memcmp(t->chars, name, length))
				return rel_get(&e[i].value);
		}
		image = rel_get(&image->next);
	}
	return NULL;
}

static void rel_set(struct rel *r, const void *to)
{
	r->offset = (int32_t)((const char *)to - (const char *)r);
}

static struct image *image_make(char *memory, int nr, const char *letters)
{
	struct image *image = (struct image *)memory;
	struct table_entry *e = (struct table_entry *)(image + 1);
	char *free = (char *)(e + nr);

	placed(image, struct image);
	truth_object(e, nr * sizeof(*e), "struct table_entry", 18, (size_t)nr);
	image->magic = 0x1234;
	image->nr_entries = (uint32_t)nr;
	image->next.offset = 0;
	rel_set(&image->entries, e);
	for (int i = 0; i < nr; i++) {
		struct text *t = (struct text *)free;
		struct value *v;

		placed(t, struct text);
		t->length = 2;
		t->chars[0] = letters[i];
		t->chars[1] = letters[i];
		free += sizeof(*t);
		v = (struct value *)(((uintptr_t)free + 7) & ~(uintptr_t)7);
		placed(v, struct value);
		v->kind = (uint16_t)i;
		v->nr = 3;
		for (int k = 0; k < 3; k++)
			v->numbers[k] = i * k;
		free = (char *)(v + 1);
		rel_set(&e[i].name, t);
		rel_set(&e[i].value, v);
		e[i].hash = (uint32_t)letters[i];
	}
	image->size = (uint32_t)(free - memory);
	return image;
}

/* Handles: indices into a table of untyped objects with a tag in front. */
struct header {
	uint32_t tag, refs;
};

struct registry {
	void *slots[16];
	int nr;
};

struct timer {
	struct header head;
	uint64_t due, period;
};

struct socket {
	struct header head;
	uint16_t port;
	int fd;
	uint64_t sent;
};

static int registry_add(struct registry *r, void *object)
{
	((struct header *)object)->refs++;
	r->slots[r->nr] = object;
	return r->nr++;
}

static void *registry_get(struct registry *r, int handle, uint32_t tag)
{
	void *object = handle < r->nr ? r->slots[handle] : NULL;

	return object && ((struct header *)object)->tag == tag ? object : NULL;
}

static uint64_t timer_tick(struct registry *r, int handle, uint64_t now)
{
	struct timer *t = registry_get(r, handle, 1);

	if (!t || now < t->due)
		return 0;
	t->due = now + t->period;
	return t->due;
}

static uint64_t socket_send(struct registry *r, int handle, uint64_t n)
{
	struct socket *s = registry_get(r, handle, 2);

	if (!s)
		return 0;
	s->sent += n;
	s->port++;
	return s->sent + s->head.refs;
}

int main(void)
{
	struct stage stages[2];
	uint8_t *a = new_array(uint8_t, 64), *b = new_array(uint8_t, 64);
	struct file *file = create(struct file);
	struct limit_request req = { 16, 'c', 0 };
	char buffer[64], *memory = new_array(char, 1024);
	struct image *first = image_make(memory, 4, "abcd"),
		     *second = image_make(memory + 512, 3, "efg");
	struct registry *registry = create(struct registry);
	struct timer *timer = create(struct timer);
	struct socket *socket = create(struct socket);
	uint64_t sum = 0;
	int t, s;

	for (int i = 0; i < 2; i++) {
		stages[i].ops = &filters[i];
		stages[i].self = filters[i].open("key");
		stages[i].bytes = 0;
	}
	for (int i = 0; i < 4; i++) {
		memset(a, i, 30);
		sum += run_stages(stages, 2, a, b, 30);
	}
	for (int i = 0; i < 2; i++)
		stages[i].ops->close(stages[i].self);
	file->ops = &counter_ops;
	file->ops->open(file, 3);
	for (int i = 0; i < 3; i++) {
		sum += (uint64_t)file->ops->read(file, buffer, 40);
		sum += (uint64_t)file->ops->ioctl(file, 1 + (unsigned int)i % 2, &req);
	}
	rel_set(&first->next, second);
	for (const char *c = "afgdz"; *c; c++) {
		char name[3] = { *c, *c, 0 };
		const struct value *v = image_find(first, name);

		if (v)
			sum += (uint64_t)v->numbers[v->kind % 3] + v->nr;
	}
	memset(registry, 0, sizeof(*registry));
	timer->head = (struct header){ 1, 0 };
	timer->due = 5;
	timer->period = 3;
	socket->head = (struct header){ 2, 0 };
	socket->sent = 0;
	socket->port = 80;
	t = registry_add(registry, timer);
	s = registry_add(registry, socket);
	for (uint64_t i = 0; i < 20; i++)
		sum += timer_tick(registry, t, i) + socket_send(registry, s, i) +
		       socket_send(registry, t, 1);
	printf("%lu %d %zu\n", (unsigned long)sum, req.previous, stages[1].bytes);
	return 0;
}
