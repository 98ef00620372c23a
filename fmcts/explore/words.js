// What a page says: numbers, reasons, headlines.
'use strict';

const THOUSANDS = new Intl.NumberFormat('en-US');
const grouped = (number) => THOUSANDS.format(number);
const amount = (number, one, more = `${one}s`) => `${grouped(number)} ${number === 1 ? one : more}`;
const percent = (part) => {
  const share = 100 * part;
  return `${share >= 9.95 || share === 0 ? share.toFixed(0) : share.toFixed(1)}\u00a0%`;
};
// Two shares, with as many digits as tell them apart.
function percents(one, other) {
  if (percent(one) !== percent(other) || one === other) return [percent(one), percent(other)];
  const digits = [1, 2, 3].find((it) => (100 * one).toFixed(it) !== (100 * other).toFixed(it)) ?? 3;
  return [one, other].map((it) => `${(100 * it).toFixed(digits)}\u00a0%`);
}
const fixed = (number, digits = 3) => {
  if (number === null || number === undefined) return '–';
  if (!Number.isFinite(number)) return number > 0 ? '∞' : '−∞';
  return number.toFixed(digits).replace('-', '−');
};
// A small number with three digits that say something.
const small = (number) => {
  const digits = Math.min(10, Math.max(3, 2 - Math.floor(Math.log10(Math.abs(number) || 1))));
  return fixed(number, digits);
};

// A mean, as the page shows them now: in percent, or with the formula in the numbers that it has.
const worthOf = (app, mean) => (mean === null || app.formula || app.one.seats ? fixed(mean) : percent(mean));

// What the terms of a score are called; none where the score has but one.
function termNames({ terms }) {
  const words = terms.length > 1 ? terms.map(termInWords) : [];
  return words.map((word, at) =>
    (words.indexOf(word) === words.lastIndexOf(word) ? word : `${word} ${words.slice(0, at + 1).filter((it) => it === word).length}`));
}

function termInWords(term, at) {
  if (term === 'value' || term.startsWith('where(visits > 0, value, ')) return 'mean';
  if (/\b(log_visits|parent_visits)\b/.test(term)) return 'exploration';
  if (/\bheuristic\b/.test(term)) return 'bias';
  if (term === 'mean') return "the method's mean";
  return term.length > 22 ? `term ${at + 1}` : term;
}

// What judges a new node where no playout does.
const JUDGES = { network: 'the network', evaluate: 'the evaluation' };

// The number of the player who moves at a node; -1 where chance does.
const sideAt = (search, node) => (search.weights(node).length ? -1 : search.player[node]);

// The moves of a node as selection compares them, after the iterations of a version. Where the next
// iteration is known, `taken` is the index of the move that it takes.
function compared(search, version, node, taken = null) {
  const rules = rulesAt(search, Math.min(version.k + 1, search.last));
  const { method, expands } = rules;
  const { edges, parent, scores } = scoresOf(search, version, node, method);
  const made = edges.map((_, index) => search.childAt(node, index, version.k));
  const weights = search.weights(node);
  // Moves that will be proposed later are no rows yet; each but the first is tried at once.
  const known = rules.due && !weights.length ? 1 + Math.max(0, made.findLastIndex((it) => it >= 0)) : made.length;
  const children = made.slice(0, known);
  const total = edges.reduce((sum, edge) => sum + edge.visits, 0);
  const all = edges.map((edge, index) => {
    const judged = edge.visits > 0 || method.scoresUnvisited;
    return {
      index, edge, child: made[index],
      label: search.labelAt(node, index),
      visits: edge.visits,
      share: total ? edge.visits / total : 0,
      mean: edge.visits ? edge.value : null,
      score: scores[index],
      terms: rules.ofTerms && judged ? rules.ofTerms(edge, parent) : [],
      margin: null,
      proof: made[index] < 0 ? null : proofOf(search.resolution, resolvedAt(search, version, made[index])),
      leftOut: false,
    };
  });
  const rows = all.slice(0, known);
  const found = { rules, rows, parent, seats: search.seats, by: 'score', chosen: null, runner: null, past: false };
  if (!rows.length) return found;
  if (weights.length) {
    const sum = weights.reduce((before, weight) => before + weight, 0);
    for (const row of rows) [row.score, row.terms, row.probability] = [null, [], `${weights[row.index]} of ${sum}`];
    found.by = 'chance';
    return found;
  }
  const next = version.k < search.last ? takenAt(search, version.k + 1, node) : null;
  if (next !== null && search.line(node).length < (search.wanted[version.k] ?? 0)) {
    [found.by, found.chosen] = ['schedule', rows[next]];
    return found;
  }
  if (rules.due?.includes(parent.visits)) {
    [found.by, found.chosen] = ['proposed', taken === null && next === null ? null : all[taken ?? next]];
    return found;
  }
  if (next !== null && next >= known) {
    [found.by, found.chosen] = ['unknown', all[next]];
    return found;
  }
  const untried = expands !== 'selected' && children.includes(-1);
  found.past = untried && taken !== null && children[taken] >= 0;
  if (untried && !found.past) {
    found.by = 'untried';
    if (expands === 'in-order') found.chosen = rows[children.indexOf(-1)];
    return found;
  }
  if (rows.length === 1) {
    [found.by, found.chosen] = ['only', rows[0]];
    return found;
  }
  const without = leftOut(search, version, node, rules, !found.past);
  for (const row of rows) row.leftOut = without[row.index];
  if (without.every(Boolean)) {
    found.by = 'resolved';
    return found;
  }
  if (!method.score) {
    [found.by, found.chosen] = ['unknown', rows[next] ?? null];
    return found;
  }
  for (const row of rows) if (!row.leftOut && !(row.score <= (found.chosen?.score ?? -Infinity))) found.chosen = row;
  for (const row of rows) {
    if (row.leftOut || row === found.chosen) continue;
    if (!found.runner || row.score > found.runner.score) found.runner = row;
  }
  for (const row of rows) {
    const against = row === found.chosen ? found.runner : found.chosen;
    if (row.leftOut || !against) continue;
    row.margin = row.score - against.score;
    if (!Number.isFinite(row.margin)) row.margin = null;
  }
  return found;
}

