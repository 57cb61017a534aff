import { describe, expect, it } from '@jest/globals';
import { namedCustomFields } from './named-custom-fields.js';

describe('namedCustomFields', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['no field by default', {}, []],
    ['a column', { columns: 'last-name|custom.helmet|value' }, ['helmet']],
    ['a column with modifiers, once', { columns: 'custom.helmet:upper:as>Helm|custom.helmet:as>b' }, ['helmet']],
    ['an encoded name', { columns: 'custom.Gr%C3%B6%C3%9Fe|custom.a%7Cb' }, ['Größe', 'a|b']],
    ['a name with a decomposed letter', { columns: 'custom.Gro\u0308ße', filter: 'custom.Ma\u0308nner=1' }, ['Größe', 'Männer']],
    ['the position', { columns: 'position', filter: 'position!=Polier' }, ['position']],
    ['filters', { filter: 'custom.helmet=M|custom.x!=custom.y|last-name=custom.z' }, ['helmet', 'x']],
    ['what is only similar', { columns: 'customs.a|custom.|custom|type-position', filter: '=custom.a|custom.b' }, []],
  ])('finds %s', (_, parameters, fields) => {
    expect([...namedCustomFields('generic', parameters)]).toEqual(fields);
  });

  it('finds those of every part of multi, and of the request that they inherit from', () => {
    const config = JSON.stringify([{ columns: ['custom.a', 'value'] }, { filter: 'custom.b=1' }, { filter: ['custom.c!=1'] }, 7]);
    expect([...namedCustomFields('multi', { columns: 'custom.d', config })]).toEqual(['d', 'a', 'b', 'c']);
    expect([...namedCustomFields('multi', { config: '[' })]).toEqual([]);
  });
});
