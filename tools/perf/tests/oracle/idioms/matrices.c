// SPDX-License-Identifier: GPL-2.0-or-later
/* Linear algebra: matrices in a structure, by rows, by one pointer; an image with a border; a Kalman filter. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "truth.h"

struct mat4 {
	float m[4][4];
};

struct vec4 {
	float x, y, z, w;
};

struct dense {
	int rows, cols;
	double *a;
	int pivot[6];
	int swaps;
	double lu[6][6];
	double scale;
};

struct image {
	int width, height, stride;
	unsigned char *pixels;
	unsigned long histogram[16];
	int min, max;
};

struct filter {
	double x[2];
	double p[2][2];
	double q, r;
	unsigned long updates;
};

struct scene {
	struct mat4 view;
	struct vec4 points[6];
	struct mat4 stack[4];
	int depth;
	struct vec4 bounds[2];
};

__attribute__((noinline)) static void multiply(struct mat4 *to, const struct mat4 *a,
					       const struct mat4 *b)
{
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++) {
			float sum = 0;

			for (int k = 0; k < 4; k++)
				sum += a->m[i][k] * b->m[k][j];
			to->m[i][j] = sum;
		}
}

__attribute__((noinline)) static struct vec4 apply(const struct mat4 *m, struct vec4 v)
{
	struct vec4 r = {
		m->m[0][0] * v.x + m->m[0][1] * v.y + m->m[0][2] * v.z + m->m[0][3] * v.w,
		m->m[1][0] * v.x + m->m[1][1] * v.y + m->m[1][2] * v.z + m->m[1][3] * v.w,
		m->m[2][0] * v.x + m->m[2][1] * v.y + m->m[2][2] * v.z + m->m[2][3] * v.w,
		m->m[3][0] * v.x + m->m[3][1] * v.y + m->m[3][2] * v.z + m->m[3][3] * v.w,
	};

	return r;
}

__attribute__((noinline)) static void push(struct scene *s, const struct mat4 *m)
{
	multiply(&s->stack[s->depth], s->depth ? &s->stack[s->depth - 1] : &s->view, m);
	s->depth++;
}

__attribute__((noinline)) static void transform(struct scene *s)
{
	const struct mat4 *top = &s->stack[s->depth - 1];

	for (int i = 0; i < 6; i++) {
		struct vec4 p = apply(top, s->points[i]);

		if (p.x < s->bounds[0].x)
			s->bounds[0].x = p.x;
		if (p.y > s->bounds[1].y)
			s->bounds[1].y = p.y;
		s->points[i] = p;
	}
	s->depth--;
}

__attribute__((noinline)) static int decompose(struct dense *d)
{
	int n = d->rows;

	for (int i = 0; i < n; i++) {
		d->pivot[i] = i;
		for (int j = 0; j < n; j++)
			d->lu[i][j] = d->a[i * d->cols + j];
	}
	for (int k = 0; k < n; k++) {
		int best = k;

		for (int i = k + 1; i < n; i++)
			if (fabs(d->lu[i][k]) > fabs(d->lu[best][k]))
				best = i;
		if (d->lu[best][k] == 0)
			return -1;
		if (best != k) {
			int t = d->pivot[k];

			d->pivot[k] = d->pivot[best];
			d->pivot[best] = t;
			d->swaps++;
			for (int j = 0; j < n; j++) {
				double x = d->lu[k][j];

				d->lu[k][j] = d->lu[best][j];
				d->lu[best][j] = x;
			}
		}
		for (int i = k + 1; i < n; i++) {
			d->lu[i][k] /= d->lu[k][k];
			for (int j = k + 1; j < n; j++)
				d->lu[i][j] -= d->lu[i][k] * d->lu[k][j];
		}
	}
	return 0;
}

__attribute__((noinline)) static void solve(const struct dense *d, const double *b, double *x)
{
	int n = d->rows;

	for (int i = 0; i < n; i++) {
		x[i] = b[d->pivot[i]];
		for (int j = 0; j < i; j++)
			x[i] -= d->lu[i][j] * x[j];
	}
	for (int i = n - 1; i >= 0; i--) {
		for (int j = i + 1; j < n; j++)
			x[i] -= d->lu[i][j] * x[j];
		x[i] /= d->lu[i][i];
	}
}

__attribute__((noinline)) static void transpose(struct dense *d)
{
	for (int i = 0; i < d->rows; i++)
		for (int j = 0; j < i; j++) {
			double t = d->a[i * d->cols + j];

			d->a[i * d->cols + j] = d->a[j * d->cols + i];
			d->a[j * d->cols + i] = t;
		}
}

__attribute__((noinline)) static void blur(struct image *to, const struct image *from)
{
	to->min = 255;
	for (int y = 1; y < from->height - 1; y++) {
		const unsigned char *row = from->pixels + y * from->stride;

		for (int x = 1; x < from->width - 1; x++) {
			int sum = row[x - from->stride] + row[x - 1] + 4 * row[x] + row[x + 1] +
				  row[x + from->stride];
			unsigned char p = (unsigned char)(sum / 8);

			to->pixels[y * to->stride + x] = p;
			to->histogram[p >> 4]++;
			if (p < to->min)
				to->min = p;
			if (p > to->max)
				to->max = p;
		}
	}
}

/* From the top, for the running sum of a histogram. */
__attribute__((noinline)) static unsigned long above(const struct image *im, int level)
{
	unsigned long sum = 0;

	for (int i = 15; i >= level; i--)
		sum += im->histogram[i];
	return sum;
}

