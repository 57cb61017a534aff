import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { Findings } from './findings.js';

interface Said {
  readonly file: string | null;
  readonly line: number | null;
  readonly kind: string | null;
  readonly text: string;
}

const FILES = ['b', 'a'];
const said = (file: string | null, line: number | null, text = 'ä'): Said => ({ file, line, kind: 'workday', text });

// 10: nearly every finding becomes a run of its own; 200: some are merged; undefined: the default size.
describe.each([10, 200, undefined])('Findings, in parts of %s characters', (characters) => {
  it('come in the order of files and lines, and of the same line as they were added', () => {
    const findings = new Findings<Said>(FILES, characters);
    const added = [said('a', 2), said(null, null, 'last'), said('b', 7, 'one'), said('a', 1, '\u2028'), said('b', 7, 'two'), said('b', 3)];
    for (const one of added) findings.add(one);
    const [a2, last, b7, a1, alsoB7, b3] = added;
    expect([...findings]).toEqual([b3, b7, alsoB7, a1, a2, last]);
    expect([...findings]).toHaveLength(6);
    findings.close();
  });

  it('returns as many findings as were added, even if one is longer than a read', () => {
    const findings = new Findings<Said>(FILES, characters);
    const lines = Array.from({ length: 500 }, (_, at) => ((at * 331) % 500) + 1);
    for (const line of lines) findings.add(said('a', line, line === 250 ? 'ö'.repeat(100_000) : 'x'));
    expect([...findings].map(({ line }) => line)).toEqual(lines.toSorted((one, other) => one - other));
    expect(findings.count).toBe(500);
    findings.close();
  });
});

describe('Findings', () => {
  it('count known kinds by name, and all others together', () => {
    const findings = new Findings<Said>(FILES);
    for (const kind of ['workday', 'employee', 'workday', 'invoice', null, 'toString']) findings.add({ ...said('a', 1), kind });
    expect(Object.fromEntries(findings.byKind)).toEqual({ workday: 2, employee: 1, '?': 3 });
  });

  it('leave nothing in the folder of temporary files', async () => {
    const findings = new Findings<Said>(FILES, 1);
    findings.add(said('a', 1));
    findings.add(said('a', 2));
    expect((await readdir(tmpdir())).filter((name) => name.startsWith('stechuhr-findings-'))).toEqual([]);
    findings.close();
  });
});
