// SPDX-License-Identifier: GPL-2.0-or-later
#include <map>
#include <regex>
#include <stdexcept>
#include <string>

struct shape {
	virtual ~shape() = default;
	virtual int area(const std::string &s, int depth) = 0;
};

struct square : shape {
	int area(const std::string &s, int depth) override
	{
		static const std::regex number("([0-9]+)(,([0-9]+))*");
		std::smatch m;

		if (depth)
			return area(s + "1", depth - 1) + 1;
		if (!std::regex_match(s, m, number))
			throw std::runtime_error(s);
		return (int)m.size();
	}
};

int main()
{
	std::map<std::string, int> seen;
	square q;
	shape *any = &q;

	for (int i = 0;; i++) {
		std::string s = std::to_string(i % 97) + (i % 3 ? ",12" : ",x");
		try {
			seen[s] += any->area(s, i % 20);
		} catch (const std::exception &e) {
			seen[e.what()]--;
		}
	}
}
