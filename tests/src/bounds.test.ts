import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { dearestRequests, type OperationRequests, type Request } from './support/dearest-requests.js';
import type { OpenApiDocument } from './support/document-schemas.js';
import { startTestPlatform, type TestPlatform } from './support/platform.js';
import { costOf, type Cost } from './support/process-cost.js';
import { Scene, sceneOrganization } from './support/scene.js';

const SERVICES = ['gateway', 'records', 'exports', 'tasks', 'absence-rules', 'reviews', 'daily-reports', 'webhooks'];
const EMPLOYEES = 15;
const organization = sceneOrganization(61);
const { org, accounts, project, day, lines } = organization;
const employees = Array.from({ length: EMPLOYEES }, (_, n) => org.id(1000 + n));

/** Generous, as machines are busy and slow; a defect of the kinds in docs/limits.md takes a multiple. */
const VALID: Cost = { cpuMs: 2000, memoryMib: 300 };
/** A file of all types in the most columns. */
const FILE: Cost = { cpuMs: 6000, memoryMib: 300 };
const INVALID: Cost = { cpuMs: 800, memoryMib: 150 };

/** Tracked long ago and far ahead: what walks the time between takes long. */
const staff = employees.flatMap((_, n) => [
  org.employee(1000 + n, 'Eva', `Nummer ${String(n)}`, { accounting_number: String(n), hired_on: '1980-01-01' }),
  org.contract(2000 + n, 1000 + n),
  org.shift(3000 + n, 1000 + n, { date: '1980-03-03', start: '07:00', end: '16:00' }),
  org.shift(4000 + n, 1000 + n, { date: day, start: '07:00', end: '16:00' }),
  org.absence(5000 + n, 1000 + n, { starts_on: '2190-01-01', ends_on: '2199-12-31' }),
]);

let platform: TestPlatform;
let headers: Record<string, string>;
let operations: readonly OperationRequests[];

beforeAll(async () => {
  platform = await startTestPlatform({}, ['tasks', 'daily-reports', 'webhooks']);
  const { rejected } = await platform.importLines([...lines, ...staff]);
  expect(rejected).toEqual([]);
  const token = await platform.issueToken(accounts.own);
  headers = { Authorization: `Token ${token}`, 'Content-Type': 'application/json' };
  const document = (await (await fetch(`${platform.baseUrl}/openapi.json`)).json()) as OpenApiDocument;
  const page = await (await fetch(`${platform.baseUrl}/exports/generic/types/`)).text();
  const types = [...new Set(page.match(/\b[a-z-]+:(?:hours|days)\b/g))].filter((type) => !type.startsWith('missing'));
  const scene = new Scene(organization, platform, token);
  const addresses = new Map<string, string>();
  for (const [path, methods] of Object.entries(document.paths).filter(([one]) => one.includes('{id}'))) {
    for (const method of Object.keys(methods)) {
      const operation = `${method.toUpperCase()} ${path}`;
      addresses.set(operation, (await scene.asked(operation)).path);
    }
  }
  operations = dearestRequests(document, { employees, project, day, types, addresses });
});
afterAll(() => platform.stop());

/** Sends a request, reads its whole answer and measures what all services spent on it. */
async function measure({ method, path, query, body }: Request): Promise<Cost & { readonly status: number }> {
  const pids = SERVICES.map((name) => platform.service(name).pid);
  let status = 0;
  const cost = await costOf(pids, async () => {
    const answer = await fetch(`${platform.baseUrl}${path}?${new URLSearchParams(query).toString()}`, {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    status = answer.status;
    await answer.arrayBuffer();
  });
  return { ...cost, status };
}

async function dearestOf(requests: readonly Request[]): Promise<Cost & { readonly statuses: readonly number[] }> {
  const measured: Awaited<ReturnType<typeof measure>>[] = [];
  for (const request of requests) measured.push(await measure(request));
  return {
    cpuMs: Math.max(...measured.map(({ cpuMs }) => cpuMs)),
    memoryMib: Math.max(...measured.map(({ memoryMib }) => memoryMib)),
    statuses: [...new Set(measured.map(({ status }) => status))].sort(),
  };
}

function row(name: string, valid: Cost & { statuses: readonly number[] }, invalid: Cost & { statuses: readonly number[] }): string {
  const shown = ({ cpuMs, memoryMib, statuses }: typeof valid) =>
    `${String(cpuMs).padStart(6)} ms ${memoryMib.toFixed(0).padStart(4)} MiB  ${statuses.join(',').padEnd(12)}`;
  return `${name.padEnd(44)} ${shown(valid)} ${shown(invalid)}\n`;
}

it('the dearest valid and the dearest invalid request of every operation stay within their budgets', async () => {
  let table = `${'operation'.padEnd(44)} ${'dearest valid'.padEnd(33)} dearest invalid\n`;
  const beyond: string[] = [];
  for (const { name, valid: good, invalid: bad } of operations) {
    const valid = await dearestOf(good);
    const invalid = await dearestOf(bad);
    const line = row(name, valid, invalid);
    table += line;
    const isBeyond = ({ cpuMs, memoryMib }: Cost, budget: Cost) => cpuMs > budget.cpuMs || memoryMib > budget.memoryMib;
    const isWrong = valid.statuses.some((status) => status >= 400) || invalid.statuses.some((status) => status >= 500);
    if (isBeyond(valid, name.startsWith('GET /exports/') ? FILE : VALID) || isBeyond(invalid, INVALID) || isWrong) beyond.push(line);
  }
  process.stdout.write(table);
  expect(beyond).toEqual([]);
});
