import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

/** What clients are generated from. */
export const DOCUMENT = join(ROOT, 'docs/openapi.json');

/** The settings that a reader of `clients/` is told to use. */
export const settings = (path: string): string => join(ROOT, 'clients', path);

/** A program beside these sources, which is not compiled with them. */
export const program = (name: string): string => join(ROOT, 'tests/src/generated-clients', name);

/** How a walk is called through a client. */
export interface Walker {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** A client in one language. */
export interface GeneratedClient {
  readonly language: string;
  /** Fetches the generator. @throws MissingProgram when something is not on this machine */
  provide(log: (line: string) => void): Promise<{
    /** Generates it into an empty folder and compiles it. */
    generate(folder: string): Promise<Walker>;
  }>;
}
