// SPDX-License-Identifier: GPL-2.0-or-later
// The marks stand on the lines they speak of.
// clang-format off
/*
 * a[i - 1]: with the constant, the start of the index lies before the array, in another array whose elements have the same
 * size. See flow.c for the marks.
 *
 * @locals int | double | long | long int | struct here | char** | struct there[]* | struct here[]* | struct there* | struct here* | unsigned long | long unsigned int
 */
#define NOINLINE __attribute__((noinline))
#define KNOWN(...) __asm__ volatile("" : : __VA_ARGS__ : "memory")

struct there { long k; int x, y; double d; };
struct here { double w; float x, y; long k; };
struct row { long n; long v[6]; };

struct there before[10];
struct here middle[10];
struct there after[10];
struct row rows;
long longs[12];
double doubles[12];
static __thread struct there thread_before[10];
static __thread struct here thread_middle[10];
static __thread struct there thread_after[10];

NOINLINE double back(int n)
{
	double sum = 0;
	for (int i = n; i > 0; i--) {
		middle[i - 1].w += 1; // @type struct here +0 (w)
		sum += middle[i - 1].y; // @type struct here +0xc (y)
		after[i - 1].y = (int)sum; // @type struct there +0xc (y)
		sum += after[i - 1].d; // @type struct there +0x10 (d)
	}
	return sum;
}

NOINLINE double previous(int i)
{
	double sum = middle[i - 1].y; // @type struct here +0xc (y)
	sum += after[i - 1].d; // @type struct there +0x10 (d)
	sum += middle[i - 3].k; // @type struct here +0x10 (k)
	return sum + after[i - 2].y; // @type struct there +0xc (y)
}

NOINLINE double numbers(int i)
{
	double sum = doubles[i - 1]; // @type double[] +0 (no field) | double +0 (no field)
	sum += longs[i - 1]; // @type long[] +0 (no field) | long int[] +0 (no field) | long +0 (no field) | long int +0 (no field) | double[] +0 (no field)
	return sum + rows.v[i % 6]; // @must struct row +0x8 (v)
}

/* Each is as short as the constant of an index may be, but the address is the start of an array. */
struct there *few_there[2];
struct here *few_here[2];
long few_longs[2];
NOINLINE void few(unsigned long i, struct there *t, struct here *h)
{
	few_there[i] = t; // @must struct there*[] +0 (no field)
	few_here[i] = h; // @must struct here*[] +0 (no field)
	few_longs[i] = t->k; // @type long[] +0 (no field) | long int[] +0 (no field) | struct there +0 (k)
}

NOINLINE double threads(int n)
{
	double sum = 0;
	for (int i = n; i > 0; i--) {
		sum += thread_middle[i - 1].y; // @type struct here +0xc (y)
		thread_middle[i - 1].k += i; // @type struct here +0x10 (k)
		thread_after[i - 1].y++; // @type struct there +0xc (y)
	}
	return sum + thread_before[n].d; // @type struct there +0x10 (d)
}

NOINLINE double down(int n)
{
	double sum = 0;
	while (n-- > 0) {
		sum += middle[n].y; // @type struct here +0xc (y)
		after[n].d++; // @type struct there +0x10 (d)
	}
	return sum;
}

NOINLINE double frame(int n)
{
	struct there low[10];
	struct here mid[10];
	struct there high[10];
	double sum = 0;
	KNOWN("r"(low), "r"(mid), "r"(high));
	for (int i = n; i > 1; i--) {
		sum += mid[i - 1].y; // @type struct here +0xc (y)
		mid[i - 1].k += i; // @type struct here +0x10 (k)
		high[i - 1].y = (int)sum; // @type struct there +0xc (y)
		low[i - 1].d = sum; // @type struct there +0x10 (d)
	}
	KNOWN("r"(low), "r"(mid), "r"(high));
	return sum + mid[n - 1].w; // @type struct here +0 (w)
}

/* gcc unrolls the inner loop at -O3. */
NOINLINE double sorted(int n)
{
	struct there low[10];
	struct here mid[10];
	double sum = 0;
	KNOWN("r"(low), "r"(mid));
	for (int i = 1; i < n; i++) {
		struct here v = mid[i]; // @type struct here (one of several) | struct here +0 (w) | struct here +0x8 (x) | struct here +0xc (y) | struct here +0x10 (k)
		int j = i;
		while (j > 0 && mid[j - 1].w > v.w) { // @type struct here +0 (w)
			mid[j] = mid[j - 1]; // @type struct here (one of several) | struct here +0 (w) | struct here +0x8 (x) | struct here +0xc (y) | struct here +0x10 (k)
			j--;
		}
		mid[j] = v; // @type struct here (one of several) | struct here +0 (w) | struct here +0x8 (x) | struct here +0xc (y) | struct here +0x10 (k)
		sum += low[j].d; // @type struct there +0x10 (d)
	}
	KNOWN("r"(low), "r"(mid));
	return sum + mid[0].w; // @type struct here +0 (w)
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc < 99)
		return 0;
	few((unsigned long)argc, before, middle);
	return (int)(back(argc) + previous(argc) + numbers(argc) + threads(argc) + down(argc) + frame(argc) + sorted(argc));
}
