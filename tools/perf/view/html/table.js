// SPDX-License-Identifier: GPL-2.0-or-later
// The rows of the command's own pages: sorted by any column, filtered by text; where something is
// selected, with each row's part of that. Only rows that are looked at are made.

const CHUNK = 100;

class Table {
	// Of several pages one is shown, which a control chooses.
	constructor(state, sums, pages, nr) {
		Object.assign(this, { state, sums, model: state.model, pages, id: nr ? `table${nr + 1}` : 'table' });
		const p = panel(this.id, pages.length === 1 && pages[0].title ? `Table: ${shown(pages[0].title)}` : 'Table');
		this.section = p.section;
		this.filter = el('input', { type: 'search', size: 16, spellcheck: false, placeholder: 'name or /regex/',
			id: `${this.id}-filter`, oninput: () => this.state.set(`${this.id}.filter`, this.filter.value) });
		p.controls.append(el('label', {}, 'Filter ', this.filter));
		this.head = el('tr');
		this.rowsBody = el('tbody');
		this.scroll = el('div', { className: 'surface scroll table', tabIndex: 0, role: 'region',
			'aria-label': 'Rows' },
		el('table', {}, el('thead', {}, this.head), this.rowsBody));
		this.info = el('p', { className: 'info', role: 'status' });
		p.body.append(this.scroll, this.info);
		this.scroll.addEventListener('scroll', () => this.more());
		state.declare(`${this.id}.filter`, '');
		state.declare(`${this.id}.sort`, '');
		state.declare(`${this.id}.page`, '0');
		if (pages.length > 1)
			p.controls.prepend(choice(`${this.id}-page`, 'Page', pages.map((page, i) => [String(i), shown(page.title)]), '0',
				(value) => state.set(`${this.id}.page`, value)));
		this.choose();
	}

	choose() {
		const wanted = this.state.get(`${this.id}.page`), page = this.pages[wanted] ?? this.pages[0];
		const select = document.getElementById(`${this.id}-page`);
		if (select)
			select.value = String(this.pages.indexOf(page));
		if (page === this.page)
			return;
		this.page = page;
		this.event = page.events?.[0];
		this.read();
	}

	// Rows with those below them, keys of the rows around included.
	read() {
		this.rows = [];
		eachRow(this.page.rows, (row, parent, depth) => {
			const me = { cells: { ...parent?.keys, ...row.cells }, depth, at: this.rows.length };
			me.keys = Object.fromEntries(Object.entries(me.cells).filter(([, value]) => typeof value === 'string'));
			this.rows.push(me);
			return me;
		});
		// What no row has (spans where nothing has one, source lines) is no column.
		const isNumber = (c) => c.kind === 'share' || c.kind === 'count';
		const has = (c) => isNumber(c) || this.rows.some((row) => isSaid(row.cells[c.name] ?? ''));
		this.columns = this.page.columns.filter(has);
		if (this.columns.every(isNumber))
			this.columns = this.page.columns;
		this.isTree = this.rows.some((row) => row.depth);
		const texts = this.columns.filter((c) => c.kind === 'text');
		for (const row of this.rows)
			row.text = texts.map((c) => row.cells[c.name] ?? '').join('\n');
		// Columns that are keys of the samples, too: by these a row finds its groups.
		this.keys = this.columns.filter((c) => this.model.keyIndex?.has(c.name)).map((c) => c.name);
		this.link();
	}

	// Of rows that read the same, the first stands for all.
	enter(rows, key, at) {
		if (!rows.has(key))
			rows.set(key, at);
	}

	link() {
		this.rowOf = null;
		if (!this.keys.length)
			return;
		const rows = new Map();
		for (const row of this.rows)
			if (!row.depth || this.keys.every((key) => key in row.cells))
				this.enter(rows, JSON.stringify(this.keys.map((key) => row.cells[key])), row.at);
		const { groups, keys, keyIndex } = this.model;
		const values = this.keys.map((key) => keyIndex.get(key));
		this.rowOf = new Int32Array(groups.n);
		for (let g = 0; g < groups.n; g++)
			this.rowOf[g] = rows.get(JSON.stringify(values.map((k) => keys[k].cells[groups.values[k][g]]))) ?? NONE;
	}

	update() {
		const { state } = this;
		this.choose();
		const filter = state.get(`${this.id}.filter`);
		const selected = this.rowOf && state.parts.length > 0;
		if (this.filter.value !== filter)
			this.filter.value = filter;
		this.selected = selected ? this.sumRows() : null;
		this.whole = selected ? this.sums.whole(false, this.event) : 0;
		this.before = this.rowOf && this.model.baseline ? this.sumRows(true) : null;
		this.wholeBefore = this.before ? this.sums.whole(true, this.event) : 0;
		const [sort, order] = this.sorting();
		const found = matcher(filter);
		this.list = this.rows.filter((row) => (!found || found(row.text)) && (!this.selected || this.selected[row.at] > 0));
		if (sort && !this.isTree)
			this.list.sort((a, b) => order * this.compare(a, b, sort) || a.at - b.at);
		else if (this.selected && !this.isTree)
			this.list.sort((a, b) => this.selected[b.at] - this.selected[a.at] || a.at - b.at);
		this.drawHead(sort, order);
		this.rowsBody.replaceChildren();
		this.more();
		this.scroll.scrollTop = 0;
		this.info.textContent = `${countText(this.list.length)} of ${countText(this.rows.length)} rows` +
			(sort ? `, sorted by ${this.titleOf(sort)}, ${order < 0 ? 'largest' : 'smallest'} first` : '');
	}

