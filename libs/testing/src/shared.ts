import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Something that runs for several test files. */
export interface Shared {
  /** How to reach it; goes through JSON. */
  readonly shown: unknown;
  stop(): Promise<void>;
}

/** The setup's side of {@link askForShared}. */
export interface SharedOffer {
  /** Stops what was started, if anything was. */
  stop(): Promise<void>;
}

/** Where test files ask for it; workers inherit the environment of the process that starts them. */
const ADDRESS = 'STECHUHR_TEST_SHARED_URL';

/**
 * For the setup of a run: offers its test files something that is started once, by the first that asks, and in this process, because
 * theirs end while others still use it. A start that failed is tried again for the next one that asks.
 */
export async function offerShared(start: (settings: unknown) => Promise<Shared>): Promise<SharedOffer> {
  let started: Promise<Shared> | undefined;
  const server = createServer((request, response) => {
    void text(request)
      .then((body) => (started ??= start(JSON.parse(body))))
      .then(({ shown }) => response.end(JSON.stringify(shown)))
      .catch((error: unknown) => {
        started = undefined;
        response.writeHead(500).end(String(error));
      });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  server.unref();
  process.env[ADDRESS] = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    async stop() {
      server.close();
      await (await started?.catch(() => undefined))?.stop();
    },
  };
}

/**
 * How to reach what all test files of the run share; waits for its start.
 *
 * @param settings of the start; those of the first that asks count, so all have to ask with the same ones
 * @throws when there is none in this run, or when it cannot be started
 */
export async function askForShared(settings: unknown): Promise<unknown> {
  const address = process.env[ADDRESS];
  if (address === undefined) throw new Error('Nothing is shared here: run the test in the project "integration".');
  const response = await fetch(address, { method: 'POST', body: JSON.stringify(settings) });
  if (!response.ok) throw new Error(`What the test files share did not start: ${await response.text()}`);
  return response.json();
}
