// SPDX-License-Identifier: GPL-2.0-or-later
// Who and what: the values of two keys with their shares of what is selected; a click selects one.

const LISTED = 12;

class Lists {
	constructor(state, sums) {
		Object.assign(this, { state, sums, model: state.model });
		const p = panel('lists', 'Who and what');
		this.section = p.section;
		// What has one value only tells less than what has several, and what has none tells nothing.
		const nr = (name) => Math.min(2, nrValues(this.model, name));
		const waits = this.model.tellingKey === 'state' ? ['state', 'syscall'] : [];
		const others = ['span', 'type', 'tid', 'symbol'].sort((a, b) => nr(b) - nr(a));
		const preset = [...waits, ...others].filter(nr);
		this.lists = [0, 1].map((i) => {
			const name = `list${i + 1}`;
			state.declare(name, preset[i] ?? this.model.keys[0].name);
			return { name, box: el('div', { className: 'list', id: name }), all: false };
		});
		p.body.append(el('div', { className: 'lists' }, ...this.lists.map((list) => list.box)));
	}

	update() {
		for (const list of this.lists)
			this.draw(list);
	}

	draw(list) {
		const { state, sums, model } = this;
		const key = model.keys[model.keyIndex.get(state.get(list.name)) ?? 0];
		const without = (part) => part.kind === 'key' && part.key === key.name, weights = sums.weights({ without });
		const sizes = sums.byKey(key.name, weights), whole = total(weights);
		const found = matcher(state.get('search'));
		const order = ranked(sizes);
		const now = state.value(key.name);
		if (now !== NONE && !order.includes(now))
			order.unshift(now);
		const few = list.all ? order : order.slice(0, LISTED);
		const focus = list.box.contains(document.activeElement) ? document.activeElement.dataset.id : null;
		const parts = [
			choice(`${list.name}-by`, 'By', model.keys.map((k) => [k.name, k.title]), key.name, (v) => {
				list.all = false;
				state.set(list.name, v);
			}),
			el('ul', {}, ...few.map((value) => this.entry(key, value, percent(sizes[value], whole), found))),
		];
		if (order.length > LISTED)
			parts.push(el('button', { type: 'button', 'data-id': 'more', onclick: () => {
				list.all = !list.all;
				this.draw(list);
			} }, list.all ? `First ${LISTED}` : `All ${order.length}`));
		parts.push(el('p', { className: 'info' }, `in percent of ${state.basis(without)}`));
		list.box.replaceChildren(...parts);
		list.box.querySelector('select').dataset.id = 'by';
		if (focus)
			list.box.querySelector(`[data-id="${CSS.escape(focus)}"]`)?.focus();
	}

	entry(key, value, share, found) {
		const name = key.values[value];
		const bar = el('span', { className: 'share-bar' });
		bar.style.width = `${share}%`;
		const button = el('button', {
			type: 'button',
			'data-id': `value ${value}`,
			'aria-pressed': String(this.state.value(key.name) === value),
			className: found?.(name) ? 'found' : '',
			title: name,
			onclick: () => this.state.toggle(key.name, value),
		}, bar, el('span', { className: 'number' }, percentText(share)), ' ', el('span', { className: 'name' }, shown(this.state.valueName(key, value))));
		return el('li', {}, button);
	}
}