	sumRows(before = false) {
		const weights = this.sums.weights({ before, of: this.event });
		const out = new Float64Array(this.rows.length);
		for (let g = 0; g < weights.length; g++)
			if (this.rowOf[g] !== NONE)
				out[this.rowOf[g]] += weights[g];
		return out;
	}

	sorting() {
		const text = this.state.get(`${this.id}.sort`);
		return text ? [text.replace(/^-/, ''), text.startsWith('-') ? -1 : 1] : ['', 1];
	}

	// What is shown besides the page's own columns.
	extra() {
		const extra = [];
		if (this.selected)
			extra.push({ name: 'selected', title: 'Selected, of all', number: (row) => percent(this.selected[row.at], this.whole) });
		if (this.before)
			extra.push({ name: 'before', title: 'Before', number: (row) => percent(this.before[row.at], this.wholeBefore) });
		return extra;
	}

	titleOf(name) {
		return [...this.extra(), ...this.columns].find((c) => c.name === name)?.title ?? name;
	}

	number(row, name) {
		const extra = this.extra().find((c) => c.name === name);
		if (extra)
			return extra.number(row);
		const cell = row.cells[name], first = Array.isArray(cell) ? cell[0] : cell;
		const value = first?.percent ?? first;
		return typeof value === 'string' && /^0x[0-9a-f]+$/.test(value) ? Number(value) : value;
	}

	compare(a, b, name) {
		const x = this.number(a, name), y = this.number(b, name);
		if (typeof x === 'string' || typeof y === 'string')
			return String(x ?? '') < String(y ?? '') ? -1 : String(x ?? '') > String(y ?? '') ? 1 : 0;
		return (x ?? -Infinity) - (y ?? -Infinity);
	}

	drawHead(sort, order) {
		const focus = this.head.contains(document.activeElement) ? document.activeElement.dataset.name : null;
		this.head.replaceChildren(...[...this.extra(), ...this.columns].map((c) => {
			const now = c.name === sort;
			const button = el('button', { type: 'button', 'data-name': c.name, disabled: this.isTree, onclick: () => {
				const numbers = c.number || c.kind !== 'text';
				const next = now ? (order < 0 ? c.name : `-${c.name}`) : numbers ? `-${c.name}` : c.name;
				this.state.set(`${this.id}.sort`, next);
			} }, shown(c.title), now ? (order < 0 ? ' \u25bc' : ' \u25b2') : '');
			return el('th', { scope: 'col', className: c.number || c.kind !== 'text' ? 'right' : '', 'aria-sort': now ? (order < 0 ? 'descending' : 'ascending') : 'none' }, button);
		}));
		if (focus)
			this.head.querySelector(`[data-name="${CSS.escape(focus)}"]`)?.focus();
	}

	more() {
		const near = this.scroll.scrollTop + this.scroll.clientHeight + 400 > this.rowsBody.offsetHeight;
		const from = this.rowsBody.children.length;
		if (!near || from >= this.list.length)
			return;
		this.rowsBody.append(...this.list.slice(from, from + CHUNK).map((row) => this.drawRow(row)));
	}

	drawRow(row) {
		const pick = this.keys.filter((key) => key in row.cells);
		const cells = this.extra().map((c) => el('td', { className: 'right' }, percentText(c.number(row))));
		let first = true;
		for (const c of this.columns) {
			const cell = row.cells[c.name];
			if (c.kind !== 'text') {
				cells.push(el('td', { className: 'right' }, ...this.numberWords(cell, c)));
				continue;
			}
			const word = namesOfCode.has(c.name) ? this.state.brief(cell ?? '') : cell;
			const text = el('span', { title: word === cell ? null : cell }, cell === '' && !pick.includes(c.name) ? '' : shown(word));
			if (first && row.depth)
				text.style.paddingLeft = `${row.depth}em`;
			cells.push(el('td', {}, pick.includes(c.name)
				? el('button', { type: 'button', className: 'pick', title: `Select this ${shown(c.title)}`,
					onclick: () => this.pick(row, c.name) }, text)
				: text));
			first = false;
		}
		return el('tr', {}, ...cells);
	}

	numberWords(cell, c) {
		const word = (value) => {
			if (value === null || value === undefined)
				return '';
			if (typeof value === 'object')
				return percentText(value.percent ?? 0);
			return typeof value === 'number' && c.kind === 'count' ? countText(value) : String(value);
		};
		return (Array.isArray(cell) ? cell : [cell]).flatMap((value, i) => (i ? [' ', word(value)] : [word(value)]));
	}

	pick(row, key) {
		const value = this.model.keys[this.model.keyIndex.get(key)].cells.indexOf(row.cells[key]);
		if (value >= 0)
			this.state.select({ kind: 'key', key, value });
	}
}
