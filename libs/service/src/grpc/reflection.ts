import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { handleBidiStreamingCall, MethodDefinition, Server, ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { protoRootFromEnvironment } from '../config.js';

/** The versions that clients ask for; their messages are the same. */
const SERVICES = ['grpc.reflection.v1.ServerReflection', 'grpc.reflection.v1alpha.ServerReflection'];
const METHOD = 'ServerReflectionInfo';

/** A version of the service: what its messages are, and what answers them. */
interface Version {
  readonly method: MethodDefinition<unknown, unknown>;
  readonly answer: handleBidiStreamingCall<unknown, unknown>;
}

/**
 * Where the `.proto` files are: `STECHUHR_PROTOS`, else the `protos` folder of the checkout or image that this file is part of.
 */
export function findProtoRoot(): string | undefined {
  const given = protoRootFromEnvironment();
  if (given !== undefined) return given;
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'protos', 'stechuhr'))) return join(folder, 'protos');
  }
  return undefined;
}

/**
 * Adds the reflection service for the given services. Their files are read when the first client asks: that takes a third of a start, and
 * most servers are never asked.
 *
 * @param serviceNames full names, such as `stechuhr.records.v1.RecordsService`; a package is the folder of the same path
 * @returns false when none of the files exist; nothing is added then
 */
export function addReflection(server: Server, protoRoot: string, serviceNames: readonly string[]): boolean {
  const folders = new Set(serviceNames.map((name) => name.split('.').slice(0, -1).join('/')));
  const files = [...folders].flatMap((folder) => protoFiles(protoRoot, folder));
  if (files.length === 0) return false;
  let versions: ReadonlyMap<string, Version> | undefined;
  const versionOf = (name: string): Version => {
    const version = (versions ??= load(protoRoot, files, serviceNames)).get(name);
    if (version === undefined) throw new Error(`@grpc/reflection does not serve ${name}`);
    return version;
  };
  for (const name of SERVICES) addVersion(server, name, () => versionOf(name));
  return true;
}

function addVersion(server: Server, name: string, version: () => Version): void {
  const method: MethodDefinition<unknown, unknown> = {
    path: `/${name}/${METHOD}`,
    requestStream: true,
    responseStream: true,
    requestSerialize: (request) => version().method.requestSerialize(request),
    requestDeserialize: (bytes) => version().method.requestDeserialize(bytes),
    responseSerialize: (response) => version().method.responseSerialize(response),
    responseDeserialize: (bytes) => version().method.responseDeserialize(bytes),
  };
  const answer: Version['answer'] = (call) => version().answer(call);
  server.addService({ [METHOD]: method }, { [METHOD]: answer });
}

/** What the library would add to a server, by the name of the service. */
function load(protoRoot: string, files: string[], serviceNames: readonly string[]): ReadonlyMap<string, Version> {
  const definition = loadSync(files, { includeDirs: [protoRoot], keepCase: true, longs: String, enums: String, defaults: true });
  const versions = new Map<string, Version>();
  const addService = (service: ServiceDefinition, implementation: UntypedServiceImplementation) => {
    const [method, answer] = [service[METHOD], implementation[METHOD]];
    if (method !== undefined && answer !== undefined)
      versions.set(method.path.split('/')[1] ?? '', { method, answer: answer as Version['answer'] });
  };
  new ReflectionService(definition, { services: [...serviceNames] }).addToServer({ addService });
  return versions;
}

function protoFiles(root: string, folder: string): string[] {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => name.endsWith('.proto'))
    .map((name) => join(folder, name));
}
