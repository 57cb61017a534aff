import { runProgram, type Home, type Log, type Program } from '@stechuhr/local-infra';
import type { Restartable } from '../keep-running.js';

/** A program that observes the platform, which does not depend on it. */
export interface Companion extends Restartable {
  stop(): Promise<void>;
}

/** Where a companion keeps its state. */
export interface CompanionPlace {
  readonly home: Home;
  readonly port: number;
  readonly log: Log;
}

/** Starts a companion and waits until it answers; after a restart, it has the same address and data. */
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

/** Resolves when an address responds successfully. */
export async function answers(url: string, request: RequestInit = {}): Promise<void> {
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(2_000) });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
}
