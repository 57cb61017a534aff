import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { AppError } from '@stechuhr/kernel';
import { loggerOptions } from './logging.js';

/** Writes one line and parses it. */
function logged(fields: object): Record<string, unknown> {
  const lines: string[] = [];
  pino(loggerOptions('test', 'info'), { write: (line: string) => void lines.push(line) }).info(fields, 'sentence');
  const [line = '{}'] = lines;
  return JSON.parse(line) as Record<string, unknown>;
}

describe('a log line', () => {
  it('contains level, service, time and message', () => {
    expect(logged({ rows: 3 })).toMatchObject({
      level: 'info',
      service: 'test',
      msg: 'sentence',
      rows: 3,
      time: expect.stringMatching(/Z$/),
    });
  });

  it('redacts secrets at all levels', () => {
    const line = logged({ token: 'hunter2', request: { authorization: 'hunter2', headers: { authorization: 'hunter2' } } });
    expect(JSON.stringify(line)).not.toContain('hunter2');
  });

  it('contains the message and cause of an error, but not its other properties', () => {
    const cause = Object.assign(new Error('E11000 duplicate key'), { code: 11000, op: { last_name: 'Muster' } });
    const line = logged({ err: new AppError('internal', 'Internal error.', { cause }) });
    expect(line.err).toMatchObject({ type: 'AppError', code: 'internal', cause: { message: 'E11000 duplicate key', code: 11000 } });
    expect(JSON.stringify(line)).not.toContain('Muster');
  });

  it.each([
    ['a live object', new AppError('invalid', 'kind Muster is unknown.')],
    ['a reference', new AppError('precondition', 'missing_type names no absence type of the institution: Muster.')],
    [
      'an answer of another service',
      new AppError('internal', 'Internal error.', {
        cause: Object.assign(new Error('5 NOT_FOUND: Muster'), { code: 5, details: 'Muster', metadata: {} }),
      }),
    ],
    ['something that is not an error', { last_name: 'Muster' }],
    ['a text', 'Muster'],
    ['an error with an object as its code', Object.assign(new Error('failed'), { code: { last_name: 'Muster' } })],
  ])('has no words about %s, which nothing marks as a quotation', (_, err) => {
    const line = logged({ err });
    expect(line.err).toMatchObject({ type: expect.any(String) });
    expect(JSON.stringify(line)).not.toContain('Muster');
  });

  it('has the words of errors about servers', () => {
    const cause = Object.assign(new Error('14 UNAVAILABLE: connect ECONNREFUSED'), { code: 14, details: '', metadata: {} });
    const line = logged({ err: new AppError('unavailable', 'records is unavailable.', { cause }) });
    expect(line.err).toMatchObject({ message: 'records is unavailable.', cause: { message: '14 UNAVAILABLE: connect ECONNREFUSED' } });
  });
});
