-- SPDX-License-Identifier: GPL-2.0-or-later
-- Records in no order, whose members are summed up: tables, strings and closures of Lua.
math.randomseed(1)
local n, records = tonumber(arg[1] or 200000), {}
for i = 1, n do
	records[i] = { key = i, name = "record " .. i, weight = i % 97, link = nil }
end
for i = n, 2, -1 do
	local j = math.random(i)
	records[i], records[j] = records[j], records[i]
end
for i = 1, n - 1 do
	records[i].link = records[i + 1]
end
local sum = 0
for round = 1, tonumber(arg[2] or 3) do
	for i = 1, n do
		local one = records[i]
		sum = sum + one.weight + #one.name + (one.link and one.link.key or 0) % 3
	end
end
print(sum)