// Why a move leads another: the terms of both.
function against(found, one, other) {
  const names = termNames(found.rules);
  const parts = names.map((name, at) => `${name} ${fixed(one.terms[at])} against ${fixed(other.terms[at])}`);
  return names.length && one.terms.length && other.terms.length ? ` (${parts.join('; ')})` : '';
}

// Why selection takes the move that it takes, as the end of a sentence.
function reason(found) {
  const { by, chosen, runner } = found;
  if (by === 'chance') return 'chance drew it';
  if (by === 'only') return 'the only move';
  if (by === 'proposed') return 'it is proposed at this visit';
  if (by === 'schedule') return 'the schedule gives it a visit';
  if (by === 'unknown') return 'selection used statistics that are not in this page';
  if (by === 'untried') return 'its first visit: untried moves come first';
  if (found.past) return `${runner ? reason({ ...found, past: false }) : 'the only one tried'}; chance passed the untried moves`;
  if (chosen.score === Infinity) return 'it has no visit yet';
  if (!runner) return 'it is the only one that is not left out';
  if (chosen.score === runner.score) return `it scores the same as ${runner.label} and comes first`;
  return `it leads ${runner.label} by ${small(chosen.margin)}${against(found, chosen, runner)}`;
}

// The same in few words, after the move's name: that it looks best, or was tried too little to know.
function plainReason(found) {
  const { by, chosen, rows, rules } = found;
  const worth = (row) => (found.seats ? fixed(row.mean) : percent(row.mean));
  if (by === 'untried' || (by === 'score' && !found.past && chosen.score === Infinity)) return 'has no try yet';
  if (by === 'only') return 'is the only move';
  if (by === 'schedule') return 'gets a try by the schedule';
  if (by === 'unknown' && chosen) return chosen.visits ? `stands at ${worth(chosen)} of ${amount(chosen.visits, 'try', 'tries')}` : 'has no try yet';
  if (by !== 'score' || found.past) return reason(found);
  if (!found.runner) return 'is the only one that is not resolved';
  const mean = worth(chosen);
  if (rows.every((row) => row.leftOut || row.mean === null || row.mean <= chosen.mean)) return `looks best (${mean})`;
  const prior = rules.method.rows.includes('prior') ? `, prior ${percent(chosen.edge.prior)}` : '';
  return chosen.visits ? `has only ${amount(chosen.visits, 'try', 'tries')} (${mean})${prior}` : `has no try yet${prior}`;
}

