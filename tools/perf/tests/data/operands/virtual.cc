// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables of virtual functions: of what a pointer leads to, and of what is in the middle of it. */
struct Shape {
	int id;
	virtual long area() const = 0;
	virtual void move(long by) = 0;
};

struct Named {
	const char *name;
	virtual char initial() const
	{
		return name[0];
	}
};

struct Label : Named, Shape {
	long width;
	long area() const override;
	void move(long by) override;
	char initial() const override;
};

long sum_areas(Shape **shapes, int nr)
{
	long sum = 0;

	for (int i = 0; i < nr; i++) {
		shapes[i]->move(i);
		sum += shapes[i]->area();
	}
	return sum;
}

long Label::area() const
{
	return width * id;
}

void Label::move(long by)
{
	width += by;
}

char Label::initial() const
{
	return Named::initial();
}

char initial_of(Label *label)
{
	return static_cast<Named *>(label)->initial();
}
