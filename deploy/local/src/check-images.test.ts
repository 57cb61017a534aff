import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const DIGEST = `sha256:${'a'.repeat(64)}`;

let registry: Server | undefined;
afterEach(() => void registry?.close());

/** Starts a registry that has only team/app:1 and issues a token to anybody who asks for one. */
async function startRegistry(): Promise<string> {
  registry = createServer(({ url = '', headers }, response) => {
    const at = `http://${headers.host}`;
    if (url.startsWith('/token?')) response.end(JSON.stringify({ token: new URL(url, at).searchParams.get('scope') }));
    else if (headers.authorization === undefined) {
      const scope = `repository:${url.split('/').slice(2, 4).join('/')}:pull`;
      response.writeHead(401, { 'www-authenticate': `Bearer realm="${at}/token",service="test",scope="${scope}"` }).end();
    } else if (url === '/v2/team/busy/manifests/1') response.writeHead(503).end();
    else if (url === '/v2/team/app/manifests/1' && headers.authorization === 'Bearer repository:team/app:pull') {
      response.writeHead(200, { 'docker-content-digest': DIGEST }).end();
    } else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  return `127.0.0.1:${(registry.address() as AddressInfo).port}`;
}

async function check(...args: string[]): Promise<{ code: number; output: string }> {
  const run = promisify(execFile)(process.execPath, ['scripts/check-images.mjs', ...args], { cwd: ROOT });
  const {
    code = 0,
    stdout,
    stderr,
  } = (await run.catch((error: { code: number; stdout: string; stderr: string }) => error)) as {
    code?: number;
    stdout: string;
    stderr: string;
  };
  return { code, output: stdout + stderr };
}

describe('npm run check:images', () => {
  it('finds every image with its digest, and the same digest in every file', async () => {
    expect(await check('--offline')).toEqual({ code: 0, output: '' });
  });

  it('reports an image that the registry has', async () => {
    const { code, output } = await check(`${await startRegistry()}/team/app:1`);
    expect(code).toBe(0);
    expect(output).toMatch(new RegExp(`^there +127.0.0.1:\\d+/team/app:1 +${DIGEST}\n1 there, 0 missing, 0 unreachable\n$`));
  });

  it('fails for an image that the registry does not have', async () => {
    const { code, output } = await check(`${await startRegistry()}/team/gone:1`);
    expect([code, output]).toEqual([1, expect.stringContaining('missing')]);
  });

  it('tolerates unreachable registries unless --strict is given', async () => {
    const host = await startRegistry();
    const images = [`${host}/team/busy:1`, 'localhost:1/team/app:1'];
    const { code, output } = await check(...images);
    expect([code, output]).toEqual([0, expect.stringContaining('0 there, 0 missing, 2 unreachable')]);
    expect((await check('--strict', ...images)).code).toBe(1);
  });

  it.each([['mongo'], ['team/app:latest']])('rejects an image without a fixed tag: %s', async (image) => {
    expect(await check('--offline', image)).toMatchObject({ code: 1, output: expect.stringContaining('no fixed tag') });
  });
});
