import { runProgram, type Home, type Log, type Program } from '@stechuhr/local-infra';
import type { Restartable } from '../keep-running.js';

/** An optional program that observes the platform. */
export interface Companion extends Restartable {
  stop(): Promise<void>;
}

/** The state folder, the port and the log of a companion. */
export interface CompanionPlace {
  readonly home: Home;
  readonly port: number;
  readonly log: Log;
}

/** Starts a program and waits until it answers. A restart keeps its address and data. */
export async function startCompanion(program: Program<string>, { home, port, log }: CompanionPlace): Promise<Companion> {
  const recipe = runProgram(program);
  const place = { home, port, log, folder: home.folder('data', program.name) };
  let current = await recipe.start(place);
  return {
    name: program.name,
    died: () => current.died,
    restart: async () => {
      current = await recipe.start(place);
    },
    stop: () => current.stop(),
  };
}

/** Resolves if a GET request to the URL succeeds. @throws Error if there is no answer within two seconds, or a status other than 2xx */
export async function answers(url: string, request: RequestInit = {}): Promise<void> {
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(2_000) });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
}
