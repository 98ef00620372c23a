// Drawing anew what changed: elements that are alike stay, with their focus and their place, so that
// a step of the slider lays out and paints little more than the figures that differ.
'use strict';

// An element with attributes, listeners (`on...`) and children.
function el(name, attributes = {}, ...children) {
  const it = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) it.addEventListener(key.slice(2), value);
    else if (value === true) it.setAttribute(key, '');
    else if (value !== null && value !== undefined && value !== false) it.setAttribute(key, value);
  }
  it.append(...children.filter((child) => child !== null && child !== undefined));
  return it;
}

// Make the content of a box like these nodes and texts, which must not listen: the box does.
function renew(box, ...children) {
  const fresh = document.createDocumentFragment();
  fresh.append(...children);
  liken(box, fresh);
}

// The same for a text of HTML.
function renewHtml(box, html) {
  const fresh = document.createElement('template');
  fresh.innerHTML = html;
  liken(box, fresh.content);
}

function liken(old, now) {
  let there = old.firstChild, here = now.firstChild;
  while (here) {
    const [after, next] = [there?.nextSibling ?? null, here.nextSibling];
    if (!there) old.append(here);
    else if (there.nodeName !== here.nodeName) there.replaceWith(here);
    else if (here.nodeType === Node.TEXT_NODE) {
      if (there.data !== here.data) there.data = here.data;
    } else if (!there.isEqualNode(here)) {
      likenAttributes(there, here);
      liken(there, here);
    }
    [there, here] = [after, next];
  }
  while (there) {
    const after = there.nextSibling;
    there.remove();
    there = after;
  }
}

function likenAttributes(old, now) {
  for (const name of now.getAttributeNames()) {
    const value = now.getAttribute(name);
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  for (const name of old.getAttributeNames()) if (!now.hasAttribute(name)) old.removeAttribute(name);
}
