import { topology } from '@stechuhr/local';
import { freePort } from '@stechuhr/local-infra';
import { openTcpGate, type TcpGate } from '@stechuhr/testing';

/** Gates between each pair of services that call each other. */
export interface ServiceGates {
  readonly gates: readonly TcpGate[];
  between(caller: string, callee: string): TcpGate;
  /** Returns the environment of a service: its own address and those of other services. */
  variablesOf(service: string): Readonly<Record<string, string>>;
  /** Environment of the command line, which calls services without gates. */
  readonly ofCommands: Readonly<Record<string, string>>;
}

/** Opens the gates before the services are started. */
export async function openServiceGates(): Promise<ServiceGates> {
  const served = topology.filter(({ serves }) => serves === 'grpc').map(({ name }) => name);
  const addresses = new Map(await Promise.all(served.map(async (name) => [name, `127.0.0.1:${String(await freePort())}`] as const)));
  const pairs = topology.flatMap(({ name, calls }) => calls.map((callee) => ({ name, callee })));
  const gates = new Map(
    await Promise.all(
      pairs.map(async ({ name, callee }) => [`${name} ${callee}`, await openTcpGate(addresses.get(callee) ?? '')] as const),
    ),
  );
  const between = (caller: string, callee: string): TcpGate => {
    const gate = gates.get(`${caller} ${callee}`);
    if (gate === undefined) throw new Error(`${caller} does not call ${callee}.`);
    return gate;
  };
  return {
    gates: [...gates.values()],
    between,
    variablesOf(service) {
      const calls = topology.find(({ name }) => name === service)?.calls ?? [];
      const bind = addresses.get(service);
      return {
        ...Object.fromEntries(calls.map((callee) => [variableOf(callee), between(service, callee).address])),
        ...(bind !== undefined && { GRPC_BIND: bind }),
      };
    },
    ofCommands: Object.fromEntries([...addresses].map(([name, address]) => [variableOf(name), address])),
  };
}

const variableOf = (service: string): string => `${service.toUpperCase().replaceAll('-', '_')}_ADDRESS`;
