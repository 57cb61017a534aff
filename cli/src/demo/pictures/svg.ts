/** Attributes of an element; numbers are written with one decimal. */
type Attributes = Readonly<Record<string, string | number>>;

/** One SVG element as text. */
export function element(name: string, attributes: Attributes, content = ''): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${typeof value === 'number' ? rounded(value) : value}"`);
  return `<${name}${written.join('')}>${content}</${name}>`;
}

export const rect = (x: number, y: number, [width, height]: readonly [number, number], fill: string): string =>
  element('rect', { x, y, width, height, fill });

/** A closed area with these corners. */
export const area = (corners: readonly (readonly [number, number])[], fill: string): string =>
  element('polygon', { points: corners.map(([x, y]) => `${rounded(x)},${rounded(y)}`).join(' '), fill });

/** A stroke through these points. */
export const stroke = (points: readonly (readonly [number, number])[], color: string, width: number): string =>
  element('polyline', {
    points: points.map(([x, y]) => `${rounded(x)},${rounded(y)}`).join(' '),
    fill: 'none',
    stroke: color,
    'stroke-width': width,
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
  });

function rounded(value: number): string {
  return String(Math.round(value * 10) / 10);
}
