import { ListParameters, listOrders, readJson } from '@stechuhr/contracts';
import { isUuid, pageOf } from '@stechuhr/kernel';
import { shownToken } from '../domain/token-json.js';
import { pageAnswer } from '../http/links.js';
import { readJsonBody } from '../middleware/json-body.js';
import type { IssuePorts } from '../operations/issue-token.js';
import { findOwnToken, issueOwnToken, revokeOwnToken } from '../operations/own-tokens.js';
import type { RevocationPorts } from '../operations/revoke-token.js';
import { BASE_PATH, type CallerExchange, type CallerRoute } from './route.js';

type Ports = IssuePorts & RevocationPorts;

const GROUP = 'tokens';
const LIST_PATH = `${BASE_PATH}${GROUP}/`;

/** Returns the routes for the tokens of the caller's account. */
export function tokenRoutes(ports: Ports): CallerRoute[] {
  const list: CallerRoute = {
    path: LIST_PATH,
    name: 'Tokens',
    description: 'The tokens of your account.',
    authenticated: true,
    group: GROUP,
    operations: {
      GET: { strictScope: 'tokens:view', jsonOnly: true, handle: (exchange) => listTokens(ports, exchange) },
      POST: { strictScope: 'tokens:edit', jsonOnly: true, handle: (exchange) => createToken(ports, exchange) },
    },
  };
  const detail: CallerRoute = {
    path: `${LIST_PATH}:id/`,
    matches: ({ id }) => typeof id === 'string' && isUuid(id),
    name: 'Token',
    description: 'One token of your account.',
    authenticated: true,
    operations: {
      GET: { strictScope: 'tokens:view', jsonOnly: true, handle: (exchange) => answerToken(ports, exchange) },
      DELETE: { strictScope: 'tokens:edit', jsonOnly: true, handle: (exchange) => deleteToken(ports, exchange) },
    },
  };
  return [list, detail];
}

/** Lists the tokens of the account. There are few, so all of them are read and then paginated. */
async function listTokens({ tokens }: Ports, { answer, principal, query, publicBase }: CallerExchange): Promise<void> {
  const parameters = new ListParameters(query);
  const [order] = parameters.order(listOrders.tokens);
  parameters.throwIfAny();
  const { limit, offset } = pageOf(query.limit, query.offset);
  const own = await tokens.listOwn(principal.caller);
  const ordered = order?.descending === true ? own.toReversed() : own;
  const results = ordered.slice(offset, offset + limit).map(shownToken);
  return answer(pageAnswer(`${publicBase}${LIST_PATH}`, query, { count: own.length, limit, offset, results }));
}

async function createToken(ports: Ports, exchange: CallerExchange): Promise<void> {
  const { answer, principal } = exchange;
  const { secret, token } = await issueOwnToken(ports, principal, readJson(await readJsonBody(exchange)));
  const { id, ...shown } = shownToken(token);
  return answer({ id, token: secret, ...shown }, 201);
}

async function answerToken(ports: Ports, exchange: CallerExchange): Promise<void> {
  return exchange.answer(shownToken(await findOwnToken(ports, exchange.principal, idOf(exchange))));
}

async function deleteToken(ports: Ports, exchange: CallerExchange): Promise<void> {
  await revokeOwnToken(ports, exchange.principal, idOf(exchange));
  exchange.response.status(204).end();
}

function idOf({ request }: CallerExchange): string {
  return String(request.params.id).toLowerCase();
}
