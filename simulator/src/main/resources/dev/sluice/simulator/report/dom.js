// Creates elements. Text is never parsed as markup.

const byId = (id) => document.getElementById(id);

const filled = (node, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  node.append(...children.filter((child) => child !== null));
  return node;
};

/** Creates an HTML element; children are elements or strings. */
const element = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);

/** Creates an SVG element. */
const drawn = (tag, attributes = {}, ...children) => filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

/** Shows a message in place of missing content. */
const empty = (host, text) => host.replaceChildren(element("p", { class: "empty" }, text));

/** Tells above some content what it leaves out. */
const notice = (host, text) => host.prepend(element("p", { class: "note" }, text));

/** Fills a select element; options are pairs of value and text. */
const fillSelect = (select, options, value) => {
  select.replaceChildren(...options.map(([key, text]) => element("option", { value: key }, text)));
  select.value = String(value);
};

/** Drawings that depend on the width or the colour scheme; they are redrawn when either changes. */
const drawings = new Map();

const drawInto = (host, draw) => {
  drawings.set(host, { draw, width: host.clientWidth });
  draw();
};

const drawAll = () => {
  for (const drawing of drawings.values()) {
    drawing.draw();
  }
};

let resizing = 0;
window.addEventListener("resize", () => {
  cancelAnimationFrame(resizing);
  resizing = requestAnimationFrame(() => {
    for (const [host, drawing] of drawings) {
      if (host.clientWidth !== drawing.width) {
        drawing.width = host.clientWidth;
        drawing.draw();
      }
    }
  });
});
