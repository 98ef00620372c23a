// The page: what is chosen, kept in its address, and drawn.
'use strict';

const KEEPING = 150; // milliseconds until the address has what is chosen

const fields = () => new URLSearchParams(location.hash.slice(1));

function complain(error) {
  const box = document.getElementById('notice');
  box.textContent = error.message;
  box.hidden = false;
}

// What became of what was asked for below the playout, said there.
function answer(words, wrong = false) {
  const box = document.getElementById('answer');
  box.textContent = words;
  box.classList.toggle('wrong', wrong);
  if (words) box.scrollIntoView({ block: 'nearest' });
}

// The digest of the last version, computed here, beside the one that Python found, or this page's machine.
async function drawDigest(app) {
  const box = document.getElementById('digest');
  const searches = [app.one, app.two].filter(Boolean);
  for (const it of searches) Object.assign(it, await (it.digests ??= app.work('digests', it.number))); // asked once
  if (searches.some((it, place) => it !== [app.one, app.two][place])) return; // another search since
  const lines = searches.map((search, place) => {
    const same = search.found === search.digest && (place > 0 || search.found.startsWith(app.by?.cited ?? ''));
    const name = app.two ? `${'AB'[place]} ` : '';
    return el('span', { class: same ? 'same' : 'differs', title: `computed here: ${search.found}; by the search: ${search.digest}` },
      `${name}digest ${search.whole ? '' : 'of visits and rewards '}`, el('code', {}, `${search.digest.slice(0, 12)}…`), same ? ' = computed here ✓' : ` differs: here ${search.found.slice(0, 12)}…`);
  });
  renew(box, lines);
  box.dataset.computed = app.one.found;
  if (app.by?.cite) app.prefix = app.by.cite(app.one.found);
}

function drawLine(app) {
  const { one } = app;
  const nodes = [0, ...one.line(app.node)];
  const begin = app.data.before.length ? `after ${app.data.before.join(' ')}` : 'root';
  renew(document.getElementById('line'), nodes.map((node, place) => [
    place ? ' › ' : '',
    el('button', { type: 'button', 'aria-current': node === app.node ? 'true' : null, 'data-go': node }, node ? one.label(node) : begin)]));
  const ended = one.kinds[one.kind[app.node]][3];
  const { playout } = app;
  const leaf = one.leaf[app.k - 1], way = app.phase === 0 && one.log.made[app.k - 1] ? one.parent[leaf] : leaf;
  document.getElementById('standing').textContent = playout
    ? `Playout, move ${playout.at} of ${playout.steps.length}`
    : underway(app) ? `${PHASES[app.phase]}: ${app.words(way) || 'the first position'}`
    : ended || `${app.side(sideAt(one, app.node))} to move`;
}

