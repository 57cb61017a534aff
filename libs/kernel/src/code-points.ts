/** Compares texts by code points, the order of UTF-8. JavaScript compares UTF-16 units and would sort characters beyond U+FFFF before U+E000. */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  let index = 0;
  while (a.charCodeAt(index) === b.charCodeAt(index)) index += 1;
  const left = a.charCodeAt(index);
  const right = b.charCodeAt(index);
  if (Number.isNaN(left) || Number.isNaN(right)) return a.length - b.length;
  return isSurrogate(left) === isSurrogate(right) ? left - right : isSurrogate(left) ? 1 : -1;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xe000;
}
