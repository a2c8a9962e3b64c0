// The picture to play with: both distributions and the loss by output, for parameters chosen with sliders. It computes
// the mechanism in real arithmetic with λ = Δ/ε, on the browser's doubles. The floating-point program differs from it by
// some η = 2^-53, far less than a pixel.
"use strict";
const play = document.getElementById("play-form");

// P(low ≤ a + noise < high) for Laplace noise of this scale, without cancellation.
function laplace(low, high, a, scale) {
  const [l, h] = [(low - a) / scale, (high - a) / scale];
  if (l >= 0) return 0.5 * Math.exp(-l) * -Math.expm1(l - h);
  if (h <= 0) return 0.5 * Math.exp(h) * -Math.expm1(l - h);
  return -0.5 * (Math.expm1(l) + Math.expm1(-h));
}

// The possible outputs: the multiples of Λ inside (-B, B), and ±B. Each with its probabilities and its loss.
function outputs({ epsilon, bound, sensitivity, a, b }) {
  const scale = sensitivity / epsilon;
  const lattice = 2 ** Math.ceil(Math.log2(scale) - 1e-12);
  const last = Math.ceil(bound / lattice);
  const rows = [];
  for (let k = -last; k <= last; k++) {
    const low = k === -last ? -Infinity : (k - 0.5) * lattice;
    const high = k === last ? Infinity : (k + 0.5) * lattice;
    const [p, q] = [laplace(low, high, a, scale), laplace(low, high, b, scale)];
    rows.push({ x: Math.max(-bound, Math.min(bound, k * lattice)), p, q, loss: Math.abs(Math.log(p / q)) });
  }
  return { scale, lattice, rows };
}

function chosen() {
  const number = (name) => Number(play.elements[name].value);
  const bound = number("bound"), sensitivity = number("sensitivity");
  const a = number("a") * bound, b = Math.min(bound, a + number("gap") * sensitivity);
  return { epsilon: 2 ** number("epsilon"), bound, sensitivity, a, b };
}

const short = (value) => String(Number(value.toPrecision(4))).replace("-", "−");

function draw() {
  const given = chosen();
  const says = document.getElementById("play-says");
  const picture = document.getElementById("play-picture");
  for (const [name, value] of Object.entries({ ...given, gap: given.b - given.a })) {
    const shown = document.getElementById(`play-${name}`);
    if (shown) shown.textContent = short(value);
  }
  const { scale, lattice, rows } = outputs(given);
  if (scale > given.bound) {
    says.textContent = `λ = Δ/ε = ${short(scale)} is more than B = ${short(given.bound)}: no release is made like this.`;
    picture.replaceChildren();
    return;
  }
  const worst = Math.max(...rows.map((row) => row.loss));
  says.textContent = `λ = Δ/ε = ${short(scale)}, Λ = ${short(lattice)}, ${rows.length} outputs; `
    + `b = ${short(given.b)}; the largest loss is ${short(worst)}, ε is ${short(given.epsilon)}.`;
  picture.replaceChildren(...shapes(given, rows, picture.closest(".picture").clientWidth < 500 ? 350 : 720));
}

function shapes(given, rows, width) {
  const left = 52, right = width - 12, made = [];
  const add = (name, attributes, text) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    made.push(element);
  };
  document.getElementById("play-picture").setAttribute("viewBox", `0 0 ${width} 400`);
  const x = (value) => left + (right - left) * (value / given.bound + 1.03) / 2.06;
  const most = Math.max(...rows.flatMap((row) => [row.p, row.q]));
  const high = (p) => 190 - 150 * p / most, deep = (loss) => 350 - 110 * loss / (given.epsilon * 1.1);
  const axis = (y, top, name, ticks) => {
    add("text", { x: 4, y: top - 12, "text-anchor": "start", class: "name" }, name);
    for (const [at, words] of ticks) {
      add("line", { x1: left, y1: at, x2: right, y2: at, class: "grid" });
      add("text", { x: left - 7, y: at + 4, "text-anchor": "end" }, words);
    }
    add("line", { x1: left, y1: y, x2: left, y2: top, class: "axis" });
  };
  axis(190, 40, "probability of the output", [[190, "0"], [high(most), short(most)]]);
  axis(350, 240, "privacy loss", [[350, "0"]]);
  add("text", { x: left - 7, y: deep(given.epsilon) + 4, "text-anchor": "end" }, "ε");
  const half = Math.max(1, Math.min(9, (right - left) / rows.length / 2.6));
  for (const { x: at, p, q, loss } of rows) {
    const [ya, yb] = [high(p), high(q)];
    add("rect", { x: x(at) - half, y: ya, width: half, height: 190 - ya, class: "blue fill" });
    add("rect", { x: x(at), y: yb, width: half, height: 190 - yb, class: "orange fill" });
    add("circle", { cx: x(at), cy: deep(loss), r: Math.min(3.5, half), class: "green fill" });
  }
  add("line", { x1: left, y1: deep(given.epsilon), x2: right, y2: deep(given.epsilon), class: "red stroke dashed" });
  for (const value of [-given.bound, 0, given.bound]) {
    add("text", { x: x(value), y: 370, "text-anchor": "middle" }, short(value));
  }
  add("text", { x: (left + right) / 2, y: 392, "text-anchor": "middle", class: "name" }, "output x");
  return made;
}

play.closest("figure").hidden = false;
play.addEventListener("input", draw);
addEventListener("resize", draw);
draw();