__attribute__((noinline)) static void update(struct filter *f, double z)
{
	double k[2], s;

	f->x[0] += f->x[1];
	f->p[0][0] += f->p[1][0] + f->p[0][1] + f->p[1][1] + f->q;
	f->p[0][1] += f->p[1][1];
	f->p[1][0] += f->p[1][1];
	f->p[1][1] += f->q;
	s = f->p[0][0] + f->r;
	for (int i = 0; i < 2; i++)
		k[i] = f->p[i][0] / s;
	for (int i = 0; i < 2; i++)
		f->x[i] += k[i] * (z - f->x[0]);
	for (int i = 1; i >= 0; i--)
		for (int j = 0; j < 2; j++)
			f->p[i][j] -= k[i] * f->p[0][j];
	f->updates++;
}

int main(void)
{
	struct scene *s = create(struct scene);
	struct dense *d = create(struct dense);
	struct image *a = create(struct image), *b = create(struct image);
	struct filter *f = create(struct filter);
	double *rhs = new_array(double, 6), x[6], sum = 0;
	struct mat4 turn = { { { 0, -1, 0, 1 }, { 1, 0, 0, 0 }, { 0, 0, 1, 0 }, { 0, 0, 0, 1 } } };

	for (int i = 0; i < 4; i++)
		s->view.m[i][i] = 1;
	for (int i = 0; i < 6; i++)
		s->points[i] = (struct vec4){ (float)i, (float)(i * i), 1, 1 };
	for (int i = 0; i < 3; i++)
		push(s, &turn);
	for (int i = 0; i < 3; i++)
		transform(s);
	d->rows = d->cols = 6;
	d->a = new_array(double, 36);
	for (int i = 0; i < 36; i++)
		d->a[i] = (i * 7 % 11) + (i % 7 == 0 ? 9 : 0);
	for (int i = 0; i < 6; i++)
		rhs[i] = i + 1;
	transpose(d);
	if (!decompose(d)) {
		solve(d, rhs, x);
		for (int i = 0; i < 6; i++)
			sum += x[i];
	}
	a->width = b->width = 12;
	a->height = b->height = 8;
	a->stride = b->stride = 16;
	a->pixels = new_array(unsigned char, 128);
	b->pixels = new_array(unsigned char, 128);
	for (int i = 0; i < 128; i++)
		a->pixels[i] = (unsigned char)(i * 37);
	blur(b, a);
	f->p[0][0] = f->p[1][1] = f->r = 1;
	f->q = 0.1;
	for (int i = 0; i < 10; i++)
		update(f, i * 1.5);
	printf("%.3f %.3f %d %lu %d\n", sum, f->x[1], b->max, above(b, 8), s->bounds[1].y > 3);
	return 0;
}
