import { judgeBody } from '@stechuhr/contracts';
import { AppError, type FieldErrors } from '@stechuhr/kernel';
import { tokenBody } from '../domain/token-body.js';
import { localTime } from '../domain/token-json.js';
import { type JudgedTokenRequest, judgeTokenRequest, type TokenRequest } from '../domain/token-request.js';
import { excessOf, invalidToken, isUsable, type Token } from '../domain/token.js';
import type { Principal } from './authenticate.js';
import { issueJudged, type Issued, type IssuePorts } from './issue-token.js';
import { type RevocationPorts, revokeToken } from './revoke-token.js';

/** The maximum number of tokens of an account, including those that were revoked or expired within the last {@link LAPSED_MS}. */
const MAX_TOKENS_PER_ACCOUNT = 100;
const LAPSED_MS = 30 * 86_400_000;

type Ports = IssuePorts & RevocationPorts;

/** Returns a token of the caller's account. @throws AppError `not_found` */
export async function findOwnToken({ tokens }: Pick<Ports, 'tokens'>, { caller }: Principal, id: string): Promise<Token> {
  const own = await tokens.listOwn(caller);
  const token = own.find((candidate) => candidate.id === id);
  if (token === undefined) throw new AppError('not_found', 'Not found.');
  return token;
}

/**
 * Issues a token for the caller's account with no more permissions than the requesting token and no longer validity. The requesting token
 * is stored with it, so that tokens issued with a leaked token can be found.
 *
 * @throws AppError `invalid`; `unauthenticated` if the requesting token was revoked meanwhile
 */
export async function issueOwnToken(ports: Ports, principal: Principal, body: unknown): Promise<Issued> {
  const request = judgeOwnRequest(principal, body, ports.clock.now());
  await ports.tokens.removeLapsed(principal.caller, ports.clock.now() - LAPSED_MS);
  const { institutionId } = principal.caller;
  const issued = await issueJudged(ports, request, { id: principal.tokenId, institutionId, maxTokens: MAX_TOKENS_PER_ACCOUNT });
  // Checked only now: whoever revokes a leaked token then looks for those that it has issued, and would not find one that is issued later.
  const requesting = await ports.tokens.findById(principal.tokenId);
  if (requesting !== undefined && isUsable(requesting, ports.clock.now())) return issued;
  await revokeToken(ports, issued.token.id);
  throw invalidToken();
}

/**
 * Revokes a token of the caller's account: the requesting token itself or one with no more permissions. @throws AppError `not_found`,
 * `forbidden`
 */
export async function revokeOwnToken(ports: Ports, principal: Principal, id: string): Promise<void> {
  const token = await findOwnToken(ports, principal, id);
  if (token.id !== principal.tokenId && excessOf(token, principal).length > 0) {
    throw new AppError('forbidden', 'You do not have permission to perform this action.');
  }
  await revokeToken(ports, token.id);
}

function judgeOwnRequest(principal: Principal, body: unknown, now: number): JudgedTokenRequest {
  const { values, errors } = judgeBody(tokenBody, body);
  const problems: Record<string, readonly string[]> = { ...errors };
  const { accountId } = principal.caller;
  const rights = { scopes: values.scopes ?? principal.scopes, strict: values.strict ?? principal.strict };
  // Judged separately, so that a problem of one does not hide those of the other.
  const judged = judgedOrProblems({ accountId, name: values.name ?? null, ...rights }, problems);
  const dated = judgedOrProblems({ accountId, expiresAt: values.expires_at ?? null }, problems);
  const excess = judged === undefined ? [] : excessOf(judged, principal);
  report(
    problems,
    'scopes',
    excess.map((scope) => MESSAGES.excess(scope)),
  );
  const expiresAt = dated?.expiresAt ?? principal.expiresAt;
  report(problems, 'expires_at', expiryProblems(expiresAt, principal.expiresAt, now));
  if (judged === undefined || Object.keys(problems).length > 0) throw AppError.invalid(problems satisfies FieldErrors);
  return { ...judged, expiresAt };
}

const MESSAGES = {
  excess: (scope: string) =>
    scope === 'unrestricted'
      ? 'The requesting token is restricted, so the new one has to be restricted to as much or less, and strict if the requesting one is.'
      : `"${scope}" is not granted to the requesting token.`,
};

/** Validates the request as a whole; its problems are added to `problems`. */
function judgedOrProblems(request: TokenRequest, problems: Record<string, readonly string[]>): JudgedTokenRequest | undefined {
  try {
    return judgeTokenRequest(request);
  } catch (caught) {
    if (!(caught instanceof AppError) || caught.code !== 'invalid') throw caught;
    for (const [field, messages] of Object.entries(caught.details ?? {})) report(problems, field, messages as readonly string[]);
    return undefined;
  }
}

function report(problems: Record<string, readonly string[]>, field: string, messages: readonly string[]): void {
  if (messages.length > 0 && problems[field] === undefined) problems[field] = messages;
}

function expiryProblems(expiresAt: number | null, latest: number | null, now: number): readonly string[] {
  if (expiresAt !== null && expiresAt <= now) return ['The token would have expired already.'];
  if (latest === null || (expiresAt !== null && expiresAt <= latest)) return [];
  return [`A token cannot be valid for longer than the requesting one, which expires at ${localTime(latest) ?? ''}.`];
}
