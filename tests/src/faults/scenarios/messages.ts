import type { ConsumerInfo, JetStreamManager } from '@nats-io/jetstream';
import { streams, subscriptions } from '@stechuhr/contracts';
import { waitFor } from '@stechuhr/testing';
import type { ClientTools } from '../clients/client-tools.js';
import type { Load } from '../load.js';
import { eventStreamsOf, withManager } from '../servers/jetstream.js';
import type { Stage } from '../stage.js';
import type { Scenario } from './scenario.js';

const SERVICE_CONSUMERS = new Set(subscriptions.flatMap(({ stream, durable }) => (stream === streams.events.name ? [durable] : [])));

export const messages: readonly Scenario[] = [
  {
    group: 'messages',
    // A deleted consumer is recreated and starts with the first event.
    name: 'every event delivered again from the first',
    async strike(stage, load) {
      const rule = await ruleOfReimportedEmployee(load.tools);
      await waitForIdleConsumers(stage);
      const known = new Set(receivedIds(stage));
      const since = stage.receiver.received.length;
      const removed = await removeConsumers(stage);
      await waitForIdleConsumers(stage, removed);
      await load.mostServed();
      const repeated = receivedIds(stage, since).filter((id) => known.has(id));
      load.history.wrong.push(...repeated.map((id) => `webhook: event ${id} was sent again`));
      await expectNotDeleted(load, rule);
    },
  },
];

/** Creates an employee who was deleted, imported again with the same id, and then got an absence rule. @returns the path of the rule */
async function ruleOfReimportedEmployee({ firm, slot, publish, ask }: ClientTools): Promise<string> {
  const line = firm.employee(slot.next(), `${slot.word}Back`);
  const isShown = async (): Promise<boolean> => {
    const answer = await ask('replays', `employees/employees/?ids=${line.id}`);
    if (answer?.status !== 200) throw new Error('The list of employees is not available.');
    return (answer.json as { readonly results: readonly unknown[] }).results.length > 0;
  };
  await publish(line);
  await waitFor(isShown);
  await publish(deletionOf(line.id, firm.institutionId));
  await waitFor(async () => !(await isShown()));
  await publish(line);
  await waitFor(isShown);
  const body = {
    ...{ employee_id: line.id, missing_type: 'vacation', label: 'Back', amount: '1.00', priority: 5 },
    ...{ available_from: '2026-02-01', expires_at: '2026-12-31' },
  };
  return waitFor(async () => {
    const answer = await ask('replays', 'timestamps/absence-rules/', { method: 'POST', body });
    return answer?.status === 201 && `timestamps/absence-rules/${(answer.json as { readonly id: string }).id}/`;
  });
}

const deletionOf = (id: string, institution_id: string) => ({ kind: 'employee', id, institution_id, deleted: true });

/** Expects that a repeated event of an earlier deletion does not delete a record that was written after it. */
async function expectNotDeleted({ tools, history }: Load, path: string): Promise<void> {
  const answer = await waitFor(() => tools.ask('replays', path));
  if (answer.status !== 200) history.wrong.push(`${path} of somebody who came back: ${String(answer.status)}`);
}

function receivedIds({ receiver }: Stage, since = 0): readonly string[] {
  return receiver.received.slice(since).map(({ headers }) => String(headers['webhook-id']));
}

/** Returns the consumers of the services in each event stream. */
async function serviceConsumersOf(manager: JetStreamManager): Promise<readonly ConsumerInfo[]> {
  const found: ConsumerInfo[] = [];
  for (const stream of await eventStreamsOf(manager)) {
    for await (const consumer of manager.consumers.list(stream)) if (SERVICE_CONSUMERS.has(consumer.name)) found.push(consumer);
  }
  return found;
}

/** Removes these consumers. They are recreated and start with the first event. @returns their number */
async function removeConsumers(stage: Stage): Promise<number> {
  return withManager(stage, async (manager) => {
    const found = await serviceConsumersOf(manager);
    for (const { stream_name, name } of found) await manager.consumers.delete(stream_name, name);
    return found.length;
  });
}

/** Waits until every consumer exists and has handled all of its events. */
async function waitForIdleConsumers(stage: Stage, count = SERVICE_CONSUMERS.size): Promise<void> {
  await withManager(stage, (manager) =>
    waitFor(
      async () => {
        const found = await serviceConsumersOf(manager);
        return found.length >= count && found.every(({ num_pending, num_ack_pending }) => num_pending + num_ack_pending === 0);
      },
      { timeoutMs: 300_000 },
    ),
  );
}
