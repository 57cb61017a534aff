import { randomUUID } from 'node:crypto';
import { createEvent, subjectOf } from '@stechuhr/bus';
import { systemClock } from '@stechuhr/kernel';

/** An event of a run, and its serialized form. */
export interface MadeEvent {
  readonly event: ReturnType<typeof createEvent>;
  readonly subject: string;
  readonly payload: string;
}

/** Creates events of an institution that is unique to the run, so that the run can filter for its own events. */
export function madeEvents(count: number): { readonly filterSubject: string; readonly events: readonly MadeEvent[] } {
  const institutionId = randomUUID();
  const events = Array.from({ length: count }, () => {
    const event = createEvent({ type: 'records.workday.changed', institutionId, data: { id: randomUUID() }, clock: systemClock });
    return { event, subject: subjectOf(event), payload: JSON.stringify(event) };
  });
  return { filterSubject: `stechuhr.events.${institutionId}.>`, events };
}
