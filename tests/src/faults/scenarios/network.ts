import { setTimeout as pause } from 'node:timers/promises';
import { waitFor, type TcpGate } from '@stechuhr/testing';
import { startReaders } from '../readers.js';
import { STORES } from '../stage.js';
import { WHILE_MS, type Scenario } from './scenario.js';

interface NetworkFault {
  readonly name: string;
  readonly ms: number;
  begin(gate: TcpGate): void;
}

/** Numbers of bytes after which connections are cut, so that cuts occur in the header and in the body of a response. */
const CUTS = [10, 700, 5_000];

const faults: readonly NetworkFault[] = [
  { name: 'latency of 150 ms', ms: WHILE_MS, begin: (gate) => gate.delay(150) },
  { name: 'reset', ms: 500, begin: (gate) => gate.reset() },
  {
    name: 'blackhole',
    ms: 2 * WHILE_MS,
    begin(gate) {
      gate.hold('requests');
      gate.hold('answers');
    },
  },
  { name: 'answers held', ms: 2 * WHILE_MS, begin: (gate) => gate.hold('answers') },
  { name: 'half-open', ms: WHILE_MS / 2, begin: (gate) => gate.halfOpen() },
  ...CUTS.map((bytes): NetworkFault => ({
    name: `cut at byte ${String(bytes)}`,
    ms: WHILE_MS / 3,
    begin: (gate) => gate.resetAfter(bytes),
  })),
];

const QUICK = ['reset to mongodb', 'cut at byte 700 to mongodb', 'reset to nats', 'half-open to redis', 'cut at byte 10 to s3'];

export const network: readonly Scenario[] = STORES.flatMap((store) =>
  faults.map(({ name: fault, ms, begin }): Scenario => {
    const name = `${fault} to ${store}`;
    return {
      group: 'network',
      name,
      isQuick: QUICK.includes(name),
      async strike(stage) {
        for (const gate of stage.gates(store)) begin(gate);
        await pause(ms);
        for (const gate of stage.gates(store)) gate.release();
      },
    };
  }),
);

/** Pairs of services, which cover a request, an export, a job, and a query of a service to records. */
const CONNECTIONS = [
  ['gateway', 'records'],
  ['gateway', 'exports'],
  ['exports', 'records'],
  ['exports', 'tasks'],
  ['worker', 'tasks'],
  ['worker', 'records'],
  ['absence-rules', 'records'],
  ['daily-reports', 'records'],
] as const;

/** Additional reads, enough to involve every service. */
const READS_PER_SECOND = 10;
/** A gRPC ping has 17 bytes; a call is longer than this. */
const MORE_THAN_PING = 64;

/** The same faults on the connection between two services, while everything else works. */
export const betweenServices: readonly Scenario[] = CONNECTIONS.flatMap(([caller, callee]) =>
  faults.map(({ name: fault, ms, begin }): Scenario => ({
    group: 'between services',
    name: `${fault} from ${caller} to ${callee}`,
    serverSetup: 'gates between services',
    async strike(stage, load) {
      const gate = stage.between(caller, callee);
      const readers = startReaders(load.tools, READS_PER_SECOND);
      try {
        await untilCalled(gate);
        begin(gate);
        await pause(ms);
      } finally {
        gate.release();
        await readers.stop();
      }
    },
  })),
);

/** Waits until there is a call, because a fault on an unused connection would prove nothing. */
async function untilCalled(gate: TcpGate): Promise<void> {
  let calls = 0;
  gate.inspect((direction, _, bytes) => {
    if (direction === 'requests' && bytes > MORE_THAN_PING) calls += 1;
    return true;
  });
  await waitFor(() => calls > 1);
  gate.release();
}
