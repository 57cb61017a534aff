import { describe, expect, it } from '@jest/globals';
import * as contracts from './index.js';
import { callersOf, grpcRights, mayBrowse } from './grpc-rights.js';

/** Returns the paths of all methods of the generated contracts. */
function methods(): string[] {
  const packages = Object.entries(contracts).filter(([name]) => /V\d+$/.test(name));
  const services = packages.flatMap(([, content]) => Object.entries(content).filter(([name]) => name.endsWith('ServiceService')));
  return services.flatMap(([, definition]) =>
    Object.values(definition as Record<string, { readonly path: string }>).map(({ path }) => path),
  );
}

describe('the rights over gRPC', () => {
  it('contain each method of the contracts, and no others', () => {
    const named = Object.entries(grpcRights).flatMap(([service, rows]) => Object.keys(rows).map((method) => `/${service}/${method}`));
    expect(named.filter((path) => !path.startsWith('/grpc.')).sort()).toEqual(methods().sort());
  });

  it('contain a caller for each method', () => {
    expect(methods().filter((path) => callersOf(path).length === 0)).toEqual([]);
  });

  it.each(['/stechuhr.records.v1.RecordsService/Drop', '/grpc.health.v1.Health/Check', '/constructor/toString', '/', ''])(
    'permit nobody to call %p, which has no entry',
    (path) => {
      expect(callersOf(path)).toEqual([]);
    },
  );

  it('permit imports only to operators, and reading accounts only to the gateway and operators', () => {
    const imports = methods().filter((path) => path.endsWith('Import'));
    expect(imports.map(callersOf)).toEqual(imports.map(() => ['toolbox']));
    expect(callersOf('/stechuhr.records.v1.RecordsService/GetAccount')).toEqual(['gateway', 'toolbox']);
  });

  it('permit each caller to list the groups that it needs, and the gateway all of them', () => {
    const groups = Object.entries(contracts.browseV1.RecordGroup).filter(([, group]) => group > 0);
    const named = (caller: string | undefined) => groups.filter(([, group]) => mayBrowse(caller, group)).map(([name]) => name);
    expect(named('gateway')).toHaveLength(groups.length);
    expect(named('daily-reports')).toEqual(['RECORD_GROUP_EMPLOYEES', 'RECORD_GROUP_PROJECTS', 'RECORD_GROUP_MANAGERS']);
    for (const stranger of ['worker', 'constructor', '']) expect(named(stranger)).toEqual([]);
    expect(named(undefined)).toHaveLength(groups.length);
  });
});
