import type { Random } from '../random.js';
import type { Condition } from '../reports/weather.js';
import { area, element, rect } from './svg.js';

export const WIDTH = 1024;
export const HEIGHT = 768;
/** Where the ground begins. */
export const HORIZON = 470;

const SKIES: Readonly<Record<Condition, readonly [top: string, bottom: string, cloud: string]>> = {
  sunny: ['#4f8fd0', '#cfe4f4', '#ffffff'],
  cloudy: ['#8fa3b5', '#d6dde3', '#eef1f3'],
  precipitation: ['#66727d', '#aab3ba', '#87929b'],
  snow: ['#a9b4bf', '#e3e8ec', '#f7f9fa'],
};
const GROUNDS: Readonly<Record<Condition, readonly [far: string, near: string, stone: string]>> = {
  sunny: ['#b39a75', '#8f7350', '#c7b08d'],
  cloudy: ['#9d8a6c', '#7b664a', '#b3a284'],
  precipitation: ['#7d6f5a', '#5b4d3b', '#94876f'],
  snow: ['#dfe3e6', '#c2c4c3', '#8b8375'],
};

/** Sky, what stands far away, and ground. */
export function backdrop(condition: Condition, random: Random): string {
  return [sky(condition, random), skyline(random), ground(condition, random)].join('');
}

/** Rain or snow in front of everything. */
export function fallOut(condition: Condition, random: Random): string {
  if (condition === 'sunny' || condition === 'cloudy') return '';
  const drops = Array.from({ length: condition === 'snow' ? 220 : 160 }, () => {
    const [cx, cy] = [random.int(0, WIDTH), random.int(0, HEIGHT)];
    if (condition === 'snow') return element('circle', { cx, cy, r: random.int(10, 32) / 10, fill: '#ffffff', 'fill-opacity': 0.8 });
    return area([[cx, cy], [cx - 4, cy + 22], [cx - 2.6, cy + 22]], '#d5dde3'); // prettier-ignore
  });
  return element('g', { opacity: condition === 'snow' ? 0.9 : 0.45 }, drops.join(''));
}

function sky(condition: Condition, random: Random): string {
  const [top, bottom, cloud] = SKIES[condition];
  const clouds = Array.from({ length: condition === 'sunny' ? 3 : 9 }, () => {
    const [x, y, size] = [random.int(-60, WIDTH), random.int(20, 250), random.int(40, 110)];
    const puffs = Array.from({ length: 5 }, (_, index) => {
      return element('ellipse', { cx: x + index * size * 0.55, cy: y + random.int(-14, 14), rx: size * 0.6, ry: size * 0.26, fill: cloud });
    });
    return element('g', { opacity: random.int(45, 80) / 100 }, puffs.join(''));
  });
  return gradient('sky', top, bottom) + rect(0, 0, [WIDTH, HORIZON + 20], 'url(#sky)') + clouds.join('');
}

/** Roofs and trees of the neighbourhood. */
function skyline(random: Random): string {
  const shapes: string[] = [];
  for (let x = -40; x < WIDTH; x += random.int(50, 120)) {
    const [width, height] = [random.int(60, 130), random.int(24, 70)];
    const base = HORIZON + 8;
    if (random.chance(0.45)) {
      shapes.push(rect(x, base - height, [width, height], random.pick(['#9aa0a3', '#a89c90', '#b3aaa0'])));
      const roof = [[x - 6, base - height], [x + width / 2, base - height - 26], [x + width + 6, base - height]] as const; // prettier-ignore
      shapes.push(area(roof, random.pick(['#84584a', '#6f5f5c', '#7a4f43'])));
    } else {
      const green = random.pick(['#5d7450', '#6b8159', '#4f6647']);
      shapes.push(element('ellipse', { cx: x + width / 2, cy: base - height * 0.5, rx: width * 0.5, ry: height * 0.8, fill: green }));
    }
  }
  return element('g', { opacity: 0.8 }, shapes.join(''));
}

function ground(condition: Condition, random: Random): string {
  const [far, near, stone] = GROUNDS[condition];
  const stones = Array.from({ length: 420 }, () => {
    const depth = random.next() ** 0.7;
    const y = HORIZON + 6 + depth * (HEIGHT - HORIZON);
    const size = 1 + depth * 5;
    const fill = random.chance(0.5) ? stone : near;
    return element('ellipse', {
      cx: random.int(0, WIDTH),
      cy: y,
      rx: size * (1 + random.next()),
      ry: size * 0.45,
      fill,
      'fill-opacity': 0.7,
    });
  });
  return gradient('ground', far, near) + rect(0, HORIZON, [WIDTH, HEIGHT - HORIZON], 'url(#ground)') + stones.join('');
}

export function gradient(id: string, top: string, bottom: string): string {
  const stops = element('stop', { offset: 0, 'stop-color': top }) + element('stop', { offset: 1, 'stop-color': bottom });
  return element('linearGradient', { id, x1: 0, y1: 0, x2: 0, y2: 1 }, stops);
}
