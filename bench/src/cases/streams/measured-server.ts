import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { Home, startNats } from '@stechuhr/local-infra';

const KIB_PER_MIB = 1_024;

/** A connection that waits for whatever a large stream makes the server do first. */
export interface Client {
  readonly connection: NatsConnection;
  readonly jetstream: JetStreamClient;
  readonly manager: JetStreamManager;
}

/** A NATS of one run, in a temporary folder, whose process can be looked at. */
export interface MeasuredServer {
  connect(): Promise<Client>;
  /** MiB of the process, now and at most. */
  memory(): { readonly now: number; readonly peak: number };
  /** Milliseconds of CPU time since it was started; unlike a rate it hardly depends on what else the machine does. */
  cpuMs(): number;
  /** @returns milliseconds until it served again */
  restart(how: 'stop' | 'kill'): Promise<number>;
  close(): Promise<void>;
}

export async function startMeasuredServer(configuration: string): Promise<MeasuredServer> {
  const home = await Home.temporary();
  const pidFile = join(home.folder('data', 'nats'), 'pid');
  const server = await startNats({ home, own: true, configuration: `pid_file: ${JSON.stringify(pidFile)}\n${configuration}` });
  const ofProcess = (file: string): string => readFileSync(`/proc/${readFileSync(pidFile, 'utf8').trim()}/${file}`, 'utf8');
  return {
    async connect() {
      const connection = await connect({ servers: server.address, noAsyncTraces: true, maxReconnectAttempts: -1 });
      const options = { timeout: 120_000, checkAPI: false };
      return { connection, jetstream: jetstream(connection, options), manager: await jetstreamManager(connection, options) };
    },
    cpuMs() {
      // What follows the name of the program, which is in brackets: times in hundredths of a second are the 12th and 13th field of it.
      const fields = ofProcess('stat').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    memory() {
      const status = ofProcess('status');
      const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / KIB_PER_MIB;
      return { now: field('VmRSS'), peak: field('VmHWM') };
    },
    async restart(how) {
      await server[how]();
      const startedAt = performance.now();
      await server.restart();
      return performance.now() - startedAt;
    },
    async close() {
      await server.stop();
      await home.close();
    },
  };
}
