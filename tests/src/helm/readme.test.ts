import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { topology } from '@stechuhr/local';

const HELM = fileURLToPath(new URL('../../../helm', import.meta.url));
const run = promisify(execFile);

/**
 * Stand-ins for the programs that the commands call, as far as they affect a secret: kubectl records the bytes of each key, and mc the key
 * of a user. jq and openssl need not be installed.
 */
const PROGRAMS = {
  mongosh: '',
  kubectl: `
    name="$6"
    for argument in "$@"; do case "$argument" in --from-file=*)
      file="\${argument#--from-file=}"
      if [ -d "$file" ]; then for key in "$file"/*; do cp "$key" "$MADE/$name.$(basename "$key")"; done
      else cp "\${file#*=}" "$MADE/$name.\${file%%=*}"; fi ;;
    esac; done`,
  mc: 'if [ "$2 $3" = "user add" ]; then printf %s "$6" > "$MADE/user.$5"; fi',
  openssl: 'echo 0123456789abcdef',
  jq: `case "$*" in *keys*) echo records; echo tasks ;; *) cat "\${@: -1}" 2>/dev/null || cat ;; esac`,
};

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stechuhr-readme-'));
  await mkdir(join(folder, 'made'));
  await mkdir(join(folder, 'bin'));
  await symlink(HELM, join(folder, 'helm'));
  for (const [name, text] of Object.entries(PROGRAMS)) {
    await writeFile(join(folder, 'bin', name), `#!/bin/bash\n${text}\n`);
    await chmod(join(folder, 'bin', name), 0o755);
  }
});

afterAll(() => rm(folder, { recursive: true }));

/** Returns the services that need a server. */
function needing(server: 'mongodb' | 's3'): string[] {
  return topology.filter(({ needs }) => needs.includes(server)).map(({ name }) => name);
}

it('the commands of the guide create secrets of every service that match the settings of the servers, without line breaks', async () => {
  const guide = await readFile(join(HELM, 'README.md'), 'utf8');
  const section = guide.slice(guide.indexOf('### 3. Servers'), guide.indexOf('### 4. Certificates'));
  const commands = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block).join('\n');
  const made = join(folder, 'made');
  const env = { PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`, MADE: made, REDIS_PASSWORD: 'secret' };
  await run('bash', ['-ec', commands], { cwd: folder, env });
  const contents = (name: string): Promise<string> => readFile(join(made, name), 'utf8');
  for (const service of needing('mongodb')) {
    const database = `stechuhr_${service.replaceAll('-', '_')}`;
    expect(await contents(`stechuhr-mongodb.${service}`)).toMatch(new RegExp(`^mongodb:\\S+authSource=${database}$`));
  }
  for (const service of needing('s3')) {
    expect(await contents(`stechuhr-s3-${service}.secret-key`)).toBe(await contents(`user.${service}`));
  }
  expect(await contents('stechuhr-nats.records')).toMatch(/^nats:\S+$/);
  expect(await contents('stechuhr-redis.url')).toMatch(/^rediss:\S+$/);
});

it.each([
  ['mongodb.existingSecret', 'mongodb'],
  ['s3.existingSecrets', 's3'],
] as const)('the guide names the services that need a key in %s', async (value, server) => {
  const guide = await readFile(join(HELM, 'README.md'), 'utf8');
  const row = guide.split('\n').find((line) => line.startsWith(`| \`${value}\` `)) ?? '';
  expect(topology.map(({ name }) => name).filter((name) => row.includes(`\`${name}\``))).toEqual(needing(server));
});
