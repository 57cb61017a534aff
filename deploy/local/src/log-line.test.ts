import { describe, expect, it } from '@jest/globals';
import { readLogLine } from './log-line.js';

describe('readLogLine', () => {
  it.each([
    ['{"level":"info","grpc":"127.0.0.1:5","admin":"127.0.0.1:6","msg":"ready"}', { ready: { grpc: '127.0.0.1:5', admin: '127.0.0.1:6' } }],
    [
      '{"level":"info","http":"127.0.0.1:5","grpc":null,"admin":"127.0.0.1:6","msg":"ready"}',
      { ready: { grpc: null, admin: '127.0.0.1:6' } },
    ],
    ['{"level":"error","err":{"message":"refused"},"msg":"NATS is unavailable"}', { problem: 'NATS is unavailable: refused' }],
    ['{"level":"fatal","msg":"it cannot start"}', { problem: 'it cannot start' }],
    ['{"level":"info","msg":"imported"}', undefined],
    ['not JSON', undefined],
    ['17', undefined],
  ])('understands %s', (line, expected) => {
    expect(readLogLine(line)).toEqual(expected);
  });
});
