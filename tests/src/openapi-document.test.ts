import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, query } from './support/http.js';
import { Scene, sceneOrganization, send } from './support/scene.js';
import type { UsedPlatform } from './support/platform.js';
import { sharedPlatform } from './support/shared-platform.js';

const organization = sceneOrganization(75);
const { org, accounts, employee, project, day, lines } = organization;
const NOBODY = org.id(404);

interface Described {
  readonly parameters?: readonly { readonly name: string }[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly example?: object }>> }>>;
}

let platform: UsedPlatform;
let token: string;
let scene: Scene;
let paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;

beforeAll(async () => {
  platform = await sharedPlatform();
  expect(await platform.importLines(lines)).toMatchObject({ rejected: [] });
  token = await platform.issueToken(accounts.own);
  scene = new Scene(organization, platform, token);
  ({ paths } = (await call(`${platform.baseUrl}/openapi.json`)).json as { readonly paths: typeof paths });
});

/** Common filter parameters of lists (spec, General conventions 5), with values that match nothing. */
const FILTERS: Readonly<Record<string, string>> = {
  ids: NOBODY,
  employee_ids: NOBODY,
  daterange: '1901-01-01|1901-01-02',
  q: 'nothing is called so',
  archived: 'true',
  modified_since: '2199-01-01T00:00:00',
};

function listsOf(document: typeof paths): (readonly [path: string, parameters: readonly string[]])[] {
  return Object.entries(document).flatMap(([path, { get }]) => {
    const names = (get?.parameters ?? []).map(({ name }) => name);
    return names.includes('offset') && !path.includes('{') ? [[path, names] as const] : [];
  });
}

async function countOf(path: string, parameters: Readonly<Record<string, string>> = {}): Promise<number> {
  const { json } = await call(`${platform.baseUrl}${path}?${query(parameters)}`, { token });
  return (json as { readonly count: number }).count;
}

it('the document contains exactly the supported filter parameters of each list', async () => {
  const lists = listsOf(paths);
  expect(lists.length).toBeGreaterThan(15);
  for (const [path, names] of lists) {
    // Creates a record, so that a filter has something to exclude.
    await scene.requestFor(`GET ${path}`);
    const all = await countOf(path);
    const effective: string[] = [];
    for (const [name, value] of Object.entries(FILTERS)) if ((await countOf(path, { [name]: value })) !== all) effective.push(name);
    const described = Object.keys(FILTERS).filter((name) => names.includes(name));
    expect([path, all > 0, effective]).toEqual([path, true, described]);
  }
});

it('every list refuses fields of `order` that it does not have', async () => {
  for (const [path] of listsOf(paths)) {
    const { status, json } = await call(`${platform.baseUrl}${path}?order=color`, { token });
    expect([path, status, json]).toEqual([path, 400, { $query: ['"color" is not a valid ordering field.'] }]);
  }
});

describe('the example of a definition is one that is listed:', () => {
  const listedIn = (body: unknown) => Object.values(body as object).find(Array.isArray) as readonly Readonly<Record<string, unknown>>[];

  it.each(['/reviews/reviews/checks/', '/reviews/reviews/groups/', '/daily-reports/reports/field-types/'])('%s', async (path) => {
    const { json } = await call(`${platform.baseUrl}${path}`, { token });
    // The options that an organization has customized are its own.
    const [{ config: _config, ...example } = {}] = listedIn(paths[path]?.get?.responses['200']?.content?.['application/json']?.example);
    expect(listedIn(json)).toContainEqual(expect.objectContaining(example));
  });
});

describe('the example of a 400 equals the actual response:', () => {
  const reversed = { available_from: '2026-12-31', expires_at: '2026-10-01' };
  const rule = { employee_id: employee, label: 'Umzug', missing_type: 'vacation', amount: 'two', priority: 1, ...reversed };
  const records = { order: 'color', modified_since: 'yesterday' };
  const photo = { filename: 'a.jpg', filetype: 'image/jpeg', filesize: 2_097_153 };

  it.each<[operation: string, parameters: Readonly<Record<string, string>>, body: object | undefined]>([
    ['GET /exports/generic/', { types: 'works' }, undefined],
    ['GET /exports/payroll_a/', { types: 'works' }, undefined],
    ['GET /exports/payroll_b/', {}, undefined],
    ['GET /exports/multi/', { types: 'works', config: '[{}]' }, undefined],
    ['GET /asynchronous-tasks/tasks/', { order: 'label' }, undefined],
    ['GET /timestamps/absence-rules/', { sources: 'automatic' }, undefined],
    ['POST /timestamps/absence-rules/', {}, rule],
    ['PUT /timestamps/absence-rules/{id}/', {}, rule],
    ['PATCH /timestamps/absence-rules/{id}/', {}, rule],
    ['GET /reviews/reviews/', { month: 'October' }, undefined],
    ['GET /reviews/suppressions/', { daterange: '2026-10-31|2026-10-01' }, undefined],
    ['POST /reviews/suppressions/', {}, { code: 'no-coffee' }],
    ['PATCH /reviews/suppressions/{id}/', {}, { valid_to: 'never' }],
    ['GET /daily-reports/reports/', { order: 'status' }, undefined],
    ['GET /daily-reports/reports/field-types/', { order: 'id' }, undefined],
    ['GET /webhooks/', { order: 'url' }, undefined],
    ['GET /daily-reports/reports/status/', { tag: 'x', date: day }, undefined],
    ['POST /daily-reports/reports/autofill/', {}, { tag: 'x' }],
    ['POST /daily-reports/reports/bundles/', {}, { date_from: '2001-01-01', date_to: '2001-01-01', projects: [project] }],
    ['GET /daily-reports/reports/{id}/pdf/', {}, undefined],
    ['GET /daily-reports/entries/', { order: 'type' }, undefined],
    ['POST /daily-reports/entries/upload-photo-token/', {}, photo],
    ['GET /employees/employees/', records, undefined],
    ['GET /timestamps/workdays/', records, undefined],
    ['GET /tokens/', { order: 'name' }, undefined],
    ['POST /webhooks/', {}, { url: 'http://erp.example.com/hooks', event_types: ['workday.changed'] }],
    ['PATCH /webhooks/{id}/', {}, { url: 'http://erp.example.com/hooks', event_types: ['workday.changed'] }],
    ['POST /webhooks/{id}/replay/', {}, {}],
    ['GET /webhooks/{id}/deliveries/', { states: 'lost' }, undefined],
  ])('%s', async (operation, parameters, body) => {
    const [method = '', path = ''] = operation.split(' ');
    const example = paths[path]?.[method.toLowerCase()]?.responses['400']?.content?.['application/json']?.example;
    // This request is invalid because of its path.
    const asked = path.endsWith('/pdf/') ? { path: path.replace('{id}', 'today') } : await scene.requestFor(operation);
    const [address = ''] = asked.path.split('?');
    const { status, json } = await send(platform, operation, { path: `${address}?${query(parameters)}`, ...(body && { body }) }, token);
    expect([status, json]).toEqual([400, example]);
  });
});
