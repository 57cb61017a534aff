import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { untilAvailable } from '@stechuhr/testing';
import { Scene, sceneOrganization, send, type OperationRequest } from '../support/scene.js';
import { matrix, open } from '../authorization/table.js';
import { documentSchemas, type DocumentSchemas, type OpenApiDocument } from '../support/document-schemas.js';
import { call, query } from '../support/http.js';
import type { UsedPlatform } from '../support/platform.js';
import { sharedPlatform } from '../support/shared-platform.js';
import { anyBody, bodies, type Schema } from './values.js';

/** A fixed seed: every run sends the same requests, so that a run fails because of a change and not by chance. */
const SEED = 18_2026;
const RUNS = { read: 15, write: 20, removal: 2 };

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** Lists that show the effects of all operations. */
const CHANGED = [
  '/timestamps/absence-rules/?sources=manual',
  '/reviews/suppressions/',
  '/asynchronous-tasks/tasks/',
  '/daily-reports/entries/',
  '/daily-reports/reports/',
  '/tokens/',
  '/webhooks/',
];

const organization = sceneOrganization(73);
const { accounts, lines } = organization;

let platform: UsedPlatform;
let token: string;
let scene: Scene;
let document: OpenApiDocument;
let schemas: DocumentSchemas;

beforeAll(async () => {
  platform = await sharedPlatform();
  expect(await platform.importLines(lines)).toMatchObject({ rejected: [] });
  token = await platform.issueToken(accounts.own);
  scene = new Scene(organization, platform, token);
  document = (await call(`${platform.baseUrl}/openapi.json`)).json as OpenApiDocument;
  schemas = documentSchemas(document);
});
const resolve = (ref: string): Schema => {
  let found: unknown = document;
  for (const name of ref.replace(/^#\//, '').split('/')) found = (found as Readonly<Record<string, unknown>>)[name];
  return found as Schema;
};

function describedBy(operation: string): Described {
  const [method = '', path = ''] = operation.split(' ');
  const shared = path.replace(/^\/exports\/[^/]+\/$/, (own) => (own in document.paths ? own : '/exports/{exporter}/'));
  return (document.paths[shared] ?? {})[method.toLowerCase()] as unknown as Described;
}

/** Returns the lists that an operation may change: those of its service, and for a bundle of reports its task. */
function listsOf(operation: string): readonly string[] {
  const [, service = ''] = operation.split('/');
  const services = operation.includes('/bundles/') ? [service, 'asynchronous-tasks'] : [service];
  return CHANGED.filter((list) => services.includes(list.split('/')[1] ?? ''));
}

/** Reads lists that operations can change; all of them by default. */
async function state(lists: readonly string[] = CHANGED): Promise<string> {
  const texts = await Promise.all(lists.map(async (path) => (await call(`${platform.baseUrl}${path}`, { token })).text));
  // These values change with every request: signed URLs of photos, the last use of a token, and the failure time of a webhook.
  return texts.join('\n').replaceAll(/"(image|thumb)_url":"[^"]*"|"(last_used_at|failing_since)":(null|"[^"]*")/g, '');
}

/**
 * Returns `body` at odd positions. At even positions it returns the valid body with up to three fields replaced by those of `body`; the
 * first one is entirely valid.
 */
function mixed(good: object | undefined, body: unknown, at: number): unknown {
  if (good === undefined || at % 2 === 1 || typeof body !== 'object' || body === null) return body;
  return { ...good, ...Object.fromEntries(Object.entries(body).slice(0, (at / 2) % 4)) };
}

/** Returns a request with these parameters and this body. */
function requestOf(asked: OperationRequest, parameters: Readonly<Record<string, unknown>>, body: unknown): OperationRequest {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const texts = given.map(([name, value]): [string, string] => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
  const [path = '', known = ''] = asked.path.split('?');
  const all = [known, query(Object.fromEntries(texts))].filter((part) => part !== '').join('&');
  return { path: all === '' ? path : `${path}?${all}`, ...(body === undefined ? {} : { body: body as object }) };
}

/** Generates parameters and bodies for an operation, both valid and invalid ones. */
function inputsOf(operation: string): (readonly [Readonly<Record<string, unknown>>, unknown])[] {
  const { parameters = [], requestBody } = describedBy(operation);
  const named = parameters.map((each) => (each.$ref === undefined ? each : (resolve(each.$ref) as unknown as Parameter)));
  const properties = Object.fromEntries(named.filter((each) => each.in === 'query').map(({ name, schema }) => [name, schema]));
  const body = requestBody?.content['application/json']?.schema;
  const inputs = fc.tuple(bodies({ properties }, resolve), body === undefined ? fc.constant(undefined) : anyBody(body, resolve));
  const numRuns = body === undefined ? (operation.startsWith('DELETE') ? RUNS.removal : RUNS.read) : RUNS.write;
  return fc.sample(inputs, { seed: SEED, numRuns });
}

/** Sends a request and expects that the response matches the OpenAPI document. @returns the status */
async function judged(operation: string, request: OperationRequest, as: string | undefined = token): Promise<number> {
  const { status, headers, text, json } = await untilAvailable(() => send(platform, operation, request, as));
  const type = headers['content-type']?.split(';')[0];
  const problems = status >= 500 ? [text] : schemas.problems(describedBy(operation).operationId, status, type, json ?? text);
  expect({ ...request, status, problems }).toEqual({ ...request, status, problems: [] });
  return status;
}

/** Returns texts for path parameters: existing names and arbitrary texts. */
function namesFor(path: string): string[] {
  const known = path.startsWith('/exports/')
    ? ['generic', 'multi', 'payroll_a']
    : path.startsWith('/schemas/')
      ? ['employee', 'workday']
      : [];
  const broken = ['', ' ', '.', '..', '|', '\0', '%', '../../tokens', '__proto__', 'constructor', 'ä', '\ud83d\ude00', 'x'.repeat(2_000)];
  return [
    ...known,
    '00000000-0000-4000-8000-000000000000',
    ...broken,
    ...fc.sample(fc.string({ unit: 'binary' }), { seed: SEED, numRuns: 5 }),
  ];
}

/** Returns paths with replaced path parameters. */
const renamed = (path: string): string[] =>
  namesFor(path).map((name) => path.replaceAll(/\{\w+\}/g, encodeURIComponent(name.toWellFormed())));

/** Returns whether an operation has a request body. */
const takesBody = (operation: string): boolean => describedBy(operation).requestBody !== undefined;

const named = [...Object.keys(matrix), ...open].filter((operation) => operation.includes('{'));
const reads = Object.keys(matrix).filter((operation) => operation.startsWith('GET'));
const writes = Object.keys(matrix).filter((operation) => !operation.startsWith('GET'));

describe('for any input', () => {
  it.each(reads)('%s responds as documented', async (operation) => {
    const asked = await scene.requestFor(operation);
    for (const [given, body] of inputsOf(operation)) await judged(operation, requestOf(asked, given, body));
  });

  it.each(open)('%s responds as documented without a valid token', async (operation) => {
    const [, path = ''] = operation.split(' ');
    for (const [given] of inputsOf(operation)) {
      await judged(operation, requestOf({ path: path.replace(/\{\w+\}/, 'generic') }, given, undefined), 'stu_x');
    }
  });

  it.each(named)('%s does not fail with arbitrary path parameters', async (operation) => {
    const [, path = ''] = operation.split(' ');
    const before = await state();
    const body = /^(POST|PUT|PATCH)/.test(operation) ? { body: {} } : {};
    // The path may become that of another operation, so only failures are excluded.
    for (const each of renamed(path)) expect((await send(platform, operation, { path: each, ...body }, token)).status).toBeLessThan(500);
    expect(await state()).toBe(before);
  });

  it.each(writes)('%s responds as documented, and changes nothing if it rejects a request', async (operation) => {
    const statuses: number[] = [];
    const own = listsOf(operation);
    const others = CHANGED.filter((list) => !own.includes(list));
    let asked = await scene.requestFor(operation);
    const ofOthers = await state(others);
    let before = await state(own);
    for (const [at, [given, body]] of inputsOf(operation).entries()) {
      const request = requestOf(asked, given, mixed(asked.body, body, at));
      const status = await judged(operation, request);
      statuses.push(status);
      if (status >= 400) {
        expect({ ...request, status, hasChanged: (await state(own)) !== before }).toEqual({ ...request, status, hasChanged: false });
        continue;
      }
      // A deleted record is created again.
      if (operation.startsWith('DELETE')) asked = await scene.requestFor(operation);
      before = await state(own);
    }
    expect(await state(others)).toBe(ofOthers);
    // The test is meaningful only if some requests are valid and some are rejected.
    expect(statuses.some((status) => status < 300)).toBe(true);
    expect(statuses.some((status) => status >= 400)).toBe(takesBody(operation));
  });
});
