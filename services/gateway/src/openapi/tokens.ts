import { listOrders } from '@stechuhr/contracts';
import { z } from 'zod';
import { tokenBody } from '../domain/token-body.js';
import { scopes } from '../domain/token.js';
import { json, type OperationDocs } from './operation-doc.js';
import { described, example, idInPath, order, page } from './parameters.js';
import { flag, localDateTime, pageExample, pageOf, text, uuid, word } from './values.js';

const tokenFields = {
  prefix: text('First characters of the token, by which you can recognise it.'),
  name: text('Purpose of the token.').nullable(),
  account_id: uuid('Id of the account on whose behalf the token acts.'),
  scopes: z
    .array(word(scopes, 'Scope.'))
    .meta({ description: 'Scopes to which the token is restricted; null means unrestricted.' })
    .nullable(),
  strict: flag('Whether the token may do only what its scopes allow.'),
  issued_by: uuid('Id of the token with which this token was issued; null if an operator issued it.').nullable(),
  created_at: localDateTime('When the token was issued.'),
  expires_at: localDateTime('When the token expires; null means never.').nullable(),
  last_used_at: localDateTime('When the token was last used, to the minute; null if never.').nullable(),
  revoked_at: localDateTime('When the token was revoked; null if it was not revoked.').nullable(),
};

const token: z.ZodType = z.object({ id: uuid('Id.'), ...tokenFields }).meta({ id: 'Token' });
const issuedToken: z.ZodType = z
  .object({ id: uuid('Id.'), token: text('The token itself. It is shown only in this response.'), ...tokenFields })
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
  name: text('Purpose of the token.'),
  scopes: text(
    'Scopes to which the new token is restricted. If omitted, those of the requesting token apply. For a token that is not strict, only the scopes of absence rules and daily reports are restrictions.',
  ),
  strict: text('Whether the token may do only what its scopes allow. If omitted, the value of the requesting token applies.'),
  expires_at: text('When the token expires, in local time: `YYYY-MM-DDTHH:MM:SS`. If omitted, the value of the requesting token applies.'),
});
const tokenPath = idInPath('Id of the token.', TOKEN_ID);

export const tokenDocs: OperationDocs = {
  'GET /tokens/': {
    id: 'listTokens',
    summary: 'List the tokens of your account',
    description:
      'Tokens of your account, oldest first, including revoked and expired tokens. The tokens themselves are not stored and never shown.',
    query: z.object({ order: order(listOrders.tokens), ...page }),
    answers: { 200: { description: 'One page of the list.', content: json(pageOf(token), pageExample(tokenSample)) } },
    problems: { $query: ['"name" is not a valid ordering field.'] },
  },
  'POST /tokens/': {
    id: 'createToken',
    summary: 'Issue a token for your account',
    description:
      'The new token has no more permissions than the requesting token, and is valid no longer: its scopes are among those of the requesting ' +
      'token, it is strict if the requesting token is strict, and it expires no later. To replace a token, issue a new token with it and then ' +
      'revoke the old one.',
    body: { schema: described(tokenBody, bodyWords), example: bodySample },
    answers: {
      201: {
        description: 'The token, which is shown only once.',
        content: json(issuedToken, { id: TOKEN_ID, token: `stu_iN1o${'x'.repeat(45)}`, ...shownSample }),
      },
    },
    problems: { name: ['This field is required.'], scopes: ['"exports:run" is not granted to the requesting token.'] },
  },
  'GET /tokens/{id}/': {
    id: 'getToken',
    summary: 'Get one token',
    description: 'Returns the data of a token of your account, but not the token itself.',
    path: tokenPath,
    answers: { 200: { description: 'The token.', content: json(token, tokenSample) } },
  },
  'DELETE /tokens/{id}/': {
    id: 'revokeToken',
    summary: 'Revoke a token',
    description:
      'The revoked token stops working immediately. A token can revoke itself. It can also revoke other tokens of its account that have no more permissions than itself.',
    path: tokenPath,
    answers: { 204: { description: 'Revoked.' } },
  },
};
