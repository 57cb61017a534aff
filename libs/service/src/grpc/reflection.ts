import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import type { handleBidiStreamingCall, MethodDefinition, Server, ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { protoRootFromEnvironment } from '../config.js';

/** The versions that clients use; their messages are the same. */
const SERVICES = ['grpc.reflection.v1.ServerReflection', 'grpc.reflection.v1alpha.ServerReflection'];
const METHOD = 'ServerReflectionInfo';

/** A version of the service: its method definition and its handler. */
interface Version {
  readonly method: MethodDefinition<unknown, unknown>;
  readonly answer: handleBidiStreamingCall<unknown, unknown>;
}

/**
 * Returns the folder of the compiled contracts, which is that of their `.proto` files: `STECHUHR_PROTOS`, otherwise the `protos` folder of
 * the checkout or image that contains this file.
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
 * Adds the reflection service for the given services. The descriptors are loaded on the first request, because most servers never get one.
 *
 * @param serviceNames full names, such as `stechuhr.records.v1.RecordsService`
 * @returns false if no descriptors were found and nothing was added
 */
export function addReflection(server: Server, protoRoot: string, serviceNames: readonly string[]): boolean {
  const files = globSync('*.binpb', { cwd: protoRoot }).map((name) => join(protoRoot, name));
  if (files.length === 0) return false;
  let versions: ReadonlyMap<string, Version> | undefined;
  const versionOf = (name: string): Version => {
    const version = (versions ??= load(files, serviceNames)).get(name);
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

/** Loads the handlers that the library would add to a server, by the name of the service. */
function load(files: readonly string[], serviceNames: readonly string[]): ReadonlyMap<string, Version> {
  // These descriptors come from the compiler: those that @grpc/proto-loader creates from .proto files list no imports, and clients refuse
  // to link them. The library reads nothing else from a definition; its types have no format for whole files.
  const fileDescriptorProtos = files.flatMap((file) => descriptorsIn(readFileSync(file)));
  const definition = { files: { format: 'Protocol Buffer 3 EnumDescriptorProto', type: {}, fileDescriptorProtos } } as const;
  const versions = new Map<string, Version>();
  const addService = (service: ServiceDefinition, implementation: UntypedServiceImplementation) => {
    const [method, answer] = [service[METHOD], implementation[METHOD]];
    if (method !== undefined && answer !== undefined)
      versions.set(method.path.split('/')[1] ?? '', { method, answer: answer as Version['answer'] });
  };
  new ReflectionService(definition, { services: [...serviceNames] }).addToServer({ addService });
  return versions;
}

/** Returns the files of a `FileDescriptorSet`, which are its only field. */
function descriptorsIn(bytes: Uint8Array): Buffer[] {
  const reader = new BinaryReader(bytes);
  const files: Buffer[] = [];
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === 1) files.push(Buffer.from(reader.bytes()));
    else reader.skip(wireType);
  }
  return files;
}