// The path of an iteration: at each node the move taken, and why.
function stepsOf(search, k) {
  const before = metBy(search, k);
  return search.path(k).map((child) => {
    const node = search.parent[child];
    const found = compared(search, before, node, search.index[child]);
    if (found.by === 'untried') found.chosen = found.rows[search.index[child]];
    return { node, child, label: search.label(child), side: sideAt(search, node), why: reason(found), plain: plainReason(found) };
  });
}

// A move with the game's noun: "column 1", or its name alone.
const called = (search, index) => [search.noun, search.labelAt(0, index)].filter(Boolean).join(' ');

const capital = (words) => words[0].toUpperCase() + words.slice(1);

// The moves of the root in the last version, the most visited first.
function ranked(search) {
  const end = search.version(search.last);
  return search.kinds[search.kind[0]][1].map((_, index) => {
    const child = search.childAt(0, index, search.last);
    const visits = child < 0 ? 0 : end.visits[child];
    return { index, visits, mean: visits ? end.rewards[child] / visits : 0 };
  }).sort((one, other) => other.visits - one.visits);
}

// Which move, by the name of the player; and how good it is.
function headline(search, players) {
  const lead = search.leads.at(-1);
  if (!lead) return ['No move has a visit.', ''];
  const rows = ranked(search);
  const one = rows.find((row) => row.index === lead.index);
  const rival = rows.find((row) => row.index !== lead.index && row.visits);
  const first = capital(`${players[search.player[0]]} plays ${called(search, lead.index)}.`);
  const proof = search.proofs.filter((it) => it.index === lead.index).at(-1);
  const whole = search.proofs.filter((it) => it.index === null).at(-1);
  if (whole?.words.startsWith('loss')) {
    return [first, `Every move is proven to lose, and no other holds out longer (${proof.words}).`];
  }
  if (proof?.words.startsWith('win')) return [first, `It is a proven ${proof.words}.`];
  if (search.moves[0] === 1) return [first, 'It is the only move.'];
  const next = rival ? `; the next best, ${called(search, rival.index)}, ` : '';
  const [mine, theirs] = percents(one.mean, rival?.mean ?? 0);
  if (search.seats) {
    const figures = (row) => `${fixed(row.mean)} on average in ${amount(row.visits, 'try', 'tries')}`;
    return [first, `It scored ${figures(one)}${next && next + figures(rival)}.`];
  }
  const judge = JUDGES[rulesAt(search, search.last).judge];
  if (judge) {
    const figures = (row) => `${row === one ? mine : theirs} over ${amount(row.visits, 'try', 'tries')}`;
    return [first, `${capital(judge)} gives it ${figures(one)}${next && next + figures(rival)}.`];
  }
  return [first, `It won ${mine} of ${amount(one.visits, 'try', 'tries')}${next && `${next}${theirs} of ${grouped(rival.visits)}`}.`];
}

// How sure the choice is, and when the move took the lead.
function story(search) {
  const lead = search.leads.at(-1);
  if (!lead || search.moves[0] === 1) return '';
  const parts = search.proven ? [truth(search, lead)] : [];
  const proof = search.proofs.filter((it) => it.index === lead.index).at(-1);
  if (proof) parts.push(proofSentence(search, proof));
  const [most, second] = ranked(search);
  const close = second && !search.wanted.length && second.visits > 0.8 * most.visits ? `${grouped(most.visits)} tries against ${grouped(second.visits)}` : '';
  if (search.agree && !proof) {
    const [same, all] = search.agree;
    const word = !close && same < 0.25 * all ? 'Not sure at all' : close || same < 0.5 * all ? 'A close call' : same >= 0.95 * all ? 'Sure' : same >= 0.75 * all ? 'Fairly sure' : 'Not very sure';
    parts.push(`${word}: ${close && `${close}, and `}${same} of ${all} other seeds agree.`);
  } else if (close && !proof) parts.push(`A close call: ${close}.`);
  parts.push(lead.before === null ? `It led from try ${grouped(lead.k)} on.`
    : `It took the lead from ${called(search, lead.before)} at try ${grouped(lead.k)}${why(search, lead)}.`);
  if (search.decisive.length && !proof) {
    const [k, index] = search.decisive[0];
    const count = new Set(search.decisive.map(([at]) => at)).size, verb = count === 1 ? 'decides' : 'decide';
    parts.push(`${count} of ${search.sampled} tries that were sampled ${verb} it: had try ${grouped(k)} ended otherwise, it would be ${called(search, index)}.`);
  }
  return parts.join(' ');
}

