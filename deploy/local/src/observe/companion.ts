import { runProgram, type Home, type Log, type Program } from '@stechuhr/local-infra';
import type { Restartable } from '../keep-running.js';

/** A program that watches the platform; the platform does not need it. */
export interface Companion extends Restartable {
  stop(): Promise<void>;
}

/** Where a companion lives. */
export interface CompanionPlace {
  readonly home: Home;
  readonly port: number;
  readonly log: Log;
}

/** Starts it and waits until it answers; started again, it has the same address and data. */
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

/** Resolves when an address answers as it should. */
export async function answers(url: string, request: RequestInit = {}): Promise<void> {
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(2_000) });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
}
