import { listOrders } from '@stechuhr/contracts';
import { z } from 'zod';
import { tokenBody } from '../domain/token-body.js';
import { scopes } from '../domain/token.js';
import { json, type OperationDocs } from './operation-doc.js';
import { described, example, idInPath, order, page } from './parameters.js';
import { flag, localDateTime, pageExample, pageOf, text, uuid, word } from './values.js';

const tokenFields = {
  prefix: text('The start of the token, by which it can be recognised.'),
  name: text('What the token is for.').nullable(),
  account_id: uuid('Account on whose behalf the token acts.'),
  scopes: z.array(word(scopes, 'Scope.')).meta({ description: 'What the token is restricted to; null means unrestricted.' }).nullable(),
  strict: flag('Whether the token may do only what its scopes name.'),
  issued_by: uuid('Token with which it was issued; null if it was issued by an operator.').nullable(),
  created_at: localDateTime('When it was issued.'),
  expires_at: localDateTime('When it stops working; null means never.').nullable(),
  last_used_at: localDateTime('Last use, to the minute; null if there was none.').nullable(),
  revoked_at: localDateTime('When it was revoked; null if it was not.').nullable(),
};

const token: z.ZodType = z.object({ id: uuid('Id.'), ...tokenFields }).meta({ id: 'Token' });
const issuedToken: z.ZodType = z
  .object({ id: uuid('Id.'), token: text('The token itself. It is shown only in this answer.'), ...tokenFields })
  .meta({ id: 'IssuedToken' });

const TOKEN_ID = 'c9e1a3b5-7d9f-4c1e-8a3b-5d7f9c1e3a42';

const bodySample = { name: 'Lohnbüro', scopes: ['exports:run', 'tasks:view'], strict: true, expires_at: '2099-12-31T23:59:59' };
const { expires_at, ...givenSample } = bodySample;
const shownSample = {
  prefix: 'stu_iN1o',
  ...givenSample,
  account_id: example.account,
  issued_by: null,
  created_at: '2026-11-02T08:00:00',
  expires_at,
  last_used_at: null,
  revoked_at: null,
};
const tokenSample = { id: TOKEN_ID, ...shownSample };
const bodyWords = z.object({
  name: text('What the token is for.'),
  scopes: text(
    'Restrictions; if left out, those of the asking token. A token that is not strict is restricted by the scopes of absence rules and daily reports only.',
  ),
  strict: text('Whether the token may do only what its scopes name; if left out, as the asking token.'),
  expires_at: text('`YYYY-MM-DDTHH:MM:SS`, local time; if left out, as the asking token.'),
});
const tokenPath = idInPath('Id of the token.', TOKEN_ID);

export const tokenDocs: OperationDocs = {
  'GET /tokens/': {
    id: 'listTokens',
    summary: 'List the tokens of your account',
    description: 'Oldest first, with revoked and expired ones. The tokens themselves are not stored and never shown.',
    query: z.object({ order: order(listOrders.tokens), ...page }),
    answers: { 200: { description: 'One page.', content: json(pageOf(token), pageExample(tokenSample)) } },
    problems: { $query: ['"name" is not a valid ordering field.'] },
  },
  'POST /tokens/': {
    id: 'createToken',
    summary: 'Issue a token for your account',
    description:
      'The new token may do no more than the asking one, and not for longer: its scopes are among those of the asking token, it is strict if that one is, and it expires no later. ' +
      'To replace a token, issue one with it, and then revoke it.',
    body: { schema: described(tokenBody, bodyWords), example: bodySample },
    answers: {
      201: {
        description: 'The token, which is shown only once.',
        content: json(issuedToken, { id: TOKEN_ID, token: `stu_iN1o${'x'.repeat(45)}`, ...shownSample }),
      },
    },
    problems: { name: ['This field is required.'], scopes: ['"exports:run" is not granted to the asking token.'] },
  },
  'GET /tokens/{id}/': {
    id: 'getToken',
    summary: 'Get one token',
    description: 'A token of your account, without the token itself.',
    path: tokenPath,
    answers: { 200: { description: 'The token.', content: json(token, tokenSample) } },
  },
  'DELETE /tokens/{id}/': {
    id: 'revokeToken',
    summary: 'Revoke a token',
    description: 'It stops working at once. A token can revoke itself and those of its account that may do no more than it may.',
    path: tokenPath,
    answers: { 204: { description: 'Revoked.' } },
  },
};
