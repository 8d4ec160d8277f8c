// Makes elements. Text is always text: nothing here reads markup.

const byId = (id) => document.getElementById(id);

const filled = (made, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) {
      made.setAttribute(name, value === true ? "" : String(value));
    }
  }
  made.append(...children.filter((child) => child !== null));
  return made;
};

/** An element of HTML; children are elements or texts. */
const element = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);

/** An element of SVG. */
const drawn = (tag, attributes = {}, ...children) => filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

/** Says in words that there is nothing to show. */
const empty = (host, text) => host.replaceChildren(element("p", { class: "empty" }, text));

/** Fills a selection; options are pairs of value and text. */
const fillSelect = (select, options, value) => {
  select.replaceChildren(...options.map(([key, text]) => element("option", { value: key }, text)));
  select.value = String(value);
};

/** Whatever is drawn for a width, or in the colours of light or dark, is drawn again when these change. */
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
