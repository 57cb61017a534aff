import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { Home, startNats } from '@stechuhr/local-infra';

const KIB_PER_MIB = 1_024;

/** A connection with long timeouts, because the server may be busy with a large stream. */
export interface Client {
  readonly connection: NatsConnection;
  readonly jetstream: JetStreamClient;
  readonly manager: JetStreamManager;
}

/** The NATS server of one run, in a temporary folder, with measurements of its process. */
export interface MeasuredServer {
  connect(): Promise<Client>;
  /** Resident memory of the process in MiB: current and peak. */
  memory(): { readonly now: number; readonly peak: number };
  /** CPU time in milliseconds since the start. Unlike a rate, it hardly depends on the load of the machine. */
  cpuMs(): number;
  /** Restarts the server. @returns milliseconds until it serves again */
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
      // After the program name in parentheses, the 12th and 13th field are user and system time in hundredths of a second (proc(5)).
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
