import { z } from 'zod';
import { importedId } from './imported-id.js';

/**
 * CloudEvents 1.0 in structured JSON mode, with our extension attributes `institutionid` and `traceparent` (docs/rules/events.md#events).
 */
export const cloudEventSchema = z.object({
  specversion: z.literal('1.0'),
  /** UUID; also the `Nats-Msg-Id`, so that duplicates are recognised. */
  id: z.uuid(),
  /** `stechuhr.<service>.<entity>.<verb>.v1` */
  type: z.string(),
  /** `/stechuhr/<service>` */
  source: z.string(),
  /** Id of the record that the event is about; the same as `data.id`. */
  subject: z.string(),
  /** Instant in UTC. */
  time: z.iso.datetime(),
  datacontenttype: z.literal('application/json'),
  dataschema: z.string(),
  /** W3C Trace Context of the request that caused it. */
  traceparent: z.string().optional(),
  institutionid: importedId(),
  data: z.looseObject({ id: z.string() }),
});

/** An event as it is published on the bus and stored in an outbox. */
export type CloudEvent = z.infer<typeof cloudEventSchema>;
