// SPDX-License-Identifier: GPL-2.0-or-later
// Where in the code: source lines with their instructions, of what is selected.

const MAX_CODE = 40; // lines
const MAX_SITES = 5; // instructions of one

class Code {
	constructor(state, sums) {
		Object.assign(this, { state, sums, model: state.model, all: false });
		const p = panel('code', 'Code lines');
		this.waits = this.model.tellingKey === 'state';
		this.section = p.section;
		this.list = el('div', { className: 'code scroll', tabIndex: 0, role: 'region', 'aria-label': 'Code lines' });
		this.info = el('p', { className: 'info' });
		p.body.append(this.list, this.info);
	}

	update() {
		const without = (part) => part.kind === 'site', weights = this.sums.weights({ without });
		const bySite = this.sums.bySite(weights), whole = total(weights);
		const lines = new Map();
		for (const site of ranked(bySite)) {
			const s = this.model.sites[site];
			const key = JSON.stringify([s.symbol, s.dso, s.line === null ? s.address : [s.file, s.line]]);
			const line = lines.get(key) ?? { s, sum: 0, sites: [] };
			line.sum += bySite[site];
			line.sites.push(site);
			lines.set(key, line);
		}
		const order = [...lines.values()].sort((a, b) => b.sum - a.sum);
		const few = order.slice(0, MAX_CODE);
		this.list.replaceChildren(el('ol', {}, ...few.map((line) => this.drawLine(line, bySite, whole))));
		const rest = percent(order.slice(MAX_CODE).reduce((sum, line) => sum + line.sum, 0), whole);
		this.info.textContent = `in percent of ${this.state.basis(without)}` + (order.length > MAX_CODE
			? ` \u00b7 ${countText(order.length - MAX_CODE)} more lines with ${percentText(rest)}: select a part to see them` : '');
	}

	drawLine(line, bySite, whole) {
		const { s } = line, found = matcher(this.state.get('search'));
		const where = s.line === null ? s.address : `${s.file.replace(/.*\//, '')}:${s.line}`;
		return el('li', { className: found?.(s.symbol) ? 'found' : '' },
			el('p', { className: 'place' }, el('span', { className: 'number' }, percentText(percent(line.sum, whole))),
				' ', el('span', { title: s.symbol }, shown(this.state.brief(s.symbol))), ' ', el('span', { className: 'muted', title: s.file ?? s.dso ?? '' }, shown(where))),
			s.source ? el('pre', {}, shown(s.source.trim().replace(/\t/g, '  '))) : null,
			el('ul', {}, ...line.sites.slice(0, MAX_SITES).map((site) => this.drawSite(site, percent(bySite[site], whole)))));
	}

	drawSite(site, share) {
		const s = this.model.sites[site];
		// A wait accesses no memory: that is nothing to be said of each.
		const type = this.waits && !s.member ? '' : this.state.brief(s.type), data = s.member ? `${type} ${s.member}` : type;
		return el('li', {}, el('button', { type: 'button', className: 'pick site',
			'aria-pressed': String(this.state.find('site')?.site === site), onclick: () => this.select(site) },
		el('span', { className: 'number' }, percentText(share)), ' ',
		el('code', {}, shown(s.instruction ?? s.address ?? s.symbol)), ' ', data ? el('span', { className: 'muted' }, shown(data)) : null));
	}

	select(site) {
		const part = this.state.find('site');
		if (part?.site === site)
			this.state.drop(part);
		else
			this.state.select({ kind: 'site', site });
	}
}
