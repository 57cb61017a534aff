import { describe, expect, it } from '@jest/globals';
import { grpcRights } from '@stechuhr/contracts';
import { topology } from '@stechuhr/local';

/** Returns the name of the service that serves a package: `stechuhr.absence_rules.v1.…` is served by `absence-rules`. */
const serverOf = (service: string): string => (service.split('.')[1] ?? '').replaceAll('_', '-');

describe('the topology', () => {
  it('lets a service connect to exactly those services of which it may call a method', () => {
    const rows = Object.entries(grpcRights).filter(([service]) => service.startsWith('stechuhr.'));
    const rights = rows.flatMap(([service, methods]) =>
      Object.values(methods).flatMap((callers) => callers.map((caller) => `${caller} → ${serverOf(service)}`)),
    );
    const flows = topology.flatMap(({ name, calls }) => calls.map((callee) => `${name} → ${callee}`));
    expect([...new Set(rights)].filter((flow) => !flow.startsWith('toolbox')).sort()).toEqual(flows.toSorted());
  });
});
