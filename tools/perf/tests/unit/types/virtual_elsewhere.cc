// SPDX-License-Identifier: GPL-2.0-or-later
#include "virtual.h"
using namespace chain;

Node *Holder::first()
{
	static Node node;

	return &node;
}

int Holder::size() const
{
	return held;
}

Holder::~Holder()
{
}

const Node *Named::named() const
{
	return nullptr;
}

Node *Outer::first()
{
	return direct->first();
}

Holder *Outer::holder()
{
	return direct;
}

int Device::read()
{
	return 0;
}

int Disk::read()
{
	return sector;
}

int Drive::read()
{
	return sector;
}
