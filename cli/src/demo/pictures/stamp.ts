import { stroke } from './svg.js';

/** The bars of a digit as cameras print it: top, the upper two, middle, the lower two, bottom. */
const BARS: Readonly<Record<string, string>> = {
  '0': 'tlrLRb',
  '1': 'rR',
  '2': 'trmLb',
  '3': 'trmRb',
  '4': 'lrmR',
  '5': 'tlmRb',
  '6': 'tlmLRb',
  '7': 'trR',
  '8': 'tlrmLRb',
  '9': 'tlrmRb',
};
const [HALF, WIDE] = [11, 12];
const LINES: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  t: [[0, 0], [WIDE, 0]], // prettier-ignore
  l: [[0, 0], [0, HALF]], // prettier-ignore
  r: [[WIDE, 0], [WIDE, HALF]], // prettier-ignore
  m: [[0, HALF], [WIDE, HALF]], // prettier-ignore
  L: [[0, HALF], [0, 2 * HALF]], // prettier-ignore
  R: [[WIDE, HALF], [WIDE, 2 * HALF]], // prettier-ignore
  b: [[0, 2 * HALF], [WIDE, 2 * HALF]], // prettier-ignore
};
const DOTS: Readonly<Record<string, readonly number[]>> = { '.': [2 * HALF], ':': [HALF * 0.5, HALF * 1.5] };

/** Digits, full stops and colons as a camera prints them into a picture: drawn, since no font need be there. */
export function stamp(text: string, right: number, top: number): string {
  const advance = (character: string): number => (character in BARS ? WIDE + 8 : 9);
  let x = right - [...text].reduce((sum, character) => sum + advance(character), 0);
  const parts: string[] = [];
  for (const character of text) {
    const dots = (DOTS[character] ?? []).map((y) => [[0, y], [0.1, y]] as const); // prettier-ignore
    const lines = [...(BARS[character] ?? '')].map((bar) => LINES[bar] ?? []);
    for (const line of [...dots, ...lines]) parts.push(glow(line.map(([dx, dy]) => [x + dx, top + dy] as const)));
    x += advance(character);
  }
  return parts.join('');
}

function glow(points: readonly (readonly [number, number])[]): string {
  return stroke(points, '#5a2a08', 5) + stroke(points, '#ff9a3c', 3);
}
