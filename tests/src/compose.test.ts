import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { goModuleFile } from '@stechuhr/local-infra';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'yaml';

const COMPOSE = readFileSync(fileURLToPath(new URL('../../deploy/compose.yaml', import.meta.url)), 'utf8');
/** The JSON schema in the library with which `docker compose` reads files. */
const SPECIFICATION = ['github.com/compose-spec/compose-go/v2', 'v2.16.2', 'schema/compose-spec.json'] as const;

let problemsOf: (text: string) => readonly string[];

beforeAll(async () => {
  const schema = JSON.parse(readFileSync(await goModuleFile(...SPECIFICATION), 'utf8')) as object;
  const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true }));
  const validate = ajv.compile(schema);
  problemsOf = (text) => {
    validate(parse(text, { merge: true }));
    return (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message ?? ''} ${JSON.stringify(params)}`);
  };
});

describe('compose.yaml', () => {
  it('is valid according to the Compose specification', () => {
    expect(problemsOf(COMPOSE)).toEqual([]);
  });

  it.each([
    ['a misspelt key', (text: string) => text.replace('stop_grace_period:', 'stop_grace:')],
    ['a condition that does not exist', (text: string) => text.replace('condition: service_healthy', 'condition: healthy')],
    ['a profile that is no list', (text: string) => text.replace('profiles: [tools]', 'profiles: tools')],
  ])('would be invalid with %s', (_what, spoil) => {
    expect(problemsOf(spoil(COMPOSE))).not.toEqual([]);
  });

  it('defines all services and volumes that it refers to', () => {
    const { services, volumes } = parse(COMPOSE, { merge: true }) as {
      readonly services: Readonly<Record<string, { readonly depends_on?: object; readonly volumes?: readonly string[] }>>;
      readonly volumes: object;
    };
    for (const service of Object.values(services)) {
      expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(service.depends_on ?? {})));
      const named = (service.volumes ?? []).map((volume) => volume.split(':')[0] ?? '').filter((name) => !name.startsWith('.'));
      expect(Object.keys(volumes)).toEqual(expect.arrayContaining(named));
    }
  });
});
