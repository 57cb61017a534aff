import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { EmployeeFinding, PackFindings } from '../domain/finding-list.js';

/** Fast rather than small: most of a finding is the same text as in others. */
const FAST = { level: 1 };

/** Compresses findings to about a tenth of their size in memory, outside of the heap. */
export const packFindings: PackFindings = (findings) => {
  const packed = deflateRawSync(JSON.stringify(findings), FAST);
  return () => JSON.parse(inflateRawSync(packed).toString()) as readonly EmployeeFinding[];
};
