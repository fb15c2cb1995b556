// SPDX-License-Identifier: GPL-2.0-or-later
const seconds = Number(process.argv[2] || 3);
const end = Date.now() + seconds * 1000;
class Shape {
  constructor(n) { this.n = n; }
  area(depth) { return depth ? this.area(depth - 1) + 1 : Math.sqrt(this.n); }
}
let sum = 0;
while (Date.now() < end) {
  const shapes = Array.from({ length: 500 }, (_, i) => new Shape((i * 7919) % 503));
  shapes.sort((a, b) => a.area(5) - b.area(5));
  const text = JSON.stringify(shapes.map((s) => ({ n: s.n, name: `shape ${s.n}` })));
  sum += JSON.parse(text).filter((s) => /(\d+)1$/.test(s.name)).length;
  sum += text.replace(/\d+/g, (d) => String(Number(d) + 1)).length;
}
