import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateDemo } from '@stechuhr/demo-firm';
import { exporterNames } from '@stechuhr/exporting';
import { parseLocalDate } from '@stechuhr/worktime';
import { waitFor } from '@stechuhr/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { readConfig } from '../src/config.js';
import { createContext, type Context } from '../src/context.js';
import { operationDocs } from '../src/openapi/operations.js';
import { BASE_PATH, type Route } from '../src/routes/route.js';
import { routesOf } from '../src/service.js';
import { chromium, openTab, type Tab } from './support/browser.js';
import { startTestGateway, type TestGateway } from './support/gateway.js';
import { call } from './support/http.js';
import { collectLogs } from './support/logs.js';

interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Answer {
  readonly description: string;
  readonly content?: Readonly<Record<string, Content>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: { readonly enum?: readonly string[]; readonly type?: string };
}

interface Operation {
  readonly operationId: string;
  readonly 'x-codeSamples': readonly { readonly lang: string; readonly source: string }[];
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Answer | { readonly $ref: string }>>;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

interface Document {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Answer>>;
    readonly securitySchemes: object;
  };
}

let gateway: TestGateway;
let context: Context;
let document: Document;
let operations: readonly (readonly [string, Operation])[];

beforeAll(async () => {
  gateway = await startTestGateway();
  context = await createContext(readConfig(gateway.environment), collectLogs().logger);
  document = (await call(gateway.port, '/api/v2/openapi.json')).json as Document;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );
});
afterAll(async () => {
  await context.close();
  await gateway.stop();
});

/** Method and path of each operation of the routing table, in the notation of the document. */
function operationsOf(routes: readonly Route[]): string[] {
  return routes
    .filter(({ path, isAsset }) => path.startsWith(BASE_PATH) && isAsset !== true)
    .flatMap(({ path, operations: methods }) =>
      Object.keys(methods).map((method) => `${method} /${path.slice(BASE_PATH.length).replace(/:(\w+)/g, '{$1}')}`),
    );
}

/** Method and path of each operation of the document. A path parameter with a closed set of values is expanded. */
function expanded(): string[] {
  return operations.flatMap(([name, { parameters = [] }]) => {
    const open = parameters.find((one) => one.in === 'path' && one.schema.enum !== undefined);
    return open?.schema.enum?.map((value) => name.replace(`{${open.name}}`, value)) ?? [name];
  });
}

const bodiesOf = (holder: Readonly<Record<string, Content>> = {}) =>
  Object.values(holder).flatMap(({ schema, example, examples = {} }) =>
    [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value)].map((value) => ({ schema, value })),
  );

