import { describe, expect, it } from '@jest/globals';
import { type GrantedScopes, grants, isScope, type Scope } from './token.js';

describe('grants', () => {
  it.each<[GrantedScopes, Scope | undefined, boolean]>([
    [null, 'daily_reports:approve', true],
    [null, undefined, true],
    [['absence_rules:view'], undefined, true],
    [['absence_rules:view'], 'absence_rules:view', true],
    [['absence_rules:view'], 'absence_rules:add', false],
    [['daily_reports:edit'], 'daily_reports:view', false],
  ])('scopes %j for an endpoint that needs %j: %j', (granted, needed, allowed) => {
    expect(grants(granted, needed)).toBe(allowed);
  });
});

describe('isScope', () => {
  it.each([
    ['daily_reports:view', true],
    ['Daily_Reports:view', false],
    ['absence_rules', false],
    ['', false],
  ])('%j: %j', (text, known) => {
    expect(isScope(text)).toBe(known);
  });
});
