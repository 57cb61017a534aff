import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

/** The document from which clients are generated. */
export const DOCUMENT = join(ROOT, 'docs/openapi.json');

/** Returns the path of a settings file in `clients/`. */
export const settings = (path: string): string => join(ROOT, 'clients', path);

/** Returns the path of a program in this folder that is not TypeScript. */
export const program = (name: string): string => join(ROOT, 'tests/src/generated-clients', name);

/** The command that executes a walk with a client. */
export interface Walker {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** A generated client in one language. */
export interface GeneratedClient {
  readonly language: string;
  /** Fetches the generator. @throws MissingProgram if a required program is not installed */
  provide(log: (line: string) => void): Promise<{
    /** Generates the client into an empty folder and compiles it. */
    generate(folder: string): Promise<Walker>;
  }>;
}
