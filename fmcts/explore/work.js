// What takes long: replays, searches, digests. A worker does it, which is made of this page's own script; where none
// starts, the page itself does it, in pieces.
'use strict';

const BUSY = 40; // milliseconds of work between two looks at what else is asked

// What a generator returns, while others are answered; `progress` hears how much is done.
async function meanwhile(steps, progress = () => {}) {
  let due = performance.now() + BUSY;
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() < due) continue;
    progress(value);
    await new Promise((resume) => { setTimeout(resume); });
    due = performance.now() + BUSY;
  }
}

// The data of the page: JSON, deflated, in base64.
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (it) => it.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return JSON.parse(await new Response(stream).text());
}

const held = { given: null, by: null, answer: null, searches: [] }; // what a task leaves for the next one

const WORK = {
  // The names of the games, if the page searches what its address names.
  async unpack(packed) {
    held.given = await unpacked(packed);
    return held.given.games ? Object.keys(held.given.games) : null;
  },

  // The data and the searches of the page; whether it searches by itself, and whether for another position.
  async open({ link, moves, served }, progress) {
    const { given } = held;
    let made = 0; // of what the bar shows
    const making = (part) => progress(made = part / 2);
    held.by = link ? await followed(given.games, link, making) : given.machine ? await searching(given, served ? null : moves, making) : null;
    const { searches: logs, machine, ...data } = held.by?.data ?? given, searches = [];
    for (const it of logs) searches.push(await WORK.grow(it, (part) => progress(made + (1 - made) * (searches.length + part) / logs.length)));
    if (held.by) held.answer = answering(held.by, searches[0]);
    const other = Boolean(link) || data.before.length > given.before.length;
    return { data, searches, searched: Boolean(held.by) && !served, other, asks: other || Boolean(logs[0].asks) };
  },

  // A search from its data, or from the request to which they are the answer.
  async grow(from, progress) {
    const search = await meanwhile(growing(typeof from === 'string' ? held.answer(from) : from), progress);
    search.version(search.last); // stays here, when the versions that are kept are sent
    search.number = held.searches.push(search) - 1;
    return search;
  },

  async ask(address) { return held.answer(address); },

  // The digest of the replay, and of what was replayed: of a search made here, of the tree in the machine.
  async digests(number) {
    const search = held.searches[number], end = search.version(search.last), { statistics } = search;
    const found = await meanwhile(digesting(search, end));
    const same = (name) => statistics[name].every((it, at) => Object.is(it, end[name][at]));
    const digest = search.digest ?? (['visits', 'rewards', 'own'].every(same) ? found
      : await meanwhile(digesting(search, { ...statistics, k: search.last })));
    if (number) delete held.searches[number];
    return { found, digest };
  },

  // What the moves after a line are worth by perfect play: found here, or by Python for the first position.
  async solved(line) {
    if (held.by) return { proven: solvedBy(held.by, line) };
    return { proven: line.length ? null : held.given.proven };
  },

  async agreement() { return { agree: await meanwhile(agreement(held.by, held.searches[0])) }; },
  async decided() { return meanwhile(decided(held.by, held.searches[0])); },
};

// In the worker: do what the page asks, and send it the versions that were kept, which are large, without a copy.
function listenToPage() {
  onmessage = async ({ data: [id, task, about] }) => {
    try {
      const value = await WORK[task](about, (part) => postMessage({ id, part }));
      const sent = [value?.searches ?? value].flat().filter((it) => it instanceof Search);
      const large = sent.flatMap((it) => it.kept).flatMap((it) => Object.values(it)).map((it) => it.buffer);
      postMessage({ id, value }, large.filter(Boolean));
      for (const it of sent) it.kept = [];
    } catch (error) {
      postMessage({ id, error: error.message });
    }
  };
  postMessage({});
}

// A function that has a task done.
async function worker() {
  const waiting = new Map();
  let next = 0;
  try {
    const script = new Blob([document.querySelector('script').textContent, '\nlistenToPage();'], { type: 'text/javascript' });
    const made = new Worker(URL.createObjectURL(script));
    await new Promise((begun, failed) => { [made.onmessage, made.onerror] = [begun, failed]; });
    made.onmessage = ({ data: { id, part, value, error } }) => {
      const { progress, done, failed } = waiting.get(id);
      if (part !== undefined) return progress?.(part);
      waiting.delete(id);
      return error === undefined ? done(value) : failed(new Error(error));
    };
    return (task, about, progress) => new Promise((done, failed) => {
      waiting.set(next, { progress, done, failed });
      made.postMessage([next++, task, about]);
    });
  } catch {
    return async (task, about, progress) => {
      await new Promise((drawn) => { setTimeout(drawn, 20); }); // what is busy is drawn first
      return WORK[task](about, progress);
    };
  }
}
