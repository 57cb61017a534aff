import { describe, expect, it } from '@jest/globals';
import { AppError } from '@stechuhr/kernel';
import { z } from 'zod';
import type { Apply } from './apply.js';
import type { ImportEvent } from './import-events.js';
import { importLines, type ImportOptions } from './import-lines.js';
import { createLineJudge } from './judge-line.js';
import { accepted, defineKind, flag, text, type Content } from './kinds/index.js';

const institution = '11111111-1111-4111-8111-111111111111';
const idOf = (digit: number) => `22222222-2222-4222-8222-22222222222${String(digit)}`;

const kinds = {
  daily_report_form: defineKind({ name: 'daily_report_form', schema: z.object({ name: text }) }),
  daily_report_entry: defineKind({ name: 'daily_report_entry', order: 'institution', schema: z.object({ name: text, number: flag }) }),
};

const line = (kind: string, digit: number, name: string) => JSON.stringify({ kind, institution_id: institution, id: idOf(digit), name });

/** Imports lines into a list of names; a line whose name begins with `?` is unresolved until `found` was written. */
async function run(
  lines: readonly string[],
  { apply, strict = false, ...options }: Partial<Omit<ImportOptions, 'judge' | 'kinds'>> & { readonly strict?: boolean } = {},
) {
  const written: string[] = [];
  const write: Apply<Content<{ readonly name: string }>> = (changes, { mayWait }) => {
    let isHeld = false;
    return Promise.resolve(
      changes.map(({ content }) => {
        const name = content?.fields.name ?? 'deleted';
        if (isHeld && mayWait) return { kind: 'behind' as const };
        if (name.startsWith('?') && !written.includes('found')) {
          isHeld = true;
          return { kind: 'unresolved' as const, reason: `${name} is not there.` };
        }
        if (name === 'bad') return { kind: 'rejected' as const, reason: 'name is bad.' };
        written.push(name);
        return accepted;
      }),
    );
  };
  const judge = createLineJudge({ service: 'test', kinds });
  const events: ImportEvent[] = [];
  const source = (async function* () {
    for (const [at, json] of lines.entries()) yield await Promise.resolve({ file: '-', line: at + 1, json, strict });
  })();
  const all = { kinds: Object.values(kinds), judge, apply: apply ?? write, ...options };
  for await (const event of importLines(all, source)) events.push(event);
  const rejected = events.flatMap((event) => (event.kind === 'rejected' ? [`${String(event.line.line)}: ${event.refusal.reason}`] : []));
  const warnings = events.flatMap((event) =>
    event.kind === 'warning' ? [`${String(event.warning.line?.line ?? '-')}: ${event.warning.message}`] : [],
  );
  return { written, rejected, warnings, summary: events.at(-1), progress: events.filter(({ kind }) => kind === 'progress').length };
}

const one = { lines: 1, adapt: () => undefined };