describe('the document', () => {
  it('needs no token, has no trailing slash and supports GET and HEAD', async () => {
    const path = '/api/v2/openapi.json';
    const answer = await call(gateway.port, path, { token: 'wrong' });
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } });
    expect(answer.json).toMatchObject({ openapi: '3.1.1', servers: [{ url: `http://127.0.0.1:${gateway.port}/api/v2` }] });
    expect(await call(gateway.port, path, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    expect(await call(gateway.port, path, { method: 'POST' })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
    expect(await call(gateway.port, `${path}/`)).toMatchObject({ status: 404 });
  });

  it('has every route of the routing table, and no others', () => {
    const routes = routesOf(context, () => true);
    expect(expanded().sort()).toEqual(operationsOf(routes).sort());
    expect(operations.map(([name]) => name).sort()).toEqual(Object.keys(operationDocs).sort());
  });

  it('describes every operation', () => {
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [name, { operationId, summary, description, parameters = [] }] of operations) {
      expect([name, operationId]).toEqual([name, expect.stringMatching(/^[a-z][A-Za-z]+$/)]);
      expect([name, summary, description]).toEqual([name, expect.stringMatching(/.{10}/), expect.stringMatching(/.{10}/)]);
      for (const parameter of parameters) {
        expect([name, parameter]).toEqual([name, expect.objectContaining({ description: expect.any(String), example: expect.anything() })]);
      }
    }
  });

  it('describes the token, the scopes and every response', () => {
    expect(document.components.securitySchemes).toMatchObject({ token: { in: 'header', name: 'Authorization' } });
    const statusesOf = (name: string) => Object.keys(operations.find(([one]) => one === name)?.[1].responses ?? {});
    expect(statusesOf('PUT /timestamps/absence-rules/{id}/')).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '406',
      '413',
      '415',
      '429',
      '500',
      '503',
    ]);
    expect(statusesOf('GET /exports/generic/')).toEqual(['200', '400', '401', '403', '429', '500', '503']);
    expect(statusesOf('GET /docs/')).toEqual(['200', '500']);
    const open = operations.filter(([, { security }]) => security?.length === 0).map(([name]) => name);
    expect(open).toEqual(expect.arrayContaining(['GET /openapi.json', 'GET /docs/', 'GET /exports/{exporter}/types/']));
    expect(open).toHaveLength(8);
  });

  it('has only examples that match their schemas', () => {
    const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true }));
    ajv.addSchema({ $id: 'openapi', ...document });
    const shared = Object.entries(document.components.responses);
    const own = operations.flatMap(([name, { requestBody, responses }]) => [
      ...bodiesOf(requestBody?.content).map((body) => ({ name, ...body })),
      ...Object.values(responses).flatMap((answer) =>
        '$ref' in answer ? [] : bodiesOf(answer.content).map((body) => ({ name, ...body })),
      ),
    ]);
    const parameters = operations.flatMap(([name, operation]) =>
      (operation.parameters ?? []).map(({ name: parameter, schema, example }) => ({
        name: `${name} ${parameter}`,
        schema,
        value: example,
      })),
    );
    const all = [...own, ...parameters, ...shared.flatMap(([name, { content }]) => bodiesOf(content).map((body) => ({ name, ...body })))];
    const judged = all.filter(({ schema }) => schema !== undefined);
    expect(judged.length).toBeGreaterThan(200);
    for (const { name, schema, value } of judged) {
      const validate = ajv.compile(absolute(schema ?? {}) as object);
      expect([name, validate(value), validate.errors]).toEqual([name, true, null]);
    }
  });
});

/** Properties of the document on which client generators depend. */
describe('generated clients', () => {
  const contents = () =>
    operations.flatMap(([name, { requestBody, responses }]) =>
      [requestBody?.content, ...Object.values(responses).map((answer) => ('$ref' in answer ? undefined : answer.content))].flatMap(
        (content = {}) => Object.entries(content).map(([type, body]) => ({ name, type, schema: body.schema })),
      ),
    );

  it('have a type for every body', () => {
    for (const { name, type, schema } of contents()) {
      if (type === 'application/json') continue;
      const expected = type.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' };
      expect([name, type, schema]).toEqual([name, type, expect.objectContaining(expected)]);
    }
  });

  it('have a name for every JSON body, including pages', () => {
    const isNamed = ({ $ref, anyOf, type, items }: Schema): boolean =>
      $ref !== undefined || (anyOf ?? []).some(isNamed) || (type === 'array' && items !== undefined && isNamed(items));
    const unnamed = contents().filter(({ type, schema }) => type === 'application/json' && schema !== undefined && !isNamed(schema));
    expect(unnamed.filter(({ schema }) => schema?.properties !== undefined && 'results' in schema.properties)).toEqual([]);
    expect(unnamed.map(({ name }) => name).filter((name) => name.startsWith('GET'))).toEqual([]);
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['AbsencePage', 'EmployeePage', 'DailyReportEntryPage']),
    );
  });

  it('know that a token with scopes has at least one', () => {
    const body = document.paths['/tokens/']?.post?.requestBody?.content['application/json']?.schema;
    expect(body?.properties?.scopes?.anyOf).toContainEqual(expect.objectContaining({ type: 'array', minItems: 1 }));
  });

  it('know that the priority of a rule may have more than 32 bits', () => {
    expect(document.components.schemas.AbsenceRule?.properties?.priority).toMatchObject({ type: 'integer', format: 'int64' });
  });

  it('have no type named after its position whose name is already taken', () => {
    const names = new Set(Object.keys(document.components.schemas));
    const made = Object.entries(document.components.schemas).flatMap(([name, schema]) => namesInside(schema, name));
    const parameters = operations.flatMap(([, { operationId, parameters: all = [] }]) =>
      all.map(({ name }) => pascal(operationId) + pascal(name)),
    );
    expect(made.length).toBeGreaterThan(10);
    expect([...made, ...parameters].filter((name) => names.has(name))).toEqual([]);
  });
});

