import { describe, expect, it } from '@jest/globals';
import { framesOf, withoutIdentities, withoutInput } from './redaction.js';

describe('the message of an error', () => {
  it.each([
    [`Unexpected token 'M', "Max Muster"... is not valid JSON`, `Unexpected token 'M', "[redacted]"... is not valid JSON`],
    [`Unexpected token 'x', "{"name": "Muster", "a": x}" is not valid JSON`, `Unexpected token 'x', "[redacted]" is not valid JSON`],
    [
      `Unexpected token 'x', ..."Max", "b": "Muster", x "... is not valid JSON`,
      `Unexpected token 'x', ..."[redacted]"... is not valid JSON`,
    ],
    ['E11000 duplicate key error dup key: { name: "Muster", age: 3 }', 'E11000 duplicate key error dup key: [redacted]'],
    ['max.muster@example.com is unknown', '[redacted] is unknown'],
    ['token stu_abcDEF123 is revoked', 'token [redacted] is revoked'],
    ['connect ECONNREFUSED 127.0.0.1:27017', 'connect ECONNREFUSED 127.0.0.1:27017'],
    ['"a \\" Muster" is no date', '"[redacted]"'],
    ['"Max "Moritz" Muster" is not a valid choice.', '"[redacted]" is not a valid choice.'],
    ['"Max\nMuster" is not a valid choice.', '"[redacted]" is not a valid choice.'],
    ['3 INVALID_ARGUMENT: The request is invalid: {"q":["Max Must', '3 INVALID_ARGUMENT: The request is invalid: {"[redacted]"'],
    ['Permissions Violation for Publish to "stechuhr.x" using queue "y"', 'Permissions Violation for Publish to "[redacted]"'],
  ])('is redacted: %s', (message, shown) => expect(withoutInput(message)).toBe(shown));
});

describe('other text', () => {
  it.each([
    ['/api/v2/max%40example.com/x', '/api/v2/[redacted]/x'],
    ['curl/8.5 (ops@example.com)', 'curl/8.5 ([redacted])'],
    ['stechuhr.ingest.0df3114d-57ab-521c-9799-fda900f0d2ce.employee', 'stechuhr.ingest.0df3114d-57ab-521c-9799-fda900f0d2ce.employee'],
  ])('is redacted: %s', (text, shown) => expect(withoutIdentities(text)).toBe(shown));
});

describe('the frames of a stack', () => {
  it('are without the message', () => {
    const frames = framesOf(new Error('Max\n    at Muster').stack);
    expect(frames).toMatch(/^\n {4}at /);
    expect(frames).not.toContain('Muster');
  });

  it('are empty without a stack', () => expect(framesOf(undefined)).toBe(''));
});
