import { describe, expect, it } from '@jest/globals';
import { openSetAside } from './set-aside.js';

async function linesOf<T>(lines: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

describe('openSetAside', () => {
  it('returns lines by kind and in order, whatever they contain', async () => {
    const setAside = openSetAside();
    const texts = ['{}', '{"a":"\u2028 \\n ä 😀"}', 'x'.repeat(200_000), ''];
    for (const [index, json] of texts.entries()) {
      await setAside.add('workday', { file: 'a.ndjson', line: index + 1, json });
      await setAside.add('contract', { file: '-', line: index + 1, json: 'c' });
    }
    expect(await linesOf(setAside.lines('workday'))).toEqual(texts.map((json, index) => ({ file: 'a.ndjson', line: index + 1, json })));
    expect(await linesOf(setAside.lines('contract'))).toHaveLength(4);
    expect(await linesOf(setAside.lines('absence'))).toEqual([]);
    await setAside.close();
  });

  it('returns the version that a line is made from', async () => {
    const setAside = openSetAside();
    const lines = [{ ifVersion: 2 ** 40 }, { ifVersion: 0 }, {}].map((given, at) => ({ file: '-', line: at + 1, json: '{}', ...given }));
    for (const line of lines) await setAside.add('employee', line);
    expect(await linesOf(setAside.lines('employee'))).toEqual(lines);
    await setAside.close();
  });

  it('can be closed while lines are being read', async () => {
    const setAside = openSetAside();
    for (let line = 1; line <= 5_000; line += 1) await setAside.add('workday', { file: '-', line, json: 'x'.repeat(100) });
    for await (const { line } of setAside.lines('workday')) if (line === 10) break;
    await expect(setAside.close()).resolves.toBeUndefined();
  });

  it('throws "unavailable" when files cannot be written', async () => {
    process.env.TMPDIR = '/nowhere';
    await expect(openSetAside().add('workday', { file: '-', line: 1, json: '{}' })).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The folder of temporary files cannot be written to.',
      cause: expect.objectContaining({ code: 'ENOENT' }),
    });
  });
});
