import { describe, expect, it } from '@jest/globals';
import * as contracts from './index.js';
import { institutionOf, mayGrant, needsGrant, ungranted } from './grpc-grants.js';
import { callersOf, grpcRights } from './grpc-rights.js';

interface Method {
  readonly path: string;
  requestDeserialize(bytes: Buffer): object;
}

const methods = new Map(
  Object.entries(contracts)
    .filter(([name]) => /V\d+$/.test(name))
    .flatMap(([, content]) => Object.entries(content).filter(([name]) => name.endsWith('ServiceService')))
    .flatMap(([, definition]) => Object.values(definition as Record<string, Method>).map((method) => [method.path, method] as const)),
);

const rows = Object.entries(grpcRights).flatMap(([service, named]) =>
  Object.entries(named).flatMap(([method, callers]) => callers.map((caller) => ({ caller, path: `/${service}/${method}` }))),
);

describe('grants', () => {
  it('are signed by services that authenticate users, act for a stored task, or belong to operators', () => {
    const callers = [...new Set(rows.map(({ caller }) => caller))];
    expect(callers.filter(mayGrant).sort()).toEqual(['gateway', 'toolbox', 'worker']);
    for (const nobody of [undefined, '', 'constructor', 'records', 'tasks']) expect(mayGrant(nobody)).toBe(false);
  });

  it('are needed by all other services except for the listed calls, each with a reason', () => {
    const open = rows.filter(({ caller, path }) => !mayGrant(caller) && !needsGrant(caller, path));
    const listed = ungranted.flatMap(({ method, callers }) => callers.map((caller) => ({ caller, path: method })));
    const text = ({ caller, path }: { caller: string; path: string }) => `${caller} ${path}`;
    expect(open.map(text).sort()).toEqual(listed.map(text).sort());
    for (const { method, callers, because } of ungranted) {
      expect(callersOf(method)).toEqual(expect.arrayContaining([...callers]));
      expect(because).toMatch(/\.$/);
    }
  });

  it('are required for reading tracked time and starting tasks', () => {
    const closed = [
      'records.v1.RecordsService/ReadTimeRecords',
      'records.v1.RecordsService/ReadProjectDay',
      'tasks.v1.TasksService/StartExport',
    ];
    const callers = rows.filter(({ path }) => closed.some((name) => path.endsWith(name)));
    expect(callers.filter(({ caller, path }) => !mayGrant(caller) && !needsGrant(caller, path))).toEqual([]);
  });

  it('can be verified: requests that need one contain the institution', () => {
    const needing = [...new Set(rows.filter(({ caller, path }) => needsGrant(caller, path)).map(({ path }) => path))];
    const requests = needing.map((path) => ({ path, fields: Object.keys(methods.get(path)?.requestDeserialize(Buffer.alloc(0)) ?? {}) }));
    expect(needing.length).toBeGreaterThan(10);
    expect(requests.filter(({ fields }) => !fields.includes('caller') && !fields.includes('institutionId'))).toEqual([]);
  });

  it.each<[unknown, string | undefined]>([
    [{ caller: { institutionId: 'a' } }, 'a'],
    [{ institutionId: 'b' }, 'b'],
    [{ caller: { institutionId: 'a' }, institutionId: 'b' }, 'a'],
    [{ caller: { institutionId: '' }, institutionId: 'b' }, undefined],
    [{ caller: undefined }, undefined],
    [{ institutionId: '' }, undefined],
    [{}, undefined],
    [undefined, undefined],
  ])('apply to the institution in %j', (request, institutionId) => {
    expect(institutionOf(request)).toBe(institutionId);
  });
});