describe('importLines', () => {
  it('skips blank lines, rejects invalid ones, and counts the rest', async () => {
    const lines = [line('daily_report_form', 1, 'a'), '  ', '{', line('workday', 1, 'b'), line('daily_report_form', 2, 'bad')];
    const { written, rejected, summary } = await run(lines);
    expect(written).toEqual(['a']);
    expect(rejected).toEqual([
      '3: The line is not valid JSON: it ends too early, after character 1.',
      '4: kind workday is not taken by the test service.',
      '5: name is bad.',
    ]);
    expect(summary).toEqual({ kind: 'summary', accepted: { daily_report_form: 1 }, rejected: 3 });
  });

  it('accepts a line whose reference comes later, and rejects it if the reference never comes', async () => {
    const early = line('daily_report_form', 1, '?early');
    expect((await run([early, line('daily_report_form', 2, 'found')], { batchSize: one })).written).toEqual(['found', '?early']);
    expect((await run([early])).rejected).toEqual(['1: ?early is not there.']);
  });

  it('lets later lines of a record wait behind one that waits', async () => {
    const lines = [line('daily_report_form', 1, '?first'), line('daily_report_form', 1, 'second'), line('daily_report_form', 2, 'found')];
    expect((await run(lines, { batchSize: one })).written).toEqual(['found', '?first', 'second']);
  });

  it('lets all later lines of a kind and institution wait if the kind is ordered by institution', async () => {
    const lines = [line('daily_report_entry', 1, '?first'), line('daily_report_entry', 2, 'second'), line('daily_report_form', 3, 'found')];
    for (const batchSize of [one, { ...one, lines: 100 }]) {
      expect((await run(lines, { batchSize })).written).toEqual(['found', '?first', 'second']);
    }
  });

  it('warns once about unknown fields and accepts the line', async () => {
    const unknown = (name: string) => JSON.stringify({ ...(JSON.parse(line('daily_report_form', 1, name)) as object), Names: 'x', zip: 1 });
    const { written, warnings } = await run([unknown('?early'), line('daily_report_form', 2, 'found')], { batchSize: one });
    expect(written).toEqual(['found', '?early']);
    expect(warnings).toEqual(['1: Names is unknown.', '1: zip is unknown.']);
    const deletion = JSON.stringify({ ...(JSON.parse(unknown('a')) as object), deleted: true });
    expect((await run([deletion])).warnings).toEqual([]);
  });

  it('rejects unknown fields in strict mode, together with all other problems', async () => {
    const lines = [
      { kind: 'daily_report_form', institution_id: institution, id: idOf(1), name: 'a', nane: 'b' },
      { kind: 'daily_report_form', institution_id: 'x', nane: 'b' },
    ];
    const texts = lines.map((one) => JSON.stringify(one));
    const refused = '2: institution_id must be a UUID. id is required. name is required. nane is unknown; did you mean name?';
    expect(await run(texts, { strict: true })).toMatchObject({ written: [], rejected: ['1: nane is unknown.', refused], warnings: [] });
    expect(await run(texts)).toMatchObject({ written: ['a'], rejected: [refused], warnings: ['1: nane is unknown.'] });
  });

  it('reports the warnings of the end of the import', async () => {
    const finished: ImportOptions['finished'] = () => Promise.resolve([{ message: 'Two are one.' }]);
    expect((await run([], { finished })).warnings).toEqual(['-: Two are one.']);
  });

  it('reports the counts of each institution before the summary', async () => {
    const told: unknown[] = [];
    const finished: ImportOptions['finished'] = (counts) => {
      told.push(...counts);
      return Promise.resolve([]);
    };
    await run([line('daily_report_form', 1, 'a'), line('daily_report_form', 1, 'bad')], { finished });
    expect(told).toEqual([[institution, { accepted: { daily_report_form: 1 }, rejected: 1 }]]);
  });

  it('writes fewer lines together if they are large', async () => {
    const sizes: number[] = [];
    const apply: Apply = (changes) => {
      sizes.push(changes.length);
      return Promise.resolve(changes.map(() => accepted));
    };
    const form = { kind: 'daily_report_form', institution_id: institution, name: 'a' };
    const ids = Array.from({ length: 20 }, (_, at) => idOf(0).slice(0, -2) + String(at + 10));
    const lines = ids.map((id) => JSON.stringify({ ...form, id }).padEnd(1_000_000));
    await run(lines, { apply });
    expect(sizes).toEqual([9, 9, 2]);
  });

  it('survives a short outage of the database', async () => {
    let calls = 0;
    const apply: Apply = (changes) => {
      calls += 1;
      return calls === 1 ? Promise.reject(new AppError('unavailable', 'Unavailable.')) : Promise.resolve(changes.map(() => accepted));
    };
    expect((await run([line('daily_report_form', 1, 'a')], { apply })).summary).toMatchObject({ accepted: { daily_report_form: 1 } });
  });
});
