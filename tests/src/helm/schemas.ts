import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { goModuleFile, kedaModule, kubernetesVersion } from '@stechuhr/local-infra';
import { parse } from 'yaml';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly format?: string;
  readonly 'x-kubernetes-group-version-kind'?: readonly { readonly group: string; readonly version: string; readonly kind: string }[];
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
}

interface Swagger {
  readonly definitions: Readonly<Record<string, Schema>>;
}

interface CustomResource {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}

/** Custom resources. */
const CUSTOM = [
  {
    module: 'github.com/prometheus-operator/prometheus-operator',
    version: 'v0.83.0',
    file: 'example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml',
  },
  {
    module: 'github.com/prometheus-operator/prometheus-operator',
    version: 'v0.83.0',
    file: 'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml',
  },
  { module: kedaModule.path, version: kedaModule.version, file: 'config/crd/bases/keda.sh_scaledobjects.yaml' },
  { module: 'github.com/cert-manager/cert-manager', version: 'v1.19.0', file: 'deploy/crds/cert-manager.io_certificates.yaml' },
];

/** Returns the schema location for kubeconform in the folder of {@link writeSchemas}. */
export const schemaLocation = (folder: string): string => join(folder, '{{.ResourceKind}}{{.KindSuffix}}.json');

/** Writes a strict JSON schema for each kind (`kind-group-version`, as in kubeconform), derived from Kubernetes' OpenAPI document. */
export async function writeSchemas(folder: string, kinds: ReadonlySet<string>): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = await goModuleFile('k8s.io/kubernetes', `v${kubernetesVersion}`, 'api/openapi-spec/swagger.json');
  const { definitions } = JSON.parse(await readFile(file, 'utf8')) as Swagger;
  const strict = Object.fromEntries(Object.entries(definitions).map(([name, schema]) => [name, strictly(schema)]));
  for (const [name, schema] of Object.entries(definitions)) {
    for (const { group, version, kind } of schema['x-kubernetes-group-version-kind'] ?? []) {
      if (!kinds.has(kind)) continue;
      const whole = { $ref: `#/definitions/${name}`, definitions: reachable(name, strict) };
      await writeFile(join(folder, fileName(kind, group, version)), JSON.stringify(whole));
    }
  }
  for (const { module, version, file: path } of CUSTOM) {
    const { spec } = parse(await readFile(await goModuleFile(module, version, path), 'utf8')) as CustomResource;
    for (const each of spec.versions) {
      await writeFile(
        join(folder, fileName(spec.names.kind, spec.group, each.name)),
        JSON.stringify(strictly(each.schema.openAPIV3Schema, true)),
      );
    }
  }
}

/** Returns a definition and all definitions to which it refers. */
function reachable(start: string, definitions: Readonly<Record<string, Schema>>): Record<string, Schema | undefined> {
  const names = new Set([start]);
  for (const name of names) {
    for (const [, found = ''] of JSON.stringify(definitions[name]).matchAll(/"#\/definitions\/([^"]+)"/g)) names.add(found);
  }
  return Object.fromEntries([...names].map((name) => [name, definitions[name]]));
}

/** Returns a file name such as `deployment-apps-v1.json`, `service-v1.json` or `servicemonitor-monitoring-v1.json`. */
function fileName(kind: string, group: string, version: string): string {
  return `${[kind.toLowerCase(), ...(group === '' ? [] : [group.split('.')[0]]), version].join('-')}.json`;
}

/** Makes a schema reject unknown fields. The `metadata` of a custom resource is not in its schema but is valid too. */
function strictly(schema: Schema, isRoot = false): Schema {
  // Values that can be a number or text are described as text with a format.
  if (schema.format === 'int-or-string' || 'x-kubernetes-int-or-string' in schema) return {};
  const properties = mapValues(schema.properties, (property) => strictly(property));
  return {
    ...schema,
    ...(properties && { properties: isRoot ? { ...properties, metadata: {} } : properties }),
    ...(schema.items && { items: strictly(schema.items) }),
    ...(isClosed(schema) && { additionalProperties: false }),
    ...(typeof schema.additionalProperties === 'object' && { additionalProperties: strictly(schema.additionalProperties) }),
  };
}

function isClosed(schema: Schema): boolean {
  return schema.properties !== undefined && schema.additionalProperties === undefined && !schema['x-kubernetes-preserve-unknown-fields'];
}

function mapValues<A, B>(object: Readonly<Record<string, A>> | undefined, map: (value: A) => B): Record<string, B> | undefined {
  return object && Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
