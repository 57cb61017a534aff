import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A resource that several test files share. */
export interface Shared {
  /** How to access it; must be serialisable as JSON. */
  readonly shown: unknown;
  stop(): Promise<void>;
}

/** Operations that the main process performs for test files, by name; arguments and results must be serialisable as JSON. */
export type Errands = Readonly<Record<string, (argument: never) => Promise<unknown>>>;

/** The server side of {@link askForShared} and {@link askForErrand}. */
export interface SharedOffer {
  /** Stops the shared resource if it was started. */
  stop(): Promise<void>;
}

/** Environment variable with the URL for test files; workers inherit the environment of the main process. */
const ADDRESS = 'STECHUHR_TEST_SHARED_URL';

/**
 * Offers a shared resource to the test files of a run; called by the setup. It is started once, on the first request, and in this process,
 * because the processes of test files may end while others still use it. A failed start is repeated for the next request.
 *
 * @param errands performed in this process, which loads their code only once
 */
export async function offerShared(start: (settings: unknown) => Promise<Shared>, errands: Errands = {}): Promise<SharedOffer> {
  let started: Promise<Shared> | undefined;
  const shared = async (settings: unknown) => {
    try {
      return (await (started ??= start(settings))).shown;
    } catch (caught) {
      started = undefined;
      throw caught;
    }
  };
  const errandOf = (name: string) => errands[name] as ((argument: unknown) => Promise<unknown>) | undefined;
  const server = createServer((request, response) => {
    const answer = errandOf((request.url ?? '/').slice(1)) ?? shared;
    void text(request)
      .then((body) => answer(JSON.parse(body)))
      .then((value) => response.end(JSON.stringify(value)))
      .catch((error: unknown) => response.writeHead(500).end(String(error)));
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
 * Requests the shared resource of the run, and waits for its start.
 *
 * @param settings for the start; those of the first request count, so all requests must use the same
 * @throws if there is none in this run, or if it cannot be started
 */
export async function askForShared(settings: unknown): Promise<unknown> {
  if (!runDoesErrands()) throw new Error('Nothing is shared here: run the test in the project "integration".');
  return ask('', settings, 'What the test files share did not start');
}

/** Whether {@link askForErrand} is available: in a run of the project "integration". */
export function runDoesErrands(): boolean {
  return process.env[ADDRESS] !== undefined;
}

/** Lets the main process perform an operation. @throws with the reason if it fails */
export function askForErrand(name: string, argument: unknown): Promise<unknown> {
  return ask(name, argument, `"${name}" failed`);
}

async function ask(path: string, body: unknown, failure: string): Promise<unknown> {
  const response = await fetch(new URL(path, process.env[ADDRESS]), { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${failure}: ${await response.text()}`);
  return response.json();
}
