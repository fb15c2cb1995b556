// SPDX-License-Identifier: GPL-2.0-or-later
/* Frames, names and checksums: string instructions, pushes and loads in odd forms. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "truth.h"

struct frame {
	uint16_t length, kind;
	uint32_t crc;
	unsigned char payload[120];
};

struct names {
	char first[24], last[24];
	int nr;
};

struct port {
	struct frame *frame;
	unsigned long sent, flags;
	uint32_t swapped;
	signed char level;
	unsigned char parity;
};

struct big {
	long words[40];
	struct port port;
};

/* As device drivers and kernels have it. */
static inline void copy_words(void *to, const void *from, unsigned long n)
{
	__asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}

static inline void fill_words(void *to, unsigned long value, unsigned long n)
{
	__asm__ volatile("rep stosq" : "+D"(to), "+c"(n) : "a"(value) : "memory");
}

static inline void copy_bytes(void *to, const void *from, unsigned long n)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}

static inline int set_bit(unsigned long *word, long bit)
{
	char old;

	__asm__ volatile("btsq %2, %1\n\tsetc %0" : "=q"(old), "+m"(*word) : "r"(bit) : "cc");
	return old;
}

__attribute__((noinline)) static void build(struct frame *f, const struct names *names)
{
	f->length = (uint16_t)(strlen(names->first) + 1);
	memset(f->payload, 0, sizeof(f->payload));
	memcpy(f->payload, names->first, sizeof(names->first));
	copy_bytes(f->payload + 24, names->last, 20);
}

__attribute__((noinline)) static uint32_t crc(const unsigned char *p, unsigned int n)
{
	uint32_t c = ~0u;

	while (n--) {
		c ^= *p++;
		for (int k = 0; k < 8; k++)
			c = c & 1 ? (c >> 1) ^ 0xedb88320u : c >> 1;
	}
	return ~c;
}

__attribute__((noinline)) static void send(struct port *port, struct frame *f)
{
	port->frame = f;
	port->sent += f->length;
	f->crc = crc(f->payload, sizeof(f->payload));
	port->swapped = __builtin_bswap32(f->crc);
	port->level = (signed char)-port->level;
	port->parity = (unsigned char)__builtin_parity(port->frame->crc);
	set_bit(&port->flags, f->kind & 31);
	port->flags <<= 1;
}

__attribute__((noinline)) static long use_big(struct big *to, const struct big *from)
{
	long sum = 0;

	*to = *from;
	fill_words(to->words + 20, 7, 10);
	copy_words(to->words, from->words + 8, 6);
	for (int i = 0; i < 40; i++)
		sum += to->words[i];
	return sum + (long)to->port.sent;
}

__attribute__((noinline)) static int upper(char *s)
{
	int n = 0;

	for (; *s; s++)
		if (*s >= 'a' && *s <= 'z') {
			*s = (char)(*s - 32);
			n++;
		}
	return n;
}

__attribute__((noinline)) static int compare(const struct names *a, const struct names *b)
{
	int c = memcmp(a->last, b->last, sizeof(a->last));

	return c ? c : a->nr - b->nr;
}

int main(void)
{
	struct names *names = new_array(struct names, 4);
	struct frame *frames = new_array(struct frame, 4);
	struct big *a = create(struct big), *b = create(struct big);
	int changed = 0, order = 0;

	for (int i = 0; i < 4; i++) {
		snprintf(names[i].first, sizeof(names[i].first), "first name %d", i);
		strcpy(names[i].last, i % 2 ? "odd" : "even");
		names[i].nr = i;
		changed += upper(names[i].first);
		frames[i].kind = (uint16_t)(i * 3);
		build(&frames[i], &names[i]);
		a->port.level = (signed char)i;
		send(&a->port, &frames[i]);
	}
	for (int i = 0; i < 40; i++)
		a->words[i] = i * i;
	for (int i = 1; i < 4; i++)
		order = order * 2 + (compare(&names[i - 1], &names[i]) < 0);
	printf("%d %d %ld %08x %lu %d\n", changed, order, use_big(b, a), a->port.swapped,
	       b->port.flags, b->port.parity);
	return 0;
}
