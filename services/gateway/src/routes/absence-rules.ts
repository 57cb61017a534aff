import { absenceRulesV1 } from '@stechuhr/contracts';
import { isUuid, pageOf } from '@stechuhr/kernel';
import { formatLocalDate } from '@stechuhr/worktime';
import { ask } from '../clients/services.js';
import { pageAnswer } from '../http/links.js';
import { present, wordFor } from '../openapi/shape.js';
import { readJsonBody, readJudgedBody } from '../middleware/json-body.js';
import { BASE_PATH, type CallerExchange, type CallerRoute } from './route.js';

interface Dependencies {
  readonly absenceRules: absenceRulesV1.AbsenceRulesServiceClient;
}

const GROUP = 'timestamps/absence-rules';
const LIST_PATH = `${BASE_PATH}${GROUP}/`;

export function absenceRuleRoutes(dependencies: Dependencies): CallerRoute[] {
  const list: CallerRoute = {
    path: LIST_PATH,
    name: 'Absence Rules',
    description: 'Rules that grant employees days of absence: manual ones, and those generated from their settings.',
    authenticated: true,
    group: GROUP,
    operations: {
      GET: { scope: 'absence_rules:view', jsonOnly: true, handle: (exchange) => listRules(dependencies, exchange) },
      POST: { scope: 'absence_rules:add', jsonOnly: true, handle: (exchange) => createRule(dependencies, exchange) },
    },
  };
  const replace = {
    scope: 'absence_rules:edit',
    jsonOnly: true,
    handle: (exchange: CallerExchange) => updateRule(dependencies, exchange),
  } as const;
  const detail: CallerRoute = {
    path: `${LIST_PATH}:id/`,
    matches: ({ id }) => typeof id === 'string' && isUuid(id),
    name: 'Absence Rule',
    description: 'One manual absence rule.',
    authenticated: true,
    operations: {
      GET: { scope: 'absence_rules:view', jsonOnly: true, handle: (exchange) => answerRule(dependencies, exchange) },
      PUT: replace,
      PATCH: replace,
      DELETE: { scope: 'absence_rules:delete', jsonOnly: true, handle: (exchange) => deleteRule(dependencies, exchange) },
    },
  };
  return [list, detail];
}

async function listRules({ absenceRules }: Dependencies, { answer, signal, principal, query, publicBase }: CallerExchange): Promise<void> {
  const page = pageOf(query.limit, query.offset);
  const message = { caller: principal.caller, parameters: query, ...page };
  const { count, rules } = await ask(absenceRules, absenceRules.listRules, message, { signal, idempotent: true });
  return answer(pageAnswer(`${publicBase}${LIST_PATH}`, query, { ...page, count, results: rules.map(toJson) }));
}

async function createRule({ absenceRules }: Dependencies, exchange: CallerExchange): Promise<void> {
  const { answer, signal, principal } = exchange;
  const json = await readJsonBody(exchange);
  const { rule } = await ask(absenceRules, absenceRules.createRule, { caller: principal.caller, json }, { signal });
  return answer(toJson(rule), 201);
}

async function answerRule(dependencies: Dependencies, exchange: CallerExchange): Promise<void> {
  return exchange.answer(toJson(await findRule(dependencies, exchange)));
}

/** Updates a rule. Its existence is checked before the body. PATCH requires the whole body, too (spec, Absence rules). */
async function updateRule(dependencies: Dependencies, exchange: CallerExchange): Promise<void> {
  const { answer, signal, principal } = exchange;
  const { absenceRules } = dependencies;
  const json = await readJudgedBody(exchange, () => findRule(dependencies, exchange));
  const message = { caller: principal.caller, ruleId: idOf(exchange), json };
  const { rule } = await ask(absenceRules, absenceRules.updateRule, message, { signal, idempotent: true });
  return answer(toJson(rule));
}

async function deleteRule({ absenceRules }: Dependencies, exchange: CallerExchange): Promise<void> {
  const { response, signal, principal } = exchange;
  await ask(absenceRules, absenceRules.deleteRule, { caller: principal.caller, ruleId: idOf(exchange) }, { signal });
  response.status(204).end();
}

async function findRule({ absenceRules }: Dependencies, exchange: CallerExchange): Promise<absenceRulesV1.Rule | undefined> {
  const { signal, principal } = exchange;
  const message = { caller: principal.caller, ruleId: idOf(exchange) };
  return (await ask(absenceRules, absenceRules.getRule, message, { signal, idempotent: true })).rule;
}

function idOf({ request }: CallerExchange): string {
  return String(request.params.id).toLowerCase();
}

/** Returns a rule with its fields in the order of the spec. */
function toJson(rule: absenceRulesV1.Rule | undefined): object {
  const fields = present(rule, 'rule');
  return {
    id: fields.id,
    employee_id: fields.employeeId,
    label: fields.label,
    missing_type: fields.missingType,
    amount: twoDecimals(fields.amountHundredths),
    priority: fields.priority,
    available_from: formatLocalDate(fields.availableFrom),
    expires_at: formatLocalDate(fields.expiresAt),
    source: wordFor(sources, fields.source),
  };
}

function twoDecimals(hundredths: number): string {
  return `${String(Math.floor(hundredths / 100))}.${String(hundredths % 100).padStart(2, '0')}`;
}

const { RuleSource } = absenceRulesV1;

const sources = { [RuleSource.RULE_SOURCE_MANUAL]: 'manual', [RuleSource.RULE_SOURCE_SETTING]: 'setting' };
