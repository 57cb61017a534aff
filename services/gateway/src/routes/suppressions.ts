import type { reviewsV1 } from '@stechuhr/contracts';
import { isUuid, pageOf } from '@stechuhr/kernel';
import { formatLocalDate, formatLocalDateTime } from '@stechuhr/worktime';
import { ask } from '../clients/services.js';
import { pageAnswer } from '../http/links.js';
import { dateOf, present } from '../openapi/shape.js';
import { readJsonBody, readJudgedBody } from '../middleware/json-body.js';
import { BASE_PATH, type CallerExchange, type CallerRoute } from './route.js';

interface Dependencies {
  readonly reviews: reviewsV1.ReviewsServiceClient;
}

const GROUP = 'reviews/suppressions';
const LIST_PATH = `${BASE_PATH}${GROUP}/`;

export function suppressionRoutes(dependencies: Dependencies): CallerRoute[] {
  const list: CallerRoute = {
    path: LIST_PATH,
    name: 'Suppressions',
    description: 'Rules that hide findings of a check in a range of days.',
    authenticated: true,
    group: GROUP,
    operations: {
      GET: { strictScope: 'reviews:view', jsonOnly: true, handle: (exchange) => listRules(dependencies, exchange) },
      POST: { strictScope: 'suppressions:edit', jsonOnly: true, handle: (exchange) => createRule(dependencies, exchange) },
    },
  };
  const detail: CallerRoute = {
    path: `${LIST_PATH}:id/`,
    matches: ({ id }) => typeof id === 'string' && isUuid(id),
    name: 'Suppression',
    description: 'One suppression rule.',
    authenticated: true,
    operations: {
      GET: { strictScope: 'reviews:view', jsonOnly: true, handle: (exchange) => answerRule(dependencies, exchange) },
      PATCH: { strictScope: 'suppressions:edit', jsonOnly: true, handle: (exchange) => updateRule(dependencies, exchange) },
      DELETE: { strictScope: 'suppressions:edit', jsonOnly: true, handle: (exchange) => deleteRule(dependencies, exchange) },
    },
  };
  return [list, detail];
}

async function listRules({ reviews }: Dependencies, { answer, signal, principal, query, publicBase }: CallerExchange): Promise<void> {
  const page = pageOf(query.limit, query.offset);
  const message = { caller: principal.caller, parameters: query, ...page };
  const { count, suppressions } = await ask(reviews, reviews.listSuppressions, message, { signal, idempotent: true });
  return answer(pageAnswer(`${publicBase}${LIST_PATH}`, query, { ...page, count, results: suppressions.map(toJson) }));
}

async function createRule({ reviews }: Dependencies, exchange: CallerExchange): Promise<void> {
  const { answer, signal, principal } = exchange;
  const message = { caller: principal.caller, json: await readJsonBody(exchange) };
  const { suppression, created } = await ask(reviews, reviews.createSuppression, message, { signal });
  return answer(toJson(suppression), created ? 201 : 200);
}

async function answerRule(dependencies: Dependencies, exchange: CallerExchange): Promise<void> {
  return exchange.answer(toJson(await findRule(dependencies, exchange)));
}

/** Updates a rule. Its existence is checked before the body. */
async function updateRule(dependencies: Dependencies, exchange: CallerExchange): Promise<void> {
  const { answer, signal, principal } = exchange;
  const { reviews } = dependencies;
  const json = await readJudgedBody(exchange, () => findRule(dependencies, exchange));
  const message = { caller: principal.caller, suppressionId: idOf(exchange), json };
  const { suppression } = await ask(reviews, reviews.updateSuppression, message, { signal, idempotent: true });
  return answer(toJson(suppression));
}

async function deleteRule({ reviews }: Dependencies, exchange: CallerExchange): Promise<void> {
  const { response, signal, principal } = exchange;
  await ask(reviews, reviews.deleteSuppression, { caller: principal.caller, suppressionId: idOf(exchange) }, { signal });
  response.status(204).end();
}

async function findRule({ reviews }: Dependencies, exchange: CallerExchange): Promise<reviewsV1.Suppression | undefined> {
  const { signal, principal } = exchange;
  const message = { caller: principal.caller, suppressionId: idOf(exchange) };
  return (await ask(reviews, reviews.getSuppression, message, { signal, idempotent: true })).suppression;
}

function idOf({ request }: CallerExchange): string {
  return String(request.params.id).toLowerCase();
}

/** Returns a rule with its fields in the order of the spec. */
function toJson(rule: reviewsV1.Suppression | undefined): object {
  const fields = present(rule, 'rule');
  return {
    id: fields.id,
    code: fields.code,
    employee_id: fields.employeeId ?? null,
    valid_from: formatLocalDate(fields.validFrom),
    valid_to: dateOf(fields.validTo),
    created_at: formatLocalDateTime(fields.createdAt),
    modified_at: formatLocalDateTime(fields.modifiedAt),
  };
}
