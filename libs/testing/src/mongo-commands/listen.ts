/**
 * Logs how a process accesses MongoDB: `node --import …/listen.js main.js` appends a line for every new kind of command to a file in
 * `STECHUHR_TEST_COMMANDS`. It wraps a method of the driver, because the driver's command monitoring would decode all data that is read.
 */
import { appendFileSync } from 'node:fs';
import Module from 'node:module';
import { basename, join } from 'node:path';
import { addressingsOf } from './addressing.js';
import type { LoggedAddressing } from './command-log.js';

type Command = Readonly<Record<string, unknown>>;
type Send = (this: unknown, namespace: { readonly db: string }, command: Command, ...rest: unknown[]) => unknown;
interface Connections {
  readonly Connection?: { readonly prototype?: { command?: Send; readonly sendCommand?: unknown } };
}

const loader = Module as unknown as { _load: (this: unknown, request: string, ...rest: unknown[]) => unknown };
const folder = process.env.STECHUHR_TEST_COMMANDS;
const service = basename(process.cwd());
const known = new Set<string>();

if (folder !== undefined) {
  const file = join(folder, `${service}-${String(process.pid)}.ndjson`);
  const load = loader._load;
  loader._load = function (request, ...rest) {
    const loaded = load.call(this, request, ...rest);
    // With telemetry, not every load of the driver's module passes through here, and mongoose has a module with the same name.
    if (request.endsWith('/connection')) listen(loaded as Connections, file);
    return loaded;
  };
}

const listening = new WeakSet<object>();

function listen(loaded: Connections | null | undefined, file: string): void {
  const connection = loaded?.Connection?.prototype;
  const send = connection?.command;
  if (connection?.sendCommand === undefined || send === undefined || listening.has(connection)) return;
  listening.add(connection);
  connection.command = function (namespace, command, ...rest) {
    note(command, file);
    return send.call(this, namespace, command, ...rest);
  };
}

function note(command: Command, file: string): void {
  for (const addressing of addressingsOf(command)) {
    const logged: LoggedAddressing = { service, ...addressing };
    const line = JSON.stringify(logged);
    if (known.has(line)) continue;
    known.add(line);
    appendFileSync(file, `${line}\n`);
  }
}
