import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Something that runs for several test files. */
export interface Shared {
  /** How to reach it; serialized as JSON. */
  readonly shown: unknown;
  stop(): Promise<void>;
}

/** What the process of a run does on behalf of its test files, by name; arguments and results are serialized as JSON. */
export type Errands = Readonly<Record<string, (argument: never) => Promise<unknown>>>;

/** The counterpart of {@link askForShared} and {@link askForErrand} in the setup. */
export interface SharedOffer {
  /** Stops it, if it was started. */
  stop(): Promise<void>;
}

/** The address for test files; workers inherit the environment of the process that starts them. */
const ADDRESS = 'STECHUHR_TEST_SHARED_URL';

/**
 * For the setup of a run: offers something to test files that is started once, by the first that asks. It runs in this process, because the processes
 * of test files end while others still use it. A failed start is repeated for the next one that asks.
 * @param errands done in this process, where the code for them is loaded only once
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
 * How to reach what all test files of the run share; waits until it is started.
 * @param settings for the start; since only those of the first caller are used, all have to pass the same
 * @throws if this run has none, or if it cannot be started
 */
export async function askForShared(settings: unknown): Promise<unknown> {
  if (!runDoesErrands()) throw new Error('Nothing is shared here: run the test in the project "integration".');
  return ask('', settings, 'What the test files share did not start');
}

/** Whether {@link askForErrand} is available: in a run of the project "integration". */
export function runDoesErrands(): boolean {
  return process.env[ADDRESS] !== undefined;
}

/**
 * Has the process of the run do something.
 * @throws with the reason if it fails
 */
export function askForErrand(name: string, argument: unknown): Promise<unknown> {
  return ask(name, argument, `"${name}" failed`);
}

async function ask(path: string, body: unknown, failure: string): Promise<unknown> {
  const response = await fetch(new URL(path, process.env[ADDRESS]), { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${failure}: ${await response.text()}`);
  return response.json();
}
