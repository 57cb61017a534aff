import { PubHeaders } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { MAPPING_PROBE, partitionedStreams } from '@stechuhr/contracts';
import type { Link } from './link.js';

const { ingest } = partitionedStreams;

/**
 * A line for the configuration of an account of NATS, with which the server adds slots to the subjects of live objects (ADR 40). In single quotation
 * marks, because logs redact what is between double ones.
 */
export const SLOT_MAPPING = `mappings { '${ingest.mapping.src}': '${ingest.mapping.dest}' }`;

/**
 * Checks that the server adds slots to the subjects of live objects, as it must before they get partitions: otherwise no stream would take them.
 * @throws Error if it does not, or if this user may not find out; no AppError, whose message logs would redact as that of a publisher
 */
export async function requireSlotMapping(link: Pick<Link, 'connection'>): Promise<void> {
  if (!(await addsSlots(link)))
    throw new Error(`Partitions of live objects need this in the account of NATS, on each server: ${SLOT_MAPPING}`);
}

/** Returns whether the server adds slots to the subjects of live objects; false also if this user may not find out. */
export async function addsSlots({ connection }: Pick<Link, 'connection'>): Promise<boolean> {
  const heard: string[] = [];
  const listening = connection.subscribe(ingest.slotSubject(MAPPING_PROBE) ?? '', {
    callback: (refused, message) => void (refused === null && heard.push(message.subject)),
  });
  try {
    // No stream has this name, so none stores the message.
    const unwanted = headers();
    unwanted.set(PubHeaders.ExpectedStreamHdr, 'NONE');
    connection.publish(MAPPING_PROBE, '', { headers: unwanted });
    // The server answers in order.
    await connection.flush();
  } finally {
    listening.unsubscribe();
  }
  return heard.length > 0;
}
