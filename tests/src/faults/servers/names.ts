import { writeFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { topology } from '@stechuhr/local';
import { freePort } from '@stechuhr/local-infra';
import { nameVariables } from '@stechuhr/testing';

/** Addresses of the replicas of a service, all with the same port. */
const HOSTS = ['127.0.0.1', '127.0.0.2'];

/** Host names of services with several replicas, like those of headless Services: a name resolves to the replicas that accept calls. */
export interface Names {
  /** Returns the environment of a replica. */
  variablesOf(service: string, replica: number): Readonly<Record<string, string>>;
  /** Environment of CLI commands, which call all services. */
  readonly ofCommands: Readonly<Record<string, string>>;
  leave(service: string, replica: number): void;
  join(service: string, replica: number): void;
}

/** Creates names for all services with all of their replicas. @param folder in which the names are stored */
export async function openNames(folder: string): Promise<Names> {
  const served = topology.filter(({ serves }) => serves === 'grpc').map(({ name }) => name);
  const ports = new Map(await Promise.all(served.map(async (name) => [name, await freePort()] as const)));
  const members = new Map(served.map((name) => [name, new Set(HOSTS)]));
  const publish = (service: string): void => {
    // Written atomically, because a client could otherwise read an incomplete file.
    const draft = join(folder, `${service}.draft`);
    writeFileSync(draft, [...(members.get(service) ?? [])].join('\n'));
    renameSync(draft, join(folder, nameOf(service)));
  };
  const change = (service: string, act: (hosts: Set<string>) => unknown): void => {
    const hosts = members.get(service);
    if (hosts === undefined) return;
    act(hosts);
    publish(service);
  };
  const addresses = (services: readonly string[]): Readonly<Record<string, string>> =>
    Object.fromEntries(services.map((name) => [variableOf(name), `${nameOf(name)}:${String(ports.get(name))}`]));
  for (const service of served) publish(service);
  return {
    variablesOf(service, replica) {
      const port = ports.get(service);
      const calls = topology.find(({ name }) => name === service)?.calls ?? [];
      return {
        ...nameVariables(folder),
        ...addresses(calls),
        ...(port === undefined ? {} : { GRPC_BIND: `${hostOf(replica)}:${String(port)}` }),
      };
    },
    ofCommands: { ...nameVariables(folder), ...addresses(served) },
    leave: (service, replica) => change(service, (hosts) => hosts.delete(hostOf(replica))),
    join: (service, replica) => change(service, (hosts) => hosts.add(hostOf(replica))),
  };
}

const nameOf = (service: string): string => `${service}.replicas`;
const variableOf = (service: string): string => `${service.toUpperCase().replaceAll('-', '_')}_ADDRESS`;
const hostOf = (replica: number): string => HOSTS[replica] ?? '';
