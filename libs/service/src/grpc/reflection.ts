import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { load } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { protoRootFromEnvironment } from '../config.js';

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
 * The reflection service for the given services; `undefined` when none of their files exist.
 *
 * @param serviceNames full names, such as `stechuhr.records.v1.RecordsService`; a package is the folder of the same path
 */
export async function createReflection(protoRoot: string, serviceNames: readonly string[]): Promise<ReflectionService | undefined> {
  const folders = new Set(serviceNames.map((name) => name.split('.').slice(0, -1).join('/')));
  const files = [...folders].flatMap((folder) => protoFiles(protoRoot, folder));
  if (files.length === 0) return undefined;
  const definition = await load(files, { includeDirs: [protoRoot], keepCase: true, longs: String, enums: String, defaults: true });
  return new ReflectionService(definition, { services: [...serviceNames] });
}

function protoFiles(root: string, folder: string): string[] {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => name.endsWith('.proto'))
    .map((name) => join(folder, name));
}
