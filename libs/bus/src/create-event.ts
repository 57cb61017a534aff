import { eventSubject, type CloudEvent, type EventType } from '@stechuhr/contracts';
import { newId, type Clock } from '@stechuhr/kernel';
import { activeTraceparent } from './tracing.js';

/** The fields of an event that its creator provides. */
export interface EventInput {
  readonly type: EventType;
  readonly institutionId: string;
  /** Ids and numbers, by the catalogue; `id` is the record's. */
  readonly data: { readonly id: string } & Readonly<Record<string, unknown>>;
  readonly clock: Clock;
}

/** Makes an event ready for an outbox: with a new id, the present time and the trace of the active span. */
export function createEvent({ type, institutionId, data, clock }: EventInput): CloudEvent {
  const traceparent = activeTraceparent();
  return {
    specversion: '1.0',
    id: newId(),
    type: `stechuhr.${type}.v1`,
    source: `/stechuhr/${type.split('.')[0]}`,
    subject: data.id,
    time: new Date(clock.now()).toISOString(),
    datacontenttype: 'application/json',
    dataschema: `urn:stechuhr:event:${type}:v1`,
    ...(traceparent !== undefined && { traceparent }),
    institutionid: institutionId,
    data,
  };
}

/** The subject that an event is published on: `stechuhr.events.<institution_id>.<service>.<entity>.<verb>`. */
export function subjectOf(event: Pick<CloudEvent, 'type' | 'institutionid'>): string {
  const type = event.type.replace(/^stechuhr\.|\.v\d+$/g, '');
  // An event in an outbox was made by createEvent, which takes types of the catalogue alone.
  return eventSubject(event.institutionid, type as EventType);
}
