import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { waitFor } from '@stechuhr/testing';
import { costliestRequests, type OperationRequests, type Request } from './support/costliest-requests.js';
import type { OpenApiDocument } from './support/document-schemas.js';
import { startTestPlatform, type TestPlatform } from './support/platform.js';
import { costOf, type Cost } from './support/process-cost.js';
import { Scene, sceneOrganization } from './support/scene.js';

const SERVICES = ['gateway', 'records', 'exports', 'tasks', 'absence-rules', 'reviews', 'daily-reports', 'webhooks'];
const EMPLOYEES = 15;
const organization = sceneOrganization(61);
const { org, accounts, project, day, lines } = organization;
const employees = Array.from({ length: EMPLOYEES }, (_, n) => org.id(1000 + n));

/**
 * Generous budgets for slow and busy machines: the same request takes twice as much CPU time while many processes share the caches of a processor. A
 * missing limit (docs/limits.md) costs a multiple of them.
 */
const VALID: Cost = { cpuMs: 2000, memoryMib: 300 };
/** Budget for a file with all types and the maximum number of columns. */
const FILE: Cost = { cpuMs: 12_000, memoryMib: 300 };
const INVALID: Cost = { cpuMs: 800, memoryMib: 150 };

/** Employees with records long ago and far in the future, which is slow for code that iterates over the time in between. */
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
      addresses.set(operation, (await scene.requestFor(operation)).path);
    }
  }
  operations = costliestRequests(document, { employees, project, day, types, addresses });
});
afterAll(() => platform.stop());

/**
 * Sends a request, reads the whole response and measures the cost in all services. Repeated after a 503, with which a busy machine answers when a service
 * takes longer than its caller waits.
 */
function measure(request: Request): Promise<Cost & { readonly status: number }> {
  return waitFor(async () => {
    const measured = await measureOnce(request);
    return measured.status !== 503 && measured;
  });
}

async function measureOnce({ method, path, query, body }: Request): Promise<Cost & { readonly status: number }> {
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

async function costliestOf(requests: readonly Request[]): Promise<Cost & { readonly statuses: readonly number[] }> {
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

it('the most expensive valid and invalid request of every operation stay within their budgets', async () => {
  let table = `${'operation'.padEnd(44)} ${'costliest valid'.padEnd(33)} costliest invalid\n`;
  const beyond: string[] = [];
  for (const { name, valid: good, invalid: bad } of operations) {
    const valid = await costliestOf(good);
    const invalid = await costliestOf(bad);
    const line = row(name, valid, invalid);
    table += line;
    const isBeyond = ({ cpuMs, memoryMib }: Cost, budget: Cost) => cpuMs > budget.cpuMs || memoryMib > budget.memoryMib;
    const isWrong = valid.statuses.some((status) => status >= 400) || invalid.statuses.some((status) => status >= 500);
    if (isBeyond(valid, name.startsWith('GET /exports/') ? FILE : VALID) || isBeyond(invalid, INVALID) || isWrong) beyond.push(line);
  }
  process.stdout.write(table);
  expect(beyond).toEqual([]);
});
