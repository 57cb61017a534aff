import { ownTimeLimit } from '@stechuhr/kernel';
import type { Output } from '../output.js';
import { findPlatform, servicesWithData } from '../platform.js';
import { table } from '../table.js';
import { readOutboxes, type Outbox } from './outbox-metrics.js';

/** The pending messages of a service's outboxes, or why they are unknown. */
interface ServiceOutboxes {
  readonly service: string;
  readonly outboxes: readonly Outbox[];
  readonly problem: string | null;
}

/** Services query their servers when metrics are read, and some of those may be unavailable. */
const TIMEOUT_MS = 10_000;

/** They report each outbox, also an empty one, unless their database does not answer in time. */
const WITH_OUTBOXES: ReadonlySet<string> = new Set(['gateway', ...servicesWithData]);

/**
 * Prints the pending messages of all services.
 * @returns 1 if a service did not answer
 */
export async function runStatus(output: Output): Promise<number> {
  const services = await Promise.all([...findPlatform().adminAddresses()].map(([name, address]) => statusOf(name, address)));
  return output.result(services, () => describe(services), services.some(({ problem }) => problem !== null) ? 1 : 0);
}

async function statusOf(service: string, address: string): Promise<ServiceOutboxes> {
  try {
    const answer = await fetch(`http://${address}/metrics`, { signal: ownTimeLimit(TIMEOUT_MS) });
    const text = await answer.text();
    if (!answer.ok) return { service, outboxes: [], problem: `${address} answers ${String(answer.status)}.` };
    const outboxes = readOutboxes(text);
    const isSilent = outboxes.length === 0 && WITH_OUTBOXES.has(service);
    return { service, outboxes, problem: isSilent ? `${address} does not report its outboxes. ${SILENT}` : null };
  } catch (caught) {
    return { service, outboxes: [], problem: `${address} does not answer: ${caught instanceof Error ? caught.message : String(caught)}` };
  }
}

const SILENT = 'Either its database does not answer in time, or it runs without metrics.';

function describe(services: readonly ServiceOutboxes[]): string {
  const rows = services.flatMap(({ service, outboxes }) =>
    outboxes.map(({ store, documents, age_seconds }) => [
      service,
      store,
      String(documents),
      documents === 0 ? '–' : `${String(age_seconds)} s`,
    ]),
  );
  const problems = services.flatMap(({ service, problem }) => (problem === null ? [] : [`${service}: ${problem}`]));
  const where = problems.length === 0 ? '' : ' in the services that answered';
  const waiting = services.flatMap(({ outboxes }) => outboxes).reduce((sum, { documents }) => sum + documents, 0);
  const summary =
    waiting === 0
      ? `No events are waiting${where}.`
      : `${String(waiting)} documents have waiting events. If the number does not fall, check NATS with "doctor".`;
  return [table(['service', 'store', 'documents', 'oldest'], rows), ...problems, summary].join('\n');
}
