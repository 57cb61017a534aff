import { createEvent, deletionConsumers, subjectOf, writtenConsumer, type Bus, type ConsumeOptions } from '@stechuhr/bus';
import { newId, type Clock, type Logger } from '@stechuhr/kernel';
import type { Stores } from '@stechuhr/mongo';
import { removeInstitution, removeSuppressionsOfEmployee, removeWhereMissing } from '../operations/forget-deleted.js';
import type { Ports, ReviewEvents, SettingsNeeds } from '../operations/ports.js';

/** The dependencies of the consumers. */
interface Handling {
  readonly ports: Ports;
  settingsNeeds(): SettingsNeeds;
}

interface Dependencies {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Creates events that are stored in an outbox. */
  readonly stores: Pick<Stores<unknown>, 'createEvent'>;
}

/**
 * Creates events. Events about rules are stored in their outbox. A run stores nothing, so its event is lost if NATS is unavailable, but its
 * findings are still returned.
 */
export function reviewEvents({ bus, clock, logger, stores }: Dependencies): ReviewEvents {
  return {
    suppression: (type, { institutionId }, { id, code, employeeId }) =>
      stores.createEvent({ type, institutionId, data: { id, code, employee_id: employeeId }, clock }),
    reviewRan({ institutionId }, run) {
      const event = createEvent({ type: 'reviews.review.ran', institutionId, data: { id: newId(), ...run }, clock });
      bus
        .publish(subjectOf(event), JSON.stringify(event), { msgId: event.id })
        .catch((caught: unknown) => logger.warn({ event_id: event.id, err: caught }, 'reviews.review.ran was not published'));
    },
  };
}

/** Returns the consumers that delete the suppression rules of deleted employees. */
export function employeeDeletedConsumers({ ports, settingsNeeds }: Handling): readonly ConsumeOptions[] {
  return deletionConsumers({
    service: 'reviews',
    kind: 'employee',
    handler: ({ institutionId, id: employeeId, deletedAt }) =>
      removeSuppressionsOfEmployee({ ...ports, ...settingsNeeds() }, { institutionId }, { employeeId, deletedAt }),
  });
}

/** Returns the consumers that delete the settings and all suppression rules of deleted institutions. */
export function institutionDeletedConsumers({ ports, settingsNeeds }: Handling): readonly ConsumeOptions[] {
  return deletionConsumers({
    service: 'reviews',
    kind: 'institution',
    handler: ({ institutionId, deletedAt }) => removeInstitution({ ...ports, ...settingsNeeds() }, { institutionId }, deletedAt),
  });
}

/** Returns the consumer that deletes a suppression rule whose employee or institution was deleted while the rule was written. */
export function suppressionWrittenConsumer({ ports, settingsNeeds }: Handling): ConsumeOptions {
  return writtenConsumer({
    service: 'reviews',
    entity: 'suppression',
    handler: ({ institutionId, employeeId }) => removeWhereMissing({ ...ports, ...settingsNeeds() }, { institutionId }, { employeeId }),
  });
}
