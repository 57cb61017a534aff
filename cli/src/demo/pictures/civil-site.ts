import type { Random } from '../random.js';
import { HEIGHT, HORIZON, WIDTH } from './scene.js';
import { area, element, rect, stroke } from './svg.js';

const YELLOW = '#e2a820';

/** A trench in a road, the excavator at it, pipes and barriers beside it. */
export function civilSite(progress: number, random: Random): string {
  const vanishing = random.int(380, 640);
  return [road(vanishing), trench(vanishing, progress, random), excavator(random), pipes(random), barriers(random)].join('');
}

function road(vanishing: number): string {
  const asphalt = area([[vanishing - 40, HORIZON], [vanishing + 40, HORIZON], [WIDTH + 120, HEIGHT], [-120, HEIGHT]], '#6c6d6f'); // prettier-ignore
  const kerb = (side: -1 | 1): string =>
    stroke([[vanishing + side * 40, HORIZON], [side < 0 ? -120 : WIDTH + 120, HEIGHT]], '#b9b6ae', 7); // prettier-ignore
  return asphalt + kerb(-1) + kerb(1);
}

function trench(vanishing: number, progress: number, random: Random): string {
  const shift = random.int(-120, 120);
  const far = HORIZON + 30 + (1 - progress) * 110;
  const [near, half] = [HEIGHT, 130];
  const at = (y: number): number => (y - HORIZON) / (HEIGHT - HORIZON);
  const centre = (y: number): number => vanishing + shift * at(y);
  const wide = (y: number): number => 8 + half * at(y);
  const edge = (y: number, side: -1 | 1): readonly [number, number] => [centre(y) + side * wide(y), y];
  const inner = (y: number, side: -1 | 1): readonly [number, number] => [centre(y) + side * wide(y) * 0.62, y];
  return [
    area([edge(far, -1), edge(far, 1), edge(near, 1), edge(near, -1)], '#8a6a45'),
    area([inner(far + 8, -1), inner(far + 8, 1), inner(near, 1), inner(near, -1)], '#4c3a27'),
    stroke([[centre(far + 10), far + 10], [centre(near), near]], '#a9a49b', 26 * progress + 8), // prettier-ignore
    stroke([[centre(far + 10) - 3, far + 10], [centre(near) - 8, near]], '#c7c3bb', 6), // prettier-ignore
  ].join('');
}

function excavator(random: Random): string {
  const [x, y, scale] = [random.int(560, 720), HORIZON + random.int(46, 90), random.int(80, 120) / 100];
  const lift = random.int(-40, 30);
  const parts = [
    element('rect', { x: 0, y: 70, width: 150, height: 34, rx: 17, fill: '#3a3a3a' }),
    ...[20, 52, 84, 116].map((cx) => element('circle', { cx: cx + 4, cy: 87, r: 11, fill: '#6f6f6f' })),
    rect(10, 24, [130, 48], YELLOW),
    rect(22, -22, [58, 54], YELLOW),
    rect(28, -15, [40, 34], '#9fc0cf'),
    rect(112, 8, [30, 22], '#4b4b4b'),
    stroke([[30, 34], [-70, -70 + lift], [-158, 4 + lift]], YELLOW, 19), // prettier-ignore
    stroke([[-158, 4 + lift], [-140, 72 + lift]], '#c08d16', 14), // prettier-ignore
    area([[-170, 62 + lift], [-112, 70 + lift], [-122, 110 + lift], [-158, 108 + lift]], '#55524d'), // prettier-ignore
    stroke([[10, 20], [-62, -58 + lift]], '#8b8b8b', 5), // prettier-ignore
  ];
  return element('g', { transform: `translate(${x} ${y}) scale(${scale})` }, parts.join(''));
}

function pipes(random: Random): string {
  const [x, y] = [random.int(20, 110), random.int(HORIZON + 120, HORIZON + 190)];
  const rows = [4, 3, 2].slice(0, random.int(2, 3));
  const rings = rows.flatMap((count, row) =>
    Array.from({ length: count }, (_, index) => {
      const [cx, cy] = [x + 26 + index * 50 + row * 25, y - row * 43];
      return element('circle', { cx, cy, r: 24, fill: '#a9a49b' }) + element('circle', { cx, cy, r: 16, fill: '#4d4a45' });
    }),
  );
  return rings.join('');
}

function barriers(random: Random): string {
  const y = HORIZON + random.int(60, 110);
  return Array.from({ length: random.int(3, 5) }, (_, index) => {
    const x = 30 + index * 118;
    const stripes = Array.from({ length: 6 }, (_, stripe) => rect(x + stripe * 16, y, [16, 15], stripe % 2 === 0 ? '#cf3b2e' : '#f4f1ea'));
    return rect(x + 8, y, [4, 44], '#6d6d6d') + rect(x + 84, y, [4, 44], '#6d6d6d') + stripes.join('');
  }).join('');
}