/** Returns the name that generators derive for a schema without a name, from the words of its location. */
function namesInside({ properties = {}, items, anyOf = [] }: Schema, place: string): string[] {
  const fields = Object.entries(properties).flatMap(([field, schema]) => {
    const own = place + pascal(field);
    const inner = schema.items ?? schema;
    const isAnonymous = inner.$ref === undefined && (inner.enum !== undefined || inner.properties !== undefined);
    return [...(isAnonymous ? [own] : []), ...namesInside(schema, own)];
  });
  return [...fields, ...(items === undefined ? [] : namesInside(items, place)), ...anyOf.flatMap((one) => namesInside(one, place))];
}

function pascal(name: string): string {
  return name.replaceAll(/(?:^|[_-]+)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

describe('examples', () => {
  const inOctober = { seed: 'stechuhr', employees: 25, months: 4, today: parseLocalDate('2026-11-19') ?? 0, hasStarted: true };
  const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
  /** Created by clients, so that the demo organization has none. */
  const MADE = ['absenceRule', 'token', 'suppression', 'task', 'export', 'dailyReportEntries', 'dailyReportBundle', 'webhook'];

  it('are records of the demo organization', () => {
    const known = new Set(JSON.stringify([...generateDemo(inOctober).records]).match(UUID));
    const foreign = operations.flatMap(([, { operationId, ...operation }]) =>
      (JSON.stringify(operation).match(UUID) ?? []).filter((id) => !known.has(id)).map(() => operationId),
    );
    const isMade = (operationId: string) => MADE.some((name) => operationId.toLowerCase().includes(name.toLowerCase()));
    expect([...new Set(foreign)].filter((operationId) => !isMade(operationId))).toEqual([]);
  });

  it('of an export are the output of its own exporter', () => {
    for (const exporter of exporterNames) {
      const [, operation] = operations.find(([name]) => name === `GET /exports/${exporter}/`) ?? [];
      const named = [...JSON.stringify(operation?.responses).matchAll(/"exporter":"(\w+)"/g)].map(([, name]) => name);
      expect(named).toEqual([exporter]);
    }
    const files = exporterNames.map((exporter) => {
      const answer = operations.find(([name]) => name === `GET /exports/${exporter}/`)?.[1].responses['200'];
      return answer !== undefined && 'content' in answer ? answer.content['text/csv']?.example : undefined;
    });
    expect(new Set(files).size).toBe(exporterNames.length);
  });
});

/** Resolves references into the document for a schema that was extracted from it. */
function absolute(schema: object): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/'));
}

describe('the page', () => {
  it('loads only files of its own server, and its policy allows nothing else', async () => {
    const answer = await call(gateway.port, '/api/v2/docs/');
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(answer.headers['content-security-policy']).toContain("default-src 'none';script-src 'self';style-src 'self';");
    expect(answer.headers['content-security-policy']).not.toContain('unsafe');
    const loaded = [...answer.text.matchAll(/(?:src|href)="([a-z.-]+)"/g)].map(([, name]) => name ?? '');
    expect(loaded).toEqual(['swagger-ui.css', 'docs.css', 'swagger-ui-bundle.js', 'docs.js']);
    for (const name of loaded) {
      const { status, headers, text } = await call(gateway.port, `/api/v2/docs/${name}`);
      expect([name, status, headers['cache-control']]).toEqual([name, 200, 'public, max-age=3600']);
      expect(headers['content-type']).toBe(`text/${name.endsWith('.js') ? 'javascript' : 'css'}; charset=utf-8`);
      expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
    }
    const parts = [
      [{ range: 'bytes=0-3' }, 206, 'public, max-age=3600'],
      [{ range: 'bytes=99999999-' }, 416, 'no-store'],
      [{ 'if-match': '"x"' }, 412, 'no-store'],
    ] as const;
    for (const [headers, status, cached] of parts) {
      const answer = await call(gateway.port, '/api/v2/docs/swagger-ui-bundle.js', { headers });
      expect([answer.status, answer.headers['cache-control']]).toEqual([status, cached]);
    }
    expect(await call(gateway.port, '/api/v2/docs')).toMatchObject({ status: 301, headers: { location: '/api/v2/docs/' } });
    expect(await call(gateway.port, '/api/v2/docs/other.js')).toMatchObject({ status: 404 });
  });

  it('has samples of every operation in three languages', () => {
    for (const [name, { 'x-codeSamples': samples }] of operations) {
      expect([name, samples.map(({ lang }) => lang)]).toEqual([name, ['curl', 'Python', 'TypeScript']]);
      expect([name, samples.some(({ source }) => source.includes('undefined'))]).toEqual([name, false]);
    }
  });

  it('has samples that send the example of the body in each language', () => {
    for (const [name, { requestBody, 'x-codeSamples': samples }] of operations) {
      const body = requestBody?.content['application/json']?.example;
      const [curl = '', python = '', typeScript = ''] = samples.map(({ source }) => source);
      const literals = [
        /--json '(.*)'$/m.exec(curl)?.[1],
        /^ {4}json=(.*),$/m.exec(python)?.[1],
        /^ {2}body: (.*),$/m.exec(typeScript)?.[1],
      ];
      const sent = literals.map(
        (literal) => literal && (runInNewContext(`(${literal})`, { None: null, True: true, False: false }) as unknown),
      );
      // Objects of another context have other prototypes.
      expect([name, JSON.stringify(sent)]).toEqual([name, JSON.stringify([body, body, body])]);
    }
  });
});

(chromium === undefined ? describe.skip : describe)('the page in a browser', () => {
  let tab: Tab;
  const address = () => `http://127.0.0.1:${gateway.port}/api/v2/docs/`;
  beforeAll(async () => {
    tab = await openTab(chromium ?? '');
  });
  afterAll(() => tab.close());

  /** Waits until an expression is true in the page. */
  const shown = (expression: string) => waitFor(async () => (await tab.evaluate(expression)) === true);

  it.each([390, 1280])('shows every operation at a width of %d without requests to other servers', async (width) => {
    await tab.open(address(), width);
    await shown(`document.querySelectorAll('.opblock').length === ${operations.length}`);
    expect(await tab.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    const origins = new Set(tab.requests.filter((url) => !url.startsWith('data:')).map((url) => new URL(url).origin));
    expect([...origins]).toEqual([new URL(address()).origin]);
    expect(tab.complaints).toEqual([]);
    const links = "[...document.querySelectorAll('.info a')].map(({ href }) => new URL(href).pathname)";
    const pages = ((await tab.evaluate(links)) as string[]).filter((path) => path.includes('/exports/'));
    expect(pages).toHaveLength(16);
    for (const path of new Set(pages)) expect(await call(gateway.port, path)).toMatchObject({ status: 200 });
  });

  it('can try out an operation', async () => {
    await tab.open(`${address()}?try#/About/listRecordSchemas`, 1280);
    await shown("document.querySelector('.opblock.is-open .samples code')?.textContent.startsWith('curl ') === true");
    await tab.evaluate("document.querySelector('.opblock.is-open .samples [role=tab]:last-child').click()");
    await shown("document.querySelector('.opblock.is-open .samples code').textContent.includes('createStechuhrClient')");
    await tab.evaluate("document.querySelector('.opblock.is-open .btn.execute').click()");
    await shown("document.querySelector('.live-responses-table .response .response-col_status')?.textContent.startsWith('200') === true");
    expect(tab.complaints).toEqual([]);
  });
});
