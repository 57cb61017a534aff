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

/** What the process of a run does for its test files, by name; arguments and answers go through JSON. */
export type Errands = Readonly<Record<string, (argument: never) => Promise<unknown>>>;

/** The setup's side of {@link askForShared} and {@link askForErrand}. */
export interface SharedOffer {
  /** Stops what was started, if anything was. */
  stop(): Promise<void>;
}

/** Where test files ask for it; workers inherit the environment of the process that starts them. */
const ADDRESS = 'STECHUHR_TEST_SHARED_URL';

/**
 * For the setup of a run: offers its test files something that is started once, by the first that asks, and in this process, because
 * theirs end while others still use it. A start that failed is tried again for the next one that asks.
 *
 * @param errands done in this process, where the code for them is loaded once
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
 * How to reach what all test files of the run share; waits for its start.
 *
 * @param settings of the start; those of the first that asks count, so all have to ask with the same ones
 * @throws when there is none in this run, or when it cannot be started
 */
export async function askForShared(settings: unknown): Promise<unknown> {
  if (!runDoesErrands()) throw new Error('Nothing is shared here: run the test in the project "integration".');
  return ask('', settings, 'What the test files share did not start');
}

/** Whether {@link askForErrand} is answered: in a run of the project "integration". */
export function runDoesErrands(): boolean {
  return process.env[ADDRESS] !== undefined;
}

/** Has the process of the run do something. @throws with the reason where it fails */
export function askForErrand(name: string, argument: unknown): Promise<unknown> {
  return ask(name, argument, `"${name}" failed`);
}

async function ask(path: string, body: unknown, failure: string): Promise<unknown> {
  const response = await fetch(new URL(path, process.env[ADDRESS]), { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${failure}: ${await response.text()}`);
  return response.json();
}
