import { z } from 'zod';
import { importedId } from './imported-id.js';

/**
 * CloudEvents 1.0 in structured JSON mode, with our extension attributes `institutionid` and `traceparent` (docs/rules/events.md#events).
 */
export const cloudEventSchema = z.object({
  specversion: z.literal('1.0'),
  id: z.uuid().describe('Also the header Nats-Msg-Id. Events that repeat it are the same event.'),
  type: z.string().describe('stechuhr.<service>.<entity>.<verb>.v1'),
  source: z.string().describe('/stechuhr/<service>'),
  subject: z.string().describe('Id of the record that the event is about; the same as data.id.'),
  time: z.iso.datetime().describe('When it happened, as an instant in UTC.'),
  datacontenttype: z.literal('application/json'),
  dataschema: z.string().describe('urn:stechuhr:event:<service>.<entity>.<verb>:v1'),
  traceparent: z.string().optional().describe('W3C Trace Context of the request that caused it.'),
  institutionid: importedId().describe('The institution, as in the subject of the message.'),
  data: z.looseObject({ id: z.string() }),
});

/** An event as it is published on the bus and stored in an outbox. */
export type CloudEvent = z.infer<typeof cloudEventSchema>;
