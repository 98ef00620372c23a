// Drawing what changed: a box is described by values, which are compared with those it was drawn from,
// so a step of the slider writes only what differs. Elements stay, with their focus and their place.
'use strict';

const SVG = new Set(['svg', 'g', 'path', 'text']);
const drawn = new WeakMap(); // from a box to what it was drawn from

// An element as a value: attributes, listeners (`on...`), `html` for the text of its content, and children,
// of which lists are taken apart and what is null, false or empty is left out.
function el(name, attributes = {}, ...children) {
  return { name, attributes, children: plain(children) };
}

const plain = (children) => children.flat(Infinity).filter((it) => it || it === 0);

const drawnIn = (box) => drawn.get(box) ?? [];

// Make the content of a box like these elements and texts. Nothing else writes into the box.
function renew(box, ...children) {
  const now = plain(children);
  liken(box, drawnIn(box), now);
  drawn.set(box, now);
}

function liken(box, before, now) {
  let there = before.length ? box.firstChild : null;
  now.forEach((it, at) => {
    if (at >= before.length) {
      box.append(made(it));
      return;
    }
    const old = before[at], next = there.nextSibling;
    if (old === it) { /* the same value: nothing differs */ }
    else if (old.name !== it.name) there.replaceWith(made(it));
    else if (it.name) {
      likenAttributes(there, old.attributes, it.attributes);
      liken(there, old.children, it.children);
    } else there.data = it;
    there = next;
  });
  for (let at = now.length; at < before.length; at++) box.lastChild.remove();
}

function made(it) {
  if (!it.name) return document.createTextNode(it);
  const { name, attributes, children } = it;
  const node = SVG.has(name) ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
  likenAttributes(node, {}, attributes);
  node.append(...children.map(made));
  return node;
}

function likenAttributes(node, before, now) {
  for (const [key, value] of Object.entries(now)) if (before[key] !== value) write(node, key, value);
  for (const key of Object.keys(before)) if (!(key in now)) write(node, key, null);
}

function write(node, key, value) {
  if (key.startsWith('on') || key === 'value') node[key] = value;
  else if (key === 'html') node.innerHTML = value;
  else if (value === null || value === undefined || value === false) node.removeAttribute(key);
  else node.setAttribute(key, value === true ? '' : value);
}