function appOf(data, searches, served, by, work) {
  const app = {
    data, served, one: searches[0], two: searches[1] ?? null, given: searches[1] ?? null,
    node: 0, selected: null, all: false, formula: false, phase: null, playing: null, with: null, playout: null,
    unfolded: new Map(), proven: new Map(), pictures: new Map(), by, work, ask: by ? (address) => work('ask', address) : ask, prefix: by?.prefix ?? '#',
    side: (player) => (player < 0 ? 'chance' : data.players[player]),
    words: (node) => app.one.line(node).map((it) => app.one.label(it)).join(' '),
    colourAt: (search, node) => app.colours[search.index[search.line(node)[0]]] ?? GREY,
    // Change what is chosen, and draw it.
    go(change) {
      const before = app.k;
      if (change.k !== undefined) app.k = Math.max(1, Math.min(app.last, Math.round(change.k) || 1));
      if (app.k !== before || change.node !== undefined) app.phase = null;
      if (change.phase !== undefined) app.phase = change.phase;
      if (app.k !== before || change.phase !== undefined) app.playout = null;
      if (change.playoutAt === null) app.playout = null;
      else if (change.playoutAt !== undefined) app.playout.at = change.playoutAt;
      if (change.node !== undefined && change.node !== app.node) [app.node, app.selected, app.playout] = [change.node, null, null];
      if (change.selected !== undefined) app.selected = change.selected;
      if (change.all !== undefined) app.all = change.all;
      if (change.formula !== undefined) app.formula = change.formula;
      while (app.one.born[app.node] > app.k) app.node = app.one.parent[app.node];
      app.draw(Object.keys(change).join() === 'k' ? rowsInSight() : Infinity);
      app.keep();
    },
    draw(inSight = Infinity) {
      const { one, two } = app;
      const steps = stepsOf(one, app.k); // of the version before, from which the next one follows
      const version = one.version(underway(app) ? app.k - 1 : app.k);
      app.best = one.leads.filter((lead) => lead.k <= app.k).at(-1)?.index ?? null;
      const found = compared(one, version, app.node);
      [found.k, found.proven] = [version.k, app.provenAt(app.node)];
      if (app.k < one.last && batchOf(one, app.k + 1) < app.k) [found.by, found.chosen] = ['batch', null];
      const k = two && Math.min(app.k, two.last);
      const there = two ? follow(two, one.line(app.node).map((it) => one.index[it]), k) : -1;
      const other = there >= 0 ? compared(two, two.version(k), there) : null;
      drawTime(app);
      drawLine(app);
      drawTable(app, found, two ? other ?? { rows: [] } : null);
      drawBoard(app, found);
      drawPhases(app, steps);
      drawPlayout(app);
      drawElse(app);
      drawPlay(app);
      drawTree(app, version, new Set(steps.map((step) => step.child)), inSight);
      clearTimeout(app.saying);
      app.saying = setTimeout(() => {
        const best = app.best === null ? 'no move' : called(one, app.best);
        document.getElementById('said').textContent =
          `Try ${grouped(app.k)}: ${steps.map((step) => step.label).join(' ')}. ${best} leads${isMistake(one, app.best) ? ', a mistake' : ''}.`;
      }, 300);
    },
    // What the moves of a position are worth by perfect play, as soon as that is known; a machine is asked after the first one.
    provenAt(node) {
      const { one, proven } = app;
      if (!node || !one.proven || !one.moves[node]) return node ? null : one.proven ?? null;
      if (!proven.has(node)) {
        proven.set(node, null);
        work('solved', one.line(node).map((it) => one.index[it])).then((found) => {
          proven.set(node, found.proven);
          if (found.proven && app.node === node) app.draw();
        });
      }
      return proven.get(node);
    },
    // Draw what depends on the searches alone.
    begin() {
      const { one, two } = app;
      if (two) two.proven = one.proven;
      app.last = one.last;
      app.colours = coloursOf(one);
      app.edge = edgeOf(one);
      app.apart = two?.apart.k ? two.apart : null;
      app.draws = one.outcomes.includes(0.5); // in a game without any, such as Hex, nothing is said of draws
      document.getElementById('draws').hidden = !app.draws;
      const { head, tale } = said([one, two].filter(Boolean), data.players);
      document.querySelector('#headline .loading')?.remove();
      renew(document.getElementById('headline'), head);
      document.getElementById('story').textContent = tale;
      document.getElementById('facts').textContent =
        `${app.with ? `A ${one.name} against B ${two.name} · ` : ''}generator ${one.rng}` +
        (data.waiting.length ? ` · in flight: ${data.waiting.join(', ')}` : '');
      document.body.classList.toggle('two', Boolean(two));
      const names = [...data.players, ...(one.kinds.some((kind) => kind[4].length) ? ['chance'] : [])];
      const { style } = document.body;
      style.setProperty('--who', `${Math.min(10, Math.max(...names.map((it) => it.length)) + 0.5)}ch`);
      style.setProperty('--rows', one.size);
      drawTimeline(app);
      if (app.k) drawTime(app); // the charts are new
      setTimeout(() => drawDigest(app), 30);
    },
    // The address: iteration, position, row, and the second search.
    keep() {
      const line = app.one.line(app.node).map((it) => app.one.index[it]).join('.');
      const state = [`k=${app.k}`];
      if (line) state.push(`at=${line}`);
      if (app.selected !== null) state.push(`move=${app.selected}`);
      if (app.formula) state.push('formula=1');
      if (app.with) state.push(`with=${encodeURIComponent(app.with)}`);
      if (app.playout) state.push(`ply=${app.playout.at}`);
      // Browsers limit how often the address changes.
      app.address = `${app.prefix}${state.join('&')}`;
      clearTimeout(app.keeping);
      app.keeping = setTimeout(app.write, KEEPING);
    },
    write() {
      clearTimeout(app.keeping);
      try {
        // Not after a link to another search was followed, for which the page is about to be loaded.
        if (app.address && !elsewhere(app)) history.replaceState(null, '', app.address);
      } catch { /* an address that cannot be changed, as in a frame of a notebook */ }
    },
    async restore() {
      clearTimeout(app.keeping);
      const given = fields();
      if (given.get('with') && served && given.get('with') !== app.with) await app.compareWith(given.get('with'), false);
      app.k = Math.max(1, Math.min(app.last, Number(given.get('k') ?? app.last) || app.last));
      const line = (given.get('at') ?? '').split('.').filter((it) => it !== '').map(Number);
      const node = follow(app.one, line, app.k);
      const row = given.get('move');
      app.node = node > 0 ? node : 0;
      app.selected = row !== null && Number(row) < app.one.moves[app.node] ? Number(row) : null;
      app.formula = given.has('formula');
      [app.playout, app.phase] = [null, null];
      if (!given.has('k') && app.one.leads.length) app.selected = app.one.leads.at(-1).index;
      app.draw();
      if (given.get('ply') !== null) await app.showPlayout(Number(given.get('ply')));
    },
    async compareWith(address, drawn = true) {
      if (app.busy) return;
      app.wait(true);
      if (drawn) answer(address ? `${by ? 'This page' : 'The server'} is searching…` : '');
      try {
        app.two = address ? new Search(await work('grow', by ? address : await ask(address))) : app.given;
        if (app.two) app.two.apart ??= firstDifference(app.one, app.two);
        app.with = address;
        app.begin();
        if (drawn) app.go({});
        if (drawn && address) answer(`B, ${app.two.name}: ${headline(app.two, data.players).join(' ')} ${app.two.apart.words}`);
      } catch (error) {
        if (drawn) answer(error.message, true);
        else complain(error);
      } finally {
        app.wait(false);
      }
    },
    wait(busy) {
      app.busy = busy;
      document.body.classList.toggle('waiting', busy);
      if (app.k) drawElse(app);
    },
    async showPlayout(at) {
      try {
        const { k } = app;
        if (!served) return;
        const { steps } = await app.ask(`playout?k=${k}`);
        if (k !== app.k) return;
        app.playout = { leaf: app.one.leaf[k - 1], steps, at: Math.min(at ?? steps.length, steps.length) };
        app.go({});
      } catch (error) {
        answer(error.message, true);
      }
    },
  };
  return app;
}

