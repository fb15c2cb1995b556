-- SPDX-License-Identifier: GPL-2.0-or-later
-- Tables, strings, closures, coroutines, sorting and errors, a little of each.
local Account = {}
Account.__index = Account

function Account.new(id, balance)
	return setmetatable({ id = id, balance = balance, log = {} }, Account)
end

function Account:add(n)
	if self.balance + n < 0 then error("overdrawn " .. self.id) end
	self.balance = self.balance + n
	self.log[#self.log + 1] = n
end

local accounts, words, refused = {}, {}, 0
for i = 1, 40 do accounts[i] = Account.new("a" .. i, i * 10) end
for i = 1, 200 do
	local ok = pcall(accounts[i % 40 + 1].add, accounts[i % 40 + 1], (i * 37 % 101) - 60)
	if not ok then refused = refused + 1 end
end
table.sort(accounts, function(a, b) return a.balance < b.balance end)
for w in ("the quick brown fox jumps over the lazy dog and the cat"):gmatch("%a+") do
	words[w] = (words[w] or 0) + 1
end
local function walk(t, depth)
	return coroutine.wrap(function()
		for k, v in pairs(t) do
			if type(v) == "table" and depth > 0 then
				for x in walk(v, depth - 1) do coroutine.yield(x) end
			elseif type(v) == "number" then
				coroutine.yield(v)
			end
		end
	end)
end
local sum = 0.5
for v in walk(accounts, 2) do sum = sum + v end
local parts = {}
for i = 1, 30 do parts[i] = string.format("%d:%s", i, ("x"):rep(i % 5)) end
local text = table.concat(parts, ","):gsub("x+", function(s) return #s end)
collectgarbage()
local fib = setmetatable({}, { __index = function(t, n)
	local v = n < 2 and n or t[n - 1] + t[n - 2]
	rawset(t, n, v)
	return v
end })
print(refused, accounts[1].id, words.the, sum, #text, fib[40], string.byte(text, -1))
