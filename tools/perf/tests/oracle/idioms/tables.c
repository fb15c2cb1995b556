// SPDX-License-Identifier: GPL-2.0-or-later
/* A small spreadsheet and a grid: arrays of structs, arrays in structs, arrays of arrays. */
#include <stdio.h>

#include "truth.h"

struct cell {
	int value;
	unsigned char kind, dirty;
	short next;
	double weight;
};

struct sheet {
	char name[12];
	int width, height;
	struct cell cells[16][8];
	long column_sums[8];
	struct cell *marked[10];
};

struct point {
	float x, y, z;
};

struct mesh {
	int nr;
	struct point *points;
	int (*faces)[3];
	struct point center;
};

static double distance[12][12];
static int ranks[64];

static void fill(struct sheet *sheet)
{
	for (int r = 0; r < sheet->height; r++)
		for (int c = 0; c < sheet->width; c++) {
			struct cell *cell = &sheet->cells[r][c];

			cell->value = r * 31 + c * 7;
			cell->kind = (unsigned char)(r + c) % 3;
			cell->next = (short)(r * 8 + c + 1);
			cell->weight = 1.0 / (1 + r + c);
		}
}

static long sum_columns(struct sheet *sheet)
{
	long all = 0;

	for (int c = 0; c < sheet->width; c++) {
		long sum = 0;

		for (int r = 0; r < sheet->height; r++)
			sum += sheet->cells[r][c].value;
		sheet->column_sums[c] = sum;
		all += sum;
	}
	return all;
}

static int mark(struct sheet *sheet, int kind)
{
	int n = 0;

	for (int i = 0; i < 16 * 8 && n < 10; i++) {
		struct cell *cell = &sheet->cells[0][0] + i;

		if (cell->kind == kind && !cell->dirty) {
			cell->dirty = 1;
			sheet->marked[n++] = cell;
		}
	}
	return n;
}

static double weigh(const struct sheet *sheet, int n)
{
	double w = 0;

	for (int i = 0; i < n; i++)
		w += sheet->marked[i]->weight * sheet->marked[i]->value;
	return w;
}

static int walk(const struct cell *cells, int at, int steps)
{
	int sum = 0;

	while (steps--) {
		sum ^= cells[at].value;
		at = cells[at].next & 127;
	}
	return sum;
}

static struct mesh *make_mesh(int nr)
{
	struct mesh *mesh = create(struct mesh);

	mesh->nr = nr;
	mesh->points = new_array(struct point, nr);
	mesh->faces = (int(*)[3])truth_alloc(sizeof(int[3]) * (size_t)nr, "int", 3 * (size_t)nr);
	for (int i = 0; i < nr; i++) {
		mesh->points[i].x = (float)i;
		mesh->points[i].y = (float)(i * i % 17);
		mesh->points[i].z = 1.0f;
		for (int k = 0; k < 3; k++)
			mesh->faces[i][k] = (i + k * 5) % nr;
	}
	return mesh;
}

static void center(struct mesh *mesh)
{
	struct point sum = { 0, 0, 0 };

	for (const struct point *p = mesh->points, *end = p + mesh->nr; p < end; p++) {
		sum.x += p->x;
		sum.y += p->y;
		sum.z += p->z;
	}
	mesh->center.x = sum.x / (float)mesh->nr;
	mesh->center.y = sum.y / (float)mesh->nr;
	mesh->center.z = sum.z / (float)mesh->nr;
}

static float area(const struct mesh *mesh)
{
	float sum = 0;

	for (int i = mesh->nr; i-- > 0;) {
		const struct point *a = &mesh->points[mesh->faces[i][0]];
		const struct point *b = &mesh->points[mesh->faces[i][1]];

		sum += a->x * b->y - a->y * b->x + mesh->points[mesh->faces[i][2]].z;
	}
	return sum;
}

static void distances(const struct mesh *mesh)
{
	for (int i = 0; i < 12; i++)
		for (int j = 0; j < 12; j++)
			distance[i][j] = mesh->points[i].x - mesh->points[j].x;
	for (int k = 0; k < 12; k++)
		for (int i = 0; i < 12; i++)
			for (int j = 0; j < 12; j++)
				if (distance[i][k] + distance[k][j] < distance[i][j])
					distance[i][j] = distance[i][k] + distance[k][j];
}

static void rank(const struct sheet *sheet)
{
	for (int i = 0; i < 64; i++)
		ranks[i] = i;
	for (int i = 1; i < 64; i++) {
		int r = ranks[i], j = i;

		for (; j > 0 && sheet->cells[0][ranks[j - 1]].value < sheet->cells[0][r].value; j--)
			ranks[j] = ranks[j - 1];
		ranks[j] = r;
	}
}

int main(void)
{
	struct sheet *sheet = create(struct sheet);
	struct mesh *mesh = make_mesh(40);
	long total;
	int n;

	sheet->width = 8;
	sheet->height = 16;
	fill(sheet);
	total = sum_columns(sheet);
	n = mark(sheet, 1);
	center(mesh);
	distances(mesh);
	rank(sheet);
	printf("%ld %d %.3f %d %.1f %.1f %.1f %d\n", total, n, weigh(sheet, n),
	       walk(sheet->cells[0], 3, 50), mesh->center.y, area(mesh), distance[3][7], ranks[5]);
	return 0;
}
