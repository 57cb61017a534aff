import { describe, expect, it } from '@jest/globals';
import { MAX_LINE_BYTES, readLines, type Line } from './lines.js';

async function linesOf(...chunks: readonly (string | Uint8Array)[]): Promise<readonly Line[]> {
  const lines: Line[] = [];
  const bytes = (async function* () {
    for (const chunk of chunks) yield await Promise.resolve(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  })();
  for await (const batch of readLines(bytes)) lines.push(...batch);
  return lines;
}

const texts = (lines: readonly Line[]): readonly string[] => lines.map((line) => ('text' in line ? line.text : line.unreadable));

describe('readLines', () => {
  it.each([
    ['nothing', [''], []],
    ['one line without an end', ['a'], ['a']],
    ['a line end at the end', ['a\n'], ['a']],
    ['blank lines, which count', ['a\n\n\nb'], ['a', '', '', 'b']],
    ['CRLF, also torn apart', ['a\r', '\nb\r\n'], ['a', 'b']],
    ['a lone CR, which is no line end', ['a\rb\n'], ['a\rb']],
    ['a byte order mark, also torn apart', [Buffer.from([0xef]), Buffer.from([0xbb, 0xbf, 0x61])], ['a']],
    ['a byte order mark alone', ['\ufeff\r\n'], ['']],
    ['a letter of two bytes torn apart', [Buffer.from([0x4d, 0xc3]), Buffer.from([0xbc, 0x0a])], ['Mü']],
    ['line separators of Unicode, which are text', ['{"a":"\u2028"}\nb'], ['{"a":"\u2028"}', 'b']],
  ])('reads %s', async (_name, chunks, expected) => {
    expect(texts(await linesOf(...chunks))).toEqual(expected);
  });

  it('numbers lines from 1', async () => {
    expect((await linesOf('a\n\nb\n')).map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  it('reports a line that is not UTF-8 and reads on', async () => {
    expect(texts(await linesOf(Buffer.from([0x61, 0xff, 0x0a, 0x62])))).toEqual(['The line is not UTF-8.', 'b']);
  });

  it('skips a line that is too long and reads on', async () => {
    const half = Buffer.alloc(MAX_LINE_BYTES / 2 + 1, 'x');
    const lines = await linesOf(half, half, half, '\nb\n');
    expect(texts(lines)).toEqual([expect.stringContaining('longer than'), 'b']);
    expect(texts(await linesOf(Buffer.alloc(MAX_LINE_BYTES, 'x'), '\nb'))[0]).toHaveLength(MAX_LINE_BYTES);
  });
});
