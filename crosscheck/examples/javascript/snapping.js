// A snapping mechanism in JavaScript, and how to have it checked:
//
//     snapref crosscheck --command 'node snapping.js'
//
// The second half of the file is all that the protocol takes: a JSON line in, a JSON line out.

"use strict";
const { randomBytes } = require("node:crypto");
const readline = require("node:readline");

const ETA = 2 ** -53;
const BITS = 256n; // of the fixed-point logarithm; the hardest double needs about 118 significant bits

class Refusal extends Error {}

function need(condition, message) {
  if (!condition) throw new Refusal(message);
}

// ln(d/n) * 2**BITS for 1/2 <= n/d <= 1, by the series of atanh.
function lnRatio(n, d) {
  let z = ((d - n) << BITS) / (d + n);
  const square = (z * z) >> BITS;
  let total = 0n;
  for (let k = 1n; z > 0n; k += 2n) {
    total += z / k;
    z = (z * square) >> BITS;
  }
  return 2n * total;
}

const LN2 = lnRatio(1n, 2n);
const view = new DataView(new ArrayBuffer(8));

// x > 0 as significand * 2**exponent, the significand an integer below 2**53.
function split(x) {
  view.setFloat64(0, x);
  const pattern = view.getBigUint64(0);
  const field = Number((pattern >> 52n) & 0x7ffn);
  const fraction = pattern & 0xfffffffffffffn;
  return field === 0 ? [fraction, -1074] : [fraction | (1n << 52n), field - 1075];
}

// The double nearest to n * 2**-BITS, for a result that is neither half-way nor subnormal.
function toDouble(n) {
  const excess = n.toString(2).length - 53;
  const significand = excess > 0 ? ((n >> BigInt(excess - 1)) + 1n) >> 1n : n << BigInt(-excess);
  return Number(significand) * 2 ** (excess - Number(BITS));
}

const mechanism = {
  lattice({ scale }) {
    need(scale > 0 && scale < Infinity, "scale must be positive and finite");
    if (scale > 2 ** 1023) return Infinity; // no double is large enough
    let power = 2 ** Math.ceil(Math.log2(scale)); // a guess, put right below
    while (power < scale) power *= 2;
    while (power / 2 >= scale) power /= 2;
    return power;
  },

  round({ x, lattice }) {
    need(Number.isFinite(x) && lattice > 0 && lattice < Infinity, "x and lattice must be finite");
    const quotient = x / lattice; // exact, or too large to have a fraction, or far below 1/2
    if (Math.abs(quotient) >= 2 ** 52) return x;
    const below = Math.floor(quotient);
    return (below + (quotient - below >= 0.5 ? 1 : 0)) * lattice + 0;
  },

  clamp({ x, bound }) {
    need(!Number.isNaN(x) && bound >= 0 && bound < Infinity, "x is NaN, or bound is not a finite number of at least 0");
    return x > bound ? bound : x < -bound ? -bound : x;
  },

  log({ u }) {
    need(u > 0 && u < 1, "u must lie between 0 and 1");
    let [n, exponent] = split(u);
    while (n < 1n << 52n) {
      n <<= 1n; // a subnormal
      exponent -= 1;
    }
    return -toDouble(lnRatio(n, 1n << 53n) - BigInt(exponent + 53) * LN2);
  },

  uniform({ exponent, mantissa }) {
    const significand = BigInt(mantissa) | (1n << 52n);
    if (exponent <= 1022) return (1 + mantissa * 2 ** -52) * 2 ** -exponent;
    const cut = exponent > 1100 ? 0n : significand >> BigInt(exponent - 1022);
    return Number(cut > 0n ? cut : 1n) * 2 ** -1074;
  },

  snap({ value, scale, bound, sign, u }) {
    const noise = sign * scale * mechanism.log({ u });
    const noisy = mechanism.clamp({ x: value, bound }) + noise;
    const rounded = mechanism.round({ x: noisy, lattice: mechanism.lattice({ scale }) });
    return mechanism.clamp({ x: rounded, bound });
  },

  inner_epsilon({ epsilon, bound, sensitivity }) {
    need(epsilon > 2 * ETA && epsilon < Infinity, "epsilon must exceed 2**-52 and be finite");
    need(bound > 0 && bound < Infinity, "bound must be positive and finite");
    need(sensitivity > 0 && sensitivity < Infinity, "sensitivity must be positive and finite");
    return ((epsilon - 2 * ETA) / (1 + 12 * (bound / sensitivity) * ETA)) * (1 - 2 ** -50); // down, to be safe
  },

  release({ value, epsilon, bound, sensitivity, count }) {
    const scale = (sensitivity / mechanism.inner_epsilon({ epsilon, bound, sensitivity })) * (1 + 2 ** -51);
    // beyond 353, a U* that is a double ends too early
    need(scale <= bound && bound <= 353 * scale, "bound must be between the scale and 353 times the scale");
    return Array.from({ length: count }, () => {
      const word = randomBytes(8).readBigUInt64BE();
      const u = mechanism.uniform({ exponent: geometric(), mantissa: Number(word >> 12n) });
      return mechanism.snap({ value, scale, bound, sign: word & 1n ? 1 : -1, u });
    });
  },
};

// k with probability 2**-k.
function geometric() {
  for (let exponent = 1; ; exponent += 8) {
    const coins = randomBytes(1)[0];
    if (coins !== 0) return exponent + Math.clz32(coins) - 24;
  }
}

// The protocol -------------------------------------------------------------------------------------------------------

function toHex(x) {
  if (Number.isNaN(x)) return "nan";
  if (!Number.isFinite(x)) return x > 0 ? "inf" : "-inf";
  view.setFloat64(0, x);
  const pattern = view.getBigUint64(0);
  const sign = pattern >> 63n ? "-" : "";
  const field = Number((pattern >> 52n) & 0x7ffn);
  const digits = (pattern & 0xfffffffffffffn).toString(16).padStart(13, "0");
  if (field === 0) return `${sign}0x0.${digits}p-1022`;
  const exponent = field - 1023;
  return `${sign}0x1.${digits}p${exponent < 0 ? "" : "+"}${exponent}`;
}

function fromHex(text) {
  if (text === "nan") return NaN;
  if (text.endsWith("inf")) return text.startsWith("-") ? -Infinity : Infinity;
  const [, sign, whole, fraction, exponent] = /^(-?)0x([01])\.([0-9a-f]*)p([+-]\d+)$/.exec(text);
  const magnitude = Number(BigInt(`0x${whole}${fraction}`)) * 2 ** (Number(exponent) - 4 * fraction.length);
  return sign ? -magnitude : magnitude;
}

function answer({ id, op, ...wire }) {
  if (op === "describe") return { id, name: "the JavaScript example", ties: "up", precision: 53, uniform: "binary64" };
  if (!Object.hasOwn(mechanism, op)) return { id, unsupported: true };
  const args = Object.fromEntries(Object.entries(wire).map(([k, v]) => [k, typeof v === "string" ? fromHex(v) : v]));
  try {
    const result = mechanism[op](args);
    return Array.isArray(result) ? { id, results: result.map(toHex) } : { id, result: toHex(result) };
  } catch (error) {
    if (error instanceof Refusal) return { id, error: error.message };
    throw error;
  }
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  process.stdout.write(JSON.stringify(answer(JSON.parse(line))) + "\n");
});
