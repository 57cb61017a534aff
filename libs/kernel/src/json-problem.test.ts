import { describe, expect, it } from '@jest/globals';
import { jsonProblem } from './json-problem.js';

describe('jsonProblem', () => {
  it.each([
    ['{"kind":"employee",', 'is not valid JSON: it ends too early, after character 19'],
    ['{', 'is not valid JSON: it ends too early, after character 1'],
    ['{"a":1,}', 'is not valid JSON at character 8'],
    ['{"a":x}', 'is not valid JSON at character 6'],
    ['{"a":1} {"b":2}', 'is not valid JSON at character 9'],
    ["{'a':1}", 'is not valid JSON at character 2'],
    ['{"a":1 // one\n}', 'is not valid JSON at character 8'],
  ])('locates the syntax error in %j', (text, problem) => {
    expect(() => JSON.parse(text) as unknown).toThrow();
    expect(jsonProblem(text)).toBe(problem);
  });

  it('does not locate an error in a text that is nested deeper than the stack allows', () => {
    expect(jsonProblem('['.repeat(500_000))).toBe('is not valid JSON');
    expect(jsonProblem(`${'{"a":'.repeat(100_000)}x`)).toBe('is not valid JSON');
  });
});