// What is said first of one search, or of two: the strong part, and what follows it.
function said(searches, players) {
  const heads = searches.map((it) => headline(it, players));
  if (heads.length === 1) return { head: [el('strong', {}, heads[0][0]), ` ${heads[0][1]}`], tale: story(searches[0]) };
  const same = heads[0][0] === heads[1][0];
  const lines = heads.map(([first, figures], place) => `${'AB'[place]}: ${same ? '' : `${first} `}${figures}`).join('\n');
  return {
    head: [el('strong', {}, same ? `Both agree: ${heads[0][0]}` : 'The two disagree.'), `\n${lines}`],
    tale: searches.map((it, place) => `${'AB'[place]}: ${story(it)}`).join('\n'),
  };
}

// Why a move passed another when it took the lead.
function why(search, { k, index, before }) {
  if (search.proofs.some((it) => it.k === k && it.index === index)) return ', when it was proven';
  const version = search.version(k);
  const [one, other] = [index, before].map((each) => {
    const it = search.childAt(0, each, k);
    return version.rewards[it] / version.visits[it];
  });
  const judged = JUDGES[rulesAt(search, k).judge];
  const [more, less] = search.seats ? ['had scored more', 'had scored less']
    : judged ? ['was judged better', 'was judged worse'] : ['had won more often', 'had won less often'];
  const how = one > other ? `, as it ${more}` : one < other ? `, by visits, though it ${less}` : ', by visits';
  const [mine, theirs] = search.seats ? [fixed(one), fixed(other)] : percents(one, other);
  return `${how} (${mine} against ${theirs})`;
}

// What the number of a proof is worth: 1, 0 or a half.
const worthOfProof = (number) => (number === 0.5 ? 0.5 : number > 0 ? 1 : 0);

// Whether perfect play has a better move than one of the root's, as far as that is known.
const isMistake = ({ proven }, index) => Boolean(proven) && index !== null && worthOfProof(proven[index]) < Math.max(...proven.map(worthOfProof));

// The stretches of iterations after which the move to be played would have been a mistake: `k` is the first of each,
// `end` the first after it.
function mistakesOf(search) {
  const found = [];
  search.leads.forEach(({ k, index }, at, all) => {
    if (!isMistake(search, index)) return;
    const end = all[at + 1]?.k ?? search.last + 1;
    if (found.at(-1)?.end === k) found.at(-1).end = end;
    else found.push({ k, end });
  });
  return found;
}

// Whether the choice is right by perfect play, and from how many iterations on.
function truth(search, { index }) {
  const { proven } = search, stretches = mistakesOf(search), last = stretches.at(-1);
  const does = (number, one) => ({ 0: 'lose', 0.5: 'draw', 1: 'win' })[worthOfProof(number)] + (one ? 's' : '');
  const best = proven.map((_, at) => at).filter((at) => !isMistake(search, at));
  if (best.length === proven.length) return `By perfect play ${best.length === 1 ? 'it' : 'every move'} ${does(proven[index], true)}.`;
  if (isMistake(search, index)) {
    const names = best.map((it) => search.labelAt(0, it)), shown = names.length > 6 ? [`${names.length} others`] : [names.slice(0, -1).join(', '), names.at(-1)];
    return `A mistake: by perfect play it ${does(proven[index], true)}; ${shown.filter(Boolean).join(' and ')} ${does(proven[best[0]], names.length === 1)}. From try ${grouped(last.k)} on no best move led.`;
  }
  const wrong = stretches.reduce((sum, { k, end }) => sum + end - k, 0);
  return `Right: by perfect play it ${does(proven[index], true)}. ${last
    ? `From try ${grouped(last.end)} on no worse move led; after ${wrong === last.end - 1 ? 'all' : grouped(wrong)} of the ${amount(last.end - 1, 'try', 'tries')} before it would have been a mistake.`
    : 'After no smaller number of tries would it have been a mistake.'}`;
}

// What was proven at an iteration, as a sentence.
function proofSentence(search, { k, index, words }) {
  const what = index === null ? 'the position' : called(search, index);
  const proven = words === 'explored' ? 'is explored to its ends' : `is ${provenInWords(words)}`;
  return `Since try ${grouped(k)}, ${what} ${proven}.`;
}

// The node at the end of a line of indices in version k; -1 if there is none.
function follow(search, line, k) {
  let node = 0;
  for (const index of line) node = node < 0 ? -1 : search.childAt(node, index, k);
  return node;
}
