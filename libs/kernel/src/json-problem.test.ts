import { describe, expect, it } from '@jest/globals';
import { jsonProblem, repeatedNames } from './json-problem.js';

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

describe('repeatedNames', () => {
  it.each([
    ['{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}', []],
    ['{"a":1,"b":2,"a":3}', ['a']],
    ['{"a":1,"\\u0061" : 2,"a":3}', ['a']],
    ['{"a":{"b":1,"b":2,"c":"\\"c\\":"},"d":[{"e":1},{"e":1,"e":1}]}', ['b', 'e']],
    ['{"__proto__":1,"__proto__":2}', ['__proto__']],
    ['["a","a"]', []],
    ['7', []],
  ])('finds those of %j', (text, names) => expect(repeatedNames(text)).toEqual(names));
});
