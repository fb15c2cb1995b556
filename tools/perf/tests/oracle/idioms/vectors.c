// SPDX-License-Identifier: GPL-2.0-or-later
/* Signals, pixels and indexes in loops that compilers turn into vector code. */
#include <stdio.h>
#include <string.h>

#include "truth.h"

struct samples {
	int nr;
	float *left, *right;
	float gain[64];
	double energy;
};

struct pixel {
	unsigned char r, g, b, a;
};

struct image {
	int width, height;
	struct pixel *pixels;
	unsigned int histogram[4];
};

struct particle {
	double x, y, vx, vy;
};

struct index {
	int nr;
	int *keys;
	const long *values;
	long sums[32];
};

__attribute__((noinline)) static void mix(struct samples *s)
{
	for (int i = 0; i < s->nr; i++)
		s->left[i] = s->left[i] * s->gain[i & 63] + s->right[i];
}

__attribute__((noinline)) static void scale(float *restrict to, const float *restrict from, int n,
					    float by)
{
	for (int i = 0; i < n; i++)
		to[i] = from[i] * by;
}

__attribute__((noinline)) static void energy(struct samples *s)
{
	double sum = 0;

	for (int i = 0; i < s->nr; i++)
		sum += (double)s->right[i] * s->right[i];
	s->energy = sum;
}

__attribute__((noinline)) static void darken(struct image *im)
{
	int n = im->width * im->height;

	for (int i = 0; i < n; i++) {
		im->pixels[i].r >>= 1;
		im->pixels[i].g >>= 1;
		im->pixels[i].b >>= 1;
	}
}

__attribute__((noinline)) static unsigned int brightness(const struct image *im)
{
	unsigned int sum = 0;

	for (const struct pixel *p = im->pixels, *end = p + im->width * im->height; p != end; p++)
		sum += p->r + p->g * 2u + p->b;
	return sum;
}

__attribute__((noinline)) static void move(struct particle *restrict p, int n, double dt)
{
	for (int i = 0; i < n; i++) {
		p[i].x += p[i].vx * dt;
		p[i].y += p[i].vy * dt;
	}
}

__attribute__((noinline)) static void gather(struct index *ix)
{
	for (int i = 0; i < 32; i++)
		ix->sums[i] = ix->values[ix->keys[i]];
}

__attribute__((noinline)) static long total(const struct index *ix)
{
	long sum = 0;

	for (int i = 0; i < 32; i++)
		sum += ix->sums[i];
	return sum;
}

__attribute__((noinline)) static int largest(const int *keys, int n)
{
	int best = keys[0];

	for (int i = 1; i < n; i++)
		best = keys[i] > best ? keys[i] : best;
	return best;
}

__attribute__((noinline)) static void prefix(unsigned short *v, int n)
{
	for (int i = 1; i < n; i++)
		v[i] = (unsigned short)(v[i] + v[i - 1]);
}

int main(void)
{
	struct samples *s = create(struct samples);
	struct image *im = create(struct image);
	struct particle *particles = new_array(struct particle, 21);
	struct index *ix = create(struct index);
	long *values = new_array(long, 64);
	unsigned short *counts = new_array(unsigned short, 37);

	s->nr = 75;
	s->left = new_array(float, 75);
	s->right = new_array(float, 75);
	for (int i = 0; i < 75; i++) {
		s->left[i] = (float)i;
		s->right[i] = (float)(i % 7);
		s->gain[i % 64] = 0.5f;
	}
	im->width = 13;
	im->height = 11;
	im->pixels = new_array(struct pixel, 13 * 11);
	memset(im->pixels, 200, 13 * 11 * sizeof(struct pixel));
	for (int i = 0; i < 21; i++)
		particles[i].vx = particles[i].vy = i;
	ix->keys = new_array(int, 32);
	ix->values = values;
	for (int i = 0; i < 64; i++) {
		values[i] = i * 11;
		ix->keys[i / 2] = i * 5 % 64;
	}
	for (int i = 0; i < 37; i++)
		counts[i] = (unsigned short)i;
	mix(s);
	scale(s->right, s->left, s->nr, 0.25f);
	energy(s);
	darken(im);
	move(particles, 21, 0.1);
	gather(ix);
	prefix(counts, 37);
	printf("%.1f %.1f %u %.2f %ld %d %u\n", s->left[70], s->energy, brightness(im),
	       particles[20].x, total(ix), largest(ix->keys, 32), counts[36]);
	return 0;
}
