import type { reviewsV1 } from '@stechuhr/contracts';
import { readStream, RUN_STALL_MS } from '@stechuhr/service';
import { formatLocalDate } from '@stechuhr/worktime';
import { ask } from '../clients/services.js';
import { JSON_HEADERS, jsonList, sendStream } from '../http/send-stream.js';
import { BASE_PATH, type CallerExchange, type CallerRoute } from './route.js';

interface Dependencies {
  readonly reviews: reviewsV1.ReviewsServiceClient;
}

const GROUP = 'reviews/reviews';
const RUN_PATH = `${BASE_PATH}${GROUP}/`;

export function reviewRoutes(dependencies: Dependencies): CallerRoute[] {
  return [
    {
      path: RUN_PATH,
      name: 'Reviews',
      description: 'Runs the plausibility and compliance checks over a calendar month.',
      authenticated: true,
      group: GROUP,
      operations: { GET: { strictScope: 'reviews:view', jsonOnly: true, handle: (exchange) => runReview(dependencies, exchange) } },
    },
    {
      path: `${RUN_PATH}checks/`,
      name: 'Checks',
      description: 'The checks that are active for the organization.',
      authenticated: true,
      operations: { GET: { strictScope: 'reviews:view', jsonOnly: true, handle: (exchange) => answerChecks(dependencies, exchange) } },
    },
    {
      path: `${RUN_PATH}groups/`,
      name: 'Finding Groups',
      description: 'The groups that findings belong to.',
      authenticated: true,
      operations: { GET: { strictScope: 'reviews:view', jsonOnly: true, handle: (exchange) => answerGroups(dependencies, exchange) } },
    },
  ];
}

/**
 * Runs a review. The number of findings is not limited, so they are streamed. The first message arrives when the run is complete, so an
 * earlier failure can still be answered with an error. HEAD is validated like a run but does not start one.
 */
async function runReview({ reviews }: Dependencies, { request, response, signal, principal, query }: CallerExchange): Promise<void> {
  const message = { caller: principal.caller, parameters: query, judgeOnly: request.method === 'HEAD' };
  const chunks = jsonList(readStream(reviews, reviews.runReview, message, { signal, stallMs: RUN_STALL_MS }), {
    start: ({ year, month }) => `{"year":${String(year)},"month":${String(month)},"findings":[`,
    items: ({ findings }) => findings.map(findingToJson),
  });
  await sendStream(response, { headers: JSON_HEADERS, chunks, signal });
}

async function answerChecks({ reviews }: Dependencies, { answer, signal, principal }: CallerExchange): Promise<void> {
  const { checks } = await ask(reviews, reviews.listChecks, { caller: principal.caller }, { signal, idempotent: true });
  return answer({ checks: checks.map(({ config, ...check }) => ({ ...labelsOf(check), config: valuesToJson(config) })) });
}

async function answerGroups({ reviews }: Dependencies, { answer, signal }: CallerExchange): Promise<void> {
  const { groups } = await ask(reviews, reviews.listGroups, {}, { signal, idempotent: true });
  return answer({ groups: groups.map(({ value, title, description }) => ({ value, title, description })) });
}

function labelsOf({ value, group, title, description }: Omit<reviewsV1.CheckDefinition, 'config'>) {
  return { value, group, title, description };
}

/** Returns a finding with its fields in the order of the spec. */
function findingToJson({ code, group, severity, date, references, context, details }: reviewsV1.Finding): object {
  return {
    code,
    group,
    severity,
    date: date === undefined ? null : formatLocalDate(date),
    references: references.map(({ type, id }) => [type, id]),
    context: valuesToJson(context),
    details,
  };
}

function valuesToJson(values: readonly reviewsV1.ContextValue[]): object {
  return Object.fromEntries(values.map(({ name, value }) => [name, value?.value]));
}
