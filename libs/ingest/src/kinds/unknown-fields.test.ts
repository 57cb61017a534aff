import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { list, optionalText, text } from './index.js';
import { unknownFieldsOf } from './unknown-fields.js';

const schema = z
  .object({
    started_at: text,
    ended_at: optionalText,
    custom: z.record(z.string(), z.string()).nullish(),
    spans: list(z.object({ ended_at: text }).transform((span) => span)),
    expiry: z.object({ months: text }).nullish(),
  })
  .transform((line) => line);

const unknownIn = unknownFieldsOf(schema, ['id']);

describe('unknownFieldsOf', () => {
  it.each<[object, string[]]>([
    [{ id: 1, started_at: 1, ended_at: 1, custom: { any: 'x' }, spans: [{ ended_at: 1 }], expiry: null }, []],
    [{ end_at: 1 }, ['end_at is unknown; did you mean ended_at?']],
    [{ end_at: 1, ended_at: 2 }, ['end_at is unknown.']],
    [
      { spans: [{}, { end_at: 1 }], expiry: { month: 1 } },
      ['spans[1].end_at is unknown; did you mean ended_at?', 'expiry.month is unknown; did you mean months?'],
    ],
    [{ spans: 'no list', expiry: [], colour: 1 }, ['colour is unknown.']],
    [JSON.parse('{"__proto__": 1, "constructor": 2}') as object, ['__proto__ is unknown.', 'constructor is unknown.']],
  ])('returns for %j the messages %j', (line, unknown) => {
    expect(unknownIn(line)).toEqual(unknown);
  });
});
