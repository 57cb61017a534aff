import { describe, expect, it } from '@jest/globals';
import { judgeTokenRequest, type TokenRequest } from './token-request.js';

const ACCOUNT = '0b9d3f44-1111-4222-8333-444455556666';

function problemsOf(request: TokenRequest): unknown {
  try {
    return judgeTokenRequest(request);
  } catch (caught) {
    return caught instanceof Error && 'details' in caught ? caught.details : caught;
  }
}

describe('judgeTokenRequest', () => {
  it('accepts only an account: the token is unnamed, unrestricted and never expires', () => {
    expect(judgeTokenRequest({ accountId: ACCOUNT.toUpperCase() })).toEqual({
      accountId: ACCOUNT,
      institutionId: null,
      name: null,
      scopes: null,
      strict: false,
      expiresAt: null,
    });
  });

  it('trims the name and removes repeated scopes', () => {
    const scopes = ['daily_reports:view', 'absence_rules:add', 'daily_reports:view'];
    expect(judgeTokenRequest({ accountId: ACCOUNT, name: ' Lohn ', scopes })).toMatchObject({
      name: 'Lohn',
      scopes: ['daily_reports:view', 'absence_rules:add'],
    });
  });

  it('accepts scopes of every group for a strict token', () => {
    const scopes = ['exports:run', 'daily_reports:view'];
    expect(judgeTokenRequest({ accountId: ACCOUNT, scopes, strict: true })).toMatchObject({ scopes, strict: true });
  });

  it('counts characters of a name, not UTF-16 units', () => {
    const name = '🏗'.repeat(255);
    expect(judgeTokenRequest({ accountId: ACCOUNT, name }).name).toBe(name);
  });

  it.each([
    ['2026-01-15T12:00:00', '2026-01-15T11:00:00Z'],
    ['2026-07-15T12:00', '2026-07-15T10:00:00Z'],
    ['2026-10-25T02:30:00', '2026-10-25T00:30:00Z'],
    ['2000-01-01T00:00:00', '1999-12-31T23:00:00Z'],
  ])('reads the expiry %s as %s', (expiresAt, instant) => {
    expect(judgeTokenRequest({ accountId: ACCOUNT, expiresAt }).expiresAt).toBe(Date.parse(instant));
  });

  it.each<[Partial<TokenRequest>, object]>([
    [{ accountId: 'x' }, { account_id: ['Must be a valid UUID.'] }],
    [{ name: '  ' }, { name: ['This field may not be blank.'] }],
    [{ name: 'a\0b' }, { name: ['Null characters are not allowed.'] }],
    [{ name: 'x'.repeat(256) }, { name: ['Ensure this field has no more than 255 characters.'] }],
    [{ scopes: [] }, { scopes: ['This list may not be empty.'] }],
    [{ scopes: ['', 'absence_rules:view', 'exports'] }, { scopes: ['"" is not a valid choice.', '"exports" is not a valid choice.'] }],
    [{ strict: true }, { scopes: ['A strict token needs scopes.'] }],
    [{ scopes: ['exports:run'] }, { scopes: ['"exports:run" restricts strict tokens only; others have it.'] }],
    [{ expiresAt: 'tomorrow' }, { expires_at: ['Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDTHH:MM:SS.'] }],
    [
      { expiresAt: '2026-01-15T12:00:00Z' },
      { expires_at: ['Datetime has wrong format. It is local time (Europe/Berlin) without Z or UTC offset.'] },
    ],
    [{ expiresAt: '2026-03-29T02:30:00' }, { expires_at: ['This local time does not exist.'] }],
    [{ expiresAt: '0001-01-01T00:00:00' }, { expires_at: ['Ensure this value is greater than or equal to 1970-01-01T00:00:00.'] }],
    [
      { accountId: '', name: '', scopes: ['x'] },
      {
        account_id: ['Must be a valid UUID.'],
        name: ['This field may not be blank.'],
        scopes: ['"x" is not a valid choice.'],
      },
    ],
  ])('refuses %j', (request, problems) => {
    expect(problemsOf({ accountId: ACCOUNT, ...request })).toEqual(problems);
  });
});
