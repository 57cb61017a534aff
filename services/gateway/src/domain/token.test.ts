import { describe, expect, it } from '@jest/globals';
import { excessOf, grants, isScope, type Needed, type Rights } from './token.js';

describe('grants', () => {
  const lax = (...scopes: NonNullable<Rights['scopes']>): Rights => ({ scopes, strict: false });
  const strict = (...scopes: NonNullable<Rights['scopes']>): Rights => ({ scopes, strict: true });
  it.each<[Rights, Needed, boolean]>([
    [{ scopes: null, strict: false }, { scope: 'daily_reports:approve' }, true],
    [{ scopes: null, strict: false }, { strictScope: 'exports:run' }, true],
    [{ scopes: null, strict: false }, {}, true],
    [lax('absence_rules:view'), {}, true],
    [lax('absence_rules:view'), { strictScope: 'exports:run' }, true],
    [lax('absence_rules:view'), { scope: 'absence_rules:view' }, true],
    [lax('absence_rules:view'), { scope: 'absence_rules:add' }, false],
    [lax('daily_reports:edit'), { scope: 'daily_reports:view' }, false],
    [strict('absence_rules:view'), { scope: 'absence_rules:view' }, true],
    [strict('absence_rules:view'), { scope: 'absence_rules:add' }, false],
    [strict('absence_rules:view'), { strictScope: 'exports:run' }, false],
    [strict('exports:run'), { strictScope: 'exports:run' }, true],
    [strict('exports:run'), { strictScope: null }, true],
    [strict('exports:run'), {}, false],
    [{ scopes: null, strict: true }, { strictScope: 'exports:run' }, false],
  ])('%j for an operation that needs %j: %j', (rights, needed, allowed) => {
    expect(grants(rights, needed)).toBe(allowed);
  });
});

describe('excessOf', () => {
  const all: Rights = { scopes: null, strict: false };
  const lax = (...scopes: NonNullable<Rights['scopes']>): Rights => ({ scopes, strict: false });
  const strict = (...scopes: NonNullable<Rights['scopes']>): Rights => ({ scopes, strict: true });
  it.each<[Rights, Rights, readonly string[]]>([
    [all, all, []],
    [lax('daily_reports:view'), all, []],
    [strict('exports:run'), all, []],
    [all, lax('daily_reports:view'), ['unrestricted']],
    [lax('daily_reports:view'), lax('daily_reports:view', 'daily_reports:edit'), []],
    [lax('daily_reports:view', 'daily_reports:edit'), lax('daily_reports:view'), ['daily_reports:edit']],
    [strict('daily_reports:view', 'exports:run'), lax('daily_reports:view'), []],
    [strict('daily_reports:edit', 'exports:run'), lax('daily_reports:view'), ['daily_reports:edit']],
    [all, strict('exports:run'), ['unrestricted']],
    [lax('daily_reports:view'), strict('daily_reports:view'), ['unrestricted']],
    [strict('exports:run'), strict('exports:run', 'tokens:edit'), []],
    [strict('exports:run', 'tasks:view'), strict('exports:run', 'tokens:edit'), ['tasks:view']],
  ])('what %j may that %j may not: %j', (rights, other, excess) => {
    expect(excessOf(rights, other)).toEqual(excess);
  });
});

describe('isScope', () => {
  it.each([
    ['daily_reports:view', true],
    ['suppressions:edit', true],
    ['Daily_Reports:view', false],
    ['absence_rules', false],
    ['', false],
  ])('%j: %j', (text, known) => {
    expect(isScope(text)).toBe(known);
  });
});
