import { createRandom, type Random } from '../random.js';
import { element } from './svg.js';

const [WIDTH, HEIGHT] = [420, 140];

/** What somebody wrote with a finger on a screen, as SVG: the same person signs alike, never the same. */
export function signature(seed: string, person: string, occasion: string): string {
  const hand = createRandom(seed, 'hand', person);
  const now = createRandom(seed, 'signature', person, occasion);
  const line = { fill: 'none', stroke: '#1b2a49', 'stroke-width': 3.4, 'stroke-linecap': 'round' };
  const size = { width: WIDTH, height: HEIGHT, viewBox: `0 0 ${WIDTH} ${HEIGHT}` };
  const name = element('path', { ...line, d: writing(hand, now) });
  const flourish = element('path', { ...line, 'stroke-width': 2.6, d: underline(hand, now) });
  return element('svg', { xmlns: 'http://www.w3.org/2000/svg', ...size }, name + flourish);
}

/** A capital, then loops that get smaller. */
function writing(hand: Random, now: Random): string {
  const steps = hand.int(6, 9);
  const tilt = hand.int(8, 22);
  let [x, y] = [38 + shake(now), 96];
  let path = `M ${x} ${y} C ${x + 4} 20, ${x + 46} 8, ${x + 34} 92`;
  x += 34;
  for (let step = 0; step < steps; step += 1) {
    const height = (hand.int(18, 52) * (steps - step * 0.5)) / steps + shake(now);
    const width = hand.int(22, 38);
    const loop = hand.chance(0.4) ? -14 : 8;
    const end = 88 + shake(now);
    path += ` C ${x + tilt} ${y - height}, ${x + width + loop} ${y - height - 10}, ${x + width} ${end}`;
    [x, y] = [x + width, end];
  }
  return `${path} q 18 -12 ${38 + shake(now)} -4`;
}

function underline(hand: Random, now: Random): string {
  const [from, to] = [hand.int(60, 120), hand.int(250, 360)];
  return `M ${from} ${112 + shake(now)} C ${from + 70} ${118 + shake(now)}, ${to - 60} 104, ${to} ${108 + shake(now)}`;
}

function shake(now: Random): number {
  return now.int(-40, 40) / 10;
}
