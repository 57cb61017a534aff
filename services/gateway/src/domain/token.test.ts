import { describe, expect, it } from '@jest/globals';
import { grants, isScope, type Needed, type Rights } from './token.js';

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
