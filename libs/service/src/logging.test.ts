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
});
