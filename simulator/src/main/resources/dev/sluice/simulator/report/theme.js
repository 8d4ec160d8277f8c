// Colour palettes for light and dark mode that are safe for colour-blind readers; dashes and markers for those who see no colours.
// After Okabe and Ito, "Color Universal Design", 2008, and Paul Tol, "Colour schemes", 2021.

const PALETTES = {
  light: {
    surface: "#ffffff", text: "#1c2430", quiet: "#5a6675", line: "#e1e5ea",
    runs: ["#0072b2", "#d55e00", "#009e73", "#b0569a", "#b37a00", "#3f9ed6"],
    bounds: ["#3d4652", "#77818d", "#77818d"],
    used: "#0072b2", fragmented: "#e69f00", withheld: "#cc79a7", idle: "#e9edf2",
    queues: ["#332288", "#88ccee", "#117733", "#ddcc77", "#882255", "#44aa99", "#cc6677", "#5a8fc8", "#999933", "#aa4499", "#e69f00", "#6b4a2f", "#8f8fd9"],
    others: "#c4cbd4",
    heat: ["#f4f6f9", "#c3d8ec", "#79abd8", "#3273b3", "#0b3566"],
  },
  dark: {
    surface: "#14181e", text: "#e4e8ee", quiet: "#9ca8b7", line: "#2a323c",
    runs: ["#56b4e9", "#ef8a3c", "#2fc796", "#d98fc0", "#f0c24b", "#a3a8ff"],
    bounds: ["#c9d1da", "#8a96a4", "#8a96a4"],
    used: "#3f94cf", fragmented: "#e0a32e", withheld: "#c77aa4", idle: "#242c36",
    queues: ["#7d73d6", "#88ccee", "#2f9a55", "#ddcc77", "#b84a86", "#44aa99", "#dd7788", "#4f86c6", "#a9a93f", "#bb62ae", "#e69f00", "#9a7453", "#b9b9f2"],
    others: "#5a6675",
    heat: ["#1b222b", "#1f4468", "#2f73a8", "#6fb0dc", "#dceefb"],
  },
};

const darkness = window.matchMedia("(prefers-color-scheme: dark)");
let printing = false;

const palette = () => (darkness.matches && !printing ? PALETTES.dark : PALETTES.light);

const BOUND_DASHES = [[7, 4], [2, 3], [9, 3, 2, 3]];
const CONFIGURATION_DASHES = [[], [14, 3], [5, 2]];
const MARKERS = ["circle", "square", "triangle", "diamond", "down", "plus"];

/** Returns the style of a run in all charts: configurations are coloured, bounds are grey and dashed. */
const runStyle = (run) => {
  const alike = figures.runs.filter((other) => isBound(other) === isBound(run));
  const index = alike.indexOf(run);
  const colours = isBound(run) ? palette().bounds : palette().runs;
  const dashes = isBound(run) ? BOUND_DASHES : CONFIGURATION_DASHES;
  return {
    colour: colours[index % colours.length],
    dash: isBound(run) ? dashes[index % dashes.length] : dashes[Math.floor(index / colours.length) % dashes.length],
    marker: MARKERS[(index + Math.floor(index / colours.length)) % MARKERS.length],
    hollow: isBound(run),
  };
};

darkness.addEventListener("change", () => drawAll());
window.addEventListener("beforeprint", () => {
  printing = true;
  drawAll();
});
window.addEventListener("afterprint", () => {
  printing = false;
  drawAll();
});
