// SPDX-License-Identifier: GPL-2.0-or-later
/* An order book: pointers behind pointers, followed without naming what lies between. */
#include <stdio.h>
#include <string.h>

#include "truth.h"

struct address {
	int zip;
	char street[20];
	struct country *country;
};

struct country {
	char code[4];
	double vat;
	struct country *union_of;
};

struct customer {
	unsigned long id;
	struct address *home, *billing;
	struct customer *referred_by;
	int orders;
};

struct line {
	struct line *next;
	unsigned int article, amount;
	double price;
};

struct order {
	struct order *next;
	struct customer *customer;
	struct line *lines;
	double total;
	unsigned short flags;
};

struct book {
	struct order *first, **last;
	struct country *home;
	unsigned long nr_orders, nr_lines;
};

static struct country *make_country(const char *code, double vat, struct country *in)
{
	struct country *c = create(struct country);

	memcpy(c->code, code, 3);
	c->vat = vat;
	c->union_of = in;
	return c;
}

static struct address *make_address(int zip, struct country *country)
{
	struct address *a = create(struct address);

	a->zip = zip;
	snprintf(a->street, sizeof(a->street), "%d High Street", zip % 100);
	a->country = country;
	return a;
}

static struct customer *make_customer(unsigned long id, struct country *country,
				      struct customer *by)
{
	struct customer *c = create(struct customer);

	c->id = id;
	c->home = make_address((int)id * 37, country);
	c->billing = id % 3 ? c->home : make_address((int)id, country->union_of);
	c->referred_by = by;
	return c;
}

static void add_line(struct book *book, struct order *order, unsigned int article,
		     unsigned int amount)
{
	struct line *line = create(struct line);

	line->article = article;
	line->amount = amount;
	line->price = 1.5 * article;
	line->next = order->lines;
	order->lines = line;
	book->nr_lines++;
}

static struct order *add_order(struct book *book, struct customer *customer)
{
	struct order *order = create(struct order);

	order->customer = customer;
	customer->orders++;
	*book->last = order;
	book->last = &order->next;
	book->nr_orders++;
	return order;
}

static double vat_of(const struct order *order)
{
	if (order->customer->billing->country->union_of)
		return order->customer->billing->country->union_of->vat;
	return order->customer->billing->country->vat;
}

static double price(struct order *order)
{
	double sum = 0;

	for (struct line *l = order->lines; l; l = l->next)
		sum += l->price * l->amount;
	order->total = sum * (1 + vat_of(order));
	return order->total;
}

static int depth(const struct customer *customer)
{
	int n = 0;

	while (customer->referred_by) {
		customer = customer->referred_by;
		n++;
	}
	return n;
}

static int zip_of_grandparent(const struct order *order)
{
	struct customer *by = order->customer->referred_by;

	if (!by || !by->referred_by)
		return 0;
	return by->referred_by->home->zip + by->referred_by->billing->country->code[1];
}

int main(void)
{
	struct book *book = create(struct book);
	struct country *eu = make_country("EU", 0.2, NULL), *home = make_country("DE", 0.19, eu);
	struct customer *customers[8] = { NULL };
	double turnover = 0;
	long check = 0;

	book->last = &book->first;
	book->home = home;
	for (unsigned int i = 0; i < 8; i++)
		customers[i] = make_customer(i,
					     i % 2	    ? home
					     : eu->union_of ? eu
							    : home,
					     i ? customers[i / 2] : NULL);
	for (unsigned int i = 0; i < 24; i++) {
		struct order *order = add_order(book, customers[i * 5 % 8]);

		for (unsigned int j = 0; j <= i % 4; j++)
			add_line(book, order, i + j, j + 1);
	}
	for (struct order *o = book->first; o; o = o->next) {
		turnover += price(o);
		check += depth(o->customer) + zip_of_grandparent(o);
		if (o->customer->billing->country == book->home)
			o->flags |= 1;
	}
	printf("%lu %lu %.2f %ld\n", book->nr_orders, book->nr_lines, turnover, check);
	return 0;
}