function connect(app) {
  const on = (name, action) => document.getElementById(name).addEventListener('click', action);
  document.getElementById('slider').addEventListener('input', (event) => app.go({ k: iterationAt(Number(event.target.value), app.last) }));
  on('run', () => run(app));
  on('phase', () => nextPhase(app));
  on('show-formula', () => app.go({ formula: !app.formula }));
  for (const id of ['marks', 'proofs']) on(id, (event) => toMark(app, event));
  on('first', () => app.go({ k: 1 }));
  on('last', () => app.go({ k: app.last }));
  on('back', () => app.go({ k: app.k - 1 }));
  on('forward', () => app.go({ k: app.k + 1 }));
  on('change', () => app.go({ k: nextLead(app, 1) }));
  on('mistake', () => app.go({ k: nextOf(app, mistakesOf(app.one), 1) }));
  on('proof', () => app.go({ k: nextOf(app, app.one.proofs, 1) }));
  on('decisive', () => app.go({ k: nextDecisive(app, 1) }));
  on('difference', () => app.apart && app.go({ k: app.apart.k }));
  on('help', () => document.getElementById('keys').showModal());
  on('skip', (event) => {
    event.preventDefault();
    document.querySelector('#table .name')?.focus();
  });
  on('copy', async (event) => {
    const button = event.currentTarget;
    app.keep();
    app.write();
    try {
      await navigator.clipboard.writeText(location.href);
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = 'Copy link'; }, 2_000);
    } catch {
      button.textContent = 'Copy it from the address bar';
    }
  });
  addEventListener('hashchange', () => (elsewhere(app) ? location.reload() : app.restore()));
  document.getElementById('main').addEventListener('click', ({ target }) => {
    const to = target.closest('[data-go]');
    if (to) app.go({ node: Number(to.dataset.go) });
  });
  document.getElementById('copy').hidden = location.protocol === 'about:'; // in a frame of a notebook
  if (app.served && !app.by) { // its address ends with the server
    const save = document.getElementById('save');
    [save.hidden, save.href] = [false, `page.html${location.search}`];
  }
  listen(app);
  listenToTable(app);
  listenToTree(app);
}

// Whether the address names another search or position than the one that is shown.
function elsewhere({ by, data, one }) {
  if (!by) return false;
  if (by.cite) return !by.isHere(location.hash, one.found ?? '');
  return (fields().get('moves') ?? data.before.join(',')) !== data.before.join(',');
}

// Whether the choice is right, and if so it `asks` how sure it is: once the digest is there.
async function drawSure(app, asks) {
  const { one } = app, tasks = !asks ? [] : one.agree ? ['decided'] : ['agreement', 'decided'];
  await drawDigest(app);
  for (const task of ['solved', ...tasks]) {
    Object.assign(one, await app.work(task, []));
    if (app.one !== one) continue;
    app.begin();
    if (task === 'solved' && one.proven) app.draw();
  }
  app.asking = false;
}

async function explore(packed, served) {
  try {
    const work = await worker(), games = await work('unpack', packed);
    let link = null;
    if (games) {
      offer(games);
      link = linkOf(location.hash, games);
      if (!location.hash && location.protocol !== 'about:') history.replaceState(null, '', addressOf(link));
      offer(games, link);
    }
    const bar = document.getElementById('replayed'), moves = fields().get('moves');
    const found = await work('open', { link, moves, served }, (part) => { bar.value = part; });
    const { data, searches: grown, searched, other, asks } = found, searches = grown.map((it) => new Search(it));
    const by = searched ? addressing(link, other ? moves : null) : null;
    if (other) named(data, searches[0], by);
    const app = appOf(data, searches, served || searched, by, work);
    document.getElementById('main').hidden = false;
    app.begin();
    connect(app);
    await app.restore();
    window.explorer = app;
    app.asking = true;
    drawSure(app, asks);
  } catch (error) {
    document.getElementById('headline').textContent = 'This page cannot be shown.';
    complain(error);
  }
}
