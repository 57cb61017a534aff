import { randomUUID } from 'node:crypto';
import { createEvent, subjectOf } from '@stechuhr/bus';
import { systemClock } from '@stechuhr/kernel';

/** An event of a run, also as it goes over the wire. */
export interface MadeEvent {
  readonly event: ReturnType<typeof createEvent>;
  readonly subject: string;
  readonly payload: string;
}

/** Events of an institution that no other run has, so that each run finds its own again. */
export function madeEvents(count: number): { readonly filterSubject: string; readonly events: readonly MadeEvent[] } {
  const institutionId = randomUUID();
  const events = Array.from({ length: count }, () => {
    const event = createEvent({ type: 'records.workday.changed', institutionId, data: { id: randomUUID() }, clock: systemClock });
    return { event, subject: subjectOf(event), payload: JSON.stringify(event) };
  });
  return { filterSubject: `stechuhr.events.${institutionId}.>`, events };
}
