// SPDX-License-Identifier: GPL-2.0-or-later
/* Shapes, devices and streams: classes, inheritance, virtual calls, references. */
#include <cstdio>

#include "truth.hh"

namespace draw
{
struct Point {
	double x, y;

	Point &operator+=(const Point &o)
	{
		x += o.x;
		y += o.y;
		return *this;
	}
};

class Shape
{
      public:
	Shape(int id, Point at) : id_(id), at_(at)
	{
	}
	virtual ~Shape() = default;
	virtual double area() const = 0;
	virtual void move(const Point &by)
	{
		at_ += by;
		moves_++;
	}
	int id() const
	{
		return id_;
	}
	const Point &at() const
	{
		return at_;
	}

      protected:
	int id_, moves_ = 0;
	Point at_;
};

class Circle : public Shape
{
      public:
	Circle(int id, Point at, double r) : Shape(id, at), radius_(r)
	{
	}
	double area() const override
	{
		return 3.14 * radius_ * radius_;
	}

      private:
	double radius_;
};

class Box : public Shape
{
      public:
	Box(int id, Point at, double w, double h) : Shape(id, at), size_{ w, h }
	{
	}
	double area() const override
	{
		return size_.x * size_.y;
	}
	void move(const Point &by) override
	{
		Shape::move(by);
		drawn_ = false;
	}

      private:
	Point size_;
	bool drawn_ = true;
};

class Named
{
      public:
	explicit Named(const char *name) : name_(name)
	{
	}
	virtual ~Named() = default;
	virtual char initial() const
	{
		return name_[0];
	}

      protected:
	const char *name_;
	unsigned uses_ = 0;
};

class Label : public Named, public Circle
{
      public:
	Label(int id, const char *name) : Named(name), Circle(id, { 1, 2 }, 3), width_(7)
	{
	}
	char initial() const override
	{
		return static_cast<char>(Named::initial() - 32 + width_ - 7);
	}
	double area() const override
	{
		return Circle::area() + width_;
	}
	void use()
	{
		uses_++;
		moves_ += 2;
	}
	unsigned uses() const
	{
		return uses_ + static_cast<unsigned>(moves_);
	}

      private:
	int width_;
};
} // namespace draw

class Device
{
      public:
	long reads = 0;
	virtual ~Device() = default;
	virtual int read() = 0;
};

class Disk : public virtual Device
{
      public:
	int sector = 0;
	int read() override
	{
		reads++;
		return ++sector;
	}
};

class Tape : public virtual Device
{
      public:
	long position = 0;
	int read() override
	{
		reads += 2;
		return static_cast<int>(position += 3);
	}
};

class Hybrid : public Disk, public Tape
{
      public:
	bool use_disk = true;
	int read() override
	{
		use_disk = !use_disk;
		return use_disk ? Disk::read() : Tape::read();
	}
};

struct Scene {
	draw::Shape *shapes[16];
	int nr = 0;
	draw::Point center{ 0, 0 };

	void add(draw::Shape *s)
	{
		shapes[nr++] = s;
	}
	double area() const;
	void shift(const draw::Point &by);
};

double Scene::area() const
{
	double sum = 0;

	for (int i = 0; i < nr; i++)
		sum += shapes[i]->area();
	return sum;
}

void Scene::shift(const draw::Point &by)
{
	for (draw::Shape *s : shapes) {
		if (!s)
			break;
		s->move(by);
		center += s->at();
	}
}

__attribute__((noinline)) static void swap_points(draw::Point &a, draw::Point &b)
{
	draw::Point t = a;

	a = b;
	b = t;
}

__attribute__((noinline)) static int drain(Device &d, int n)
{
	int sum = 0;

	while (n--)
		sum += d.read();
	return sum + static_cast<int>(d.reads);
}

__attribute__((noinline)) static int initials(draw::Named **all, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += all[i]->initial();
	return sum;
}

int main()
{
	Scene *scene = truth::make<Scene>();
	draw::Label *labels[3];
	draw::Named *named[3];
	Hybrid *hybrid = truth::make<Hybrid>();
	draw::Point *points = static_cast<draw::Point *>(truth_alloc(sizeof(draw::Point) * 4, "draw::Point", 4));

	for (int i = 0; i < 16; i++)
		scene->shapes[i] = nullptr;
	for (int i = 0; i < 4; i++) {
		scene->add(truth::make<draw::Circle>(i, draw::Point{ 1.0 * i, 2 }, i + 1.0));
		scene->add(truth::make<draw::Box>(i + 10, draw::Point{ 5, 2.0 * i }, i + 1.0, 2.0));
		points[i] = draw::Point{ 0.5 * i, 1.5 };
	}
	for (int i = 0; i < 3; i++) {
		labels[i] = truth::make<draw::Label>(20 + i, "label");
		named[i] = labels[i];
		scene->add(labels[i]);
		labels[i]->use();
	}
	scene->shift(points[2]);
	swap_points(points[0], points[3]);
	std::printf("%.2f %.1f %d %d %d %u %.1f\n", scene->area(), scene->center.x, drain(*hybrid, 5), hybrid->sector,
		    initials(named, 3), labels[1]->uses(), points[0].x);
	return scene->shapes[3]->id() == 11 ? 0 : 1;
}
