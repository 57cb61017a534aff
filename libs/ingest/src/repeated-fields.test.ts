import { describe, expect, it } from '@jest/globals';
import { repeatedFields } from './repeated-fields.js';

describe('repeatedFields', () => {
  it.each<[string, string[]]>([
    ['{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}', []],
    ['{"a":1,"b":2,"a":3}', ['a']],
    // As after an edit by hand: the second name is written in another way than the others.
    ['{"a":1,"b":2,"a" :3}', ['a']],
    ['{"a"\t:\r\n1,"b":2,"a":3}', ['a']],
    ['{ "a" : 1, "a" : 2 }', ['a']],
    ['{"a":1,"b":"\\":","a" :3}', ['a']],
    ['{"a":[{"b":1},{"b":2,"b" :3}]}', ['b']],
    // Colons of texts are no names.
    ['{"a":"2026-03-02T08:00:00","b":"\\": \\" :"}', []],
    ['{"a":1,"\\u0061":2}', ['a']],
  ])('finds those of %j', (json, names) => {
    const found = names.map((name) => `${name} is repeated; its last value counts.`);
    expect(repeatedFields(json, JSON.parse(json) as object)).toEqual(found);
  });
});
