import type { Random } from '../random.js';
import { HORIZON } from './scene.js';
import { area, rect, stroke } from './svg.js';

const STOREY = 74;
const CONCRETE = ['#b9b6ae', '#aaa79f', '#c4c1b9'] as const;
const STEEL = '#c9a227';

/** A building shell with its scaffold, and the crane behind it. */
export function buildingSite(storeys: number, random: Random): string {
  const bays = random.int(4, 6);
  const width = bays * random.int(84, 104);
  const left = random.int(120, 860 - width);
  return [crane(random), shell({ left, width, bays, storeys }, random), scaffold(left + width, storeys, random), material(random)].join('');
}

interface Shell {
  readonly left: number;
  readonly width: number;
  readonly bays: number;
  readonly storeys: number;
}

function shell({ left, width, bays, storeys }: Shell, random: Random): string {
  const base = HORIZON + 60;
  const wall = random.pick(CONCRETE);
  const parts: string[] = [];
  for (let storey = 0; storey < storeys; storey += 1) {
    const top = base - (storey + 1) * STOREY;
    // The uppermost storey grows from the left.
    const built = storey === storeys - 1 ? random.int(Math.ceil(bays / 2), bays) : bays;
    const bay = width / bays;
    parts.push(rect(left, top, [built * bay, STOREY], wall), rect(left - 8, top - 8, [built * bay + 16, 11], '#8f8c85'));
    for (let index = 0; index < built; index += 1) {
      const x = left + index * bay + bay * 0.24;
      parts.push(rect(x, top + 18, [bay * 0.52, STOREY - 34], '#4a4d50'), rect(x, top + 18, [bay * 0.52, 6], '#33363a'));
    }
    if (storey === storeys - 1) parts.push(starters(left, built * bay, top - 8));
  }
  return rect(left - 14, base - 4, [width + 28, 16], '#7d7a73') + parts.join('');
}

/** Reinforcement that waits for the next storey. */
function starters(left: number, width: number, top: number): string {
  const bars = Array.from({ length: Math.floor(width / 13) }, (_, index) => {
    const x = left + 6 + index * 13;
    return stroke([[x, top], [x, top - 20]], '#7a4a35', 2); // prettier-ignore
  });
  return bars.join('');
}

function scaffold(left: number, storeys: number, random: Random): string {
  const base = HORIZON + 62;
  const top = base - storeys * STOREY - 30;
  const poles = [0, 34, 68].map((x) => rect(left + 4 + x, top, [4, base - top], '#8d979d'));
  const decks = Array.from({ length: storeys * 2 }, (_, index) => {
    const y = base - (index + 1) * (STOREY / 2);
    const brace = index % 2 === 0 ? stroke([[left + 6, y + STOREY / 2], [left + 72, y]], '#9fa8ad', 3) : ''; // prettier-ignore
    return rect(left + 2, y, [74, 5], '#a5793f') + brace;
  });
  const net = random.chance(0.5) ? area([[left + 4, top], [left + 76, top], [left + 76, base], [left + 4, base]], '#3d7f6488') : ''; // prettier-ignore
  return poles.join('') + decks.join('') + net;
}

function crane(random: Random): string {
  const [x, top, base] = [random.int(80, 940), random.int(30, 90), HORIZON + 30];
  const towards = x > 512 ? -1 : 1;
  const mast = Array.from({ length: 16 }, (_, index) => {
    const [y, next] = [top + ((base - top) / 16) * index, top + ((base - top) / 16) * (index + 1)];
    return stroke([[x - 9, y], [x + 9, next]], STEEL, 2.5) + stroke([[x + 9, y], [x - 9, next]], STEEL, 2.5); // prettier-ignore
  });
  const reach = random.int(300, 520) * towards;
  const hook = x + reach * (random.int(45, 90) / 100);
  const load = top + random.int(120, 240);
  return [
    rect(x - 11, top, [4, base - top], STEEL),
    rect(x + 7, top, [4, base - top], STEEL),
    ...mast,
    stroke([[x, top - 46], [x + reach, top + 2]], STEEL, 3), // prettier-ignore
    stroke([[x - 110 * towards, top], [x + reach, top]], STEEL, 7), // prettier-ignore
    stroke([[x, top - 46], [x - 110 * towards, top]], STEEL, 3), // prettier-ignore
    rect(x - (towards > 0 ? 124 : -84), top - 4, [40, 34], '#80807c'),
    rect(x - 14, top + 4, [28, 26], '#dfe4e6'),
    stroke([[hook, top], [hook, load]], '#3c3c3c', 2), // prettier-ignore
    rect(hook - 26, load, [52, 14], random.pick(['#8a8f94', '#a5793f', '#b0563c'])),
  ].join('');
}

/** Pallets and formwork in front. */
function material(random: Random): string {
  return Array.from({ length: random.int(2, 4) }, () => {
    const [x, y] = [random.int(20, 860), random.int(HORIZON + 110, HORIZON + 220)];
    const color = random.pick(['#c8b48c', '#d8d5cc', '#a5793f', '#b0563c']);
    const rows = Array.from({ length: random.int(2, 4) }, (_, row) => {
      return Array.from({ length: 5 }, (_, column) => rect(x + column * 25, y - row * 18, [23, 16], color)).join('');
    });
    return rect(x - 4, y + 17, [132, 8], '#6e5331') + rows.join('');
  }).join('');
}
