import { createEvent, subjectOf, type Bus } from '@stechuhr/bus';
import { newId, type Clock } from '@stechuhr/kernel';
import type { Logger } from '@stechuhr/service';
import type { ExportEvents } from '../operations/ports.js';

interface Dependencies {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Creates the events of exports. This service has no database and so no outbox: if NATS is unavailable the event is lost, but the file is
 * still returned.
 */
export function createExportEvents({ bus, clock, logger }: Dependencies): ExportEvents {
  return {
    exportRan({ institutionId, exporter, format, rows, skipped }) {
      const data = { id: newId(), exporter, export_format: format, rows, skipped };
      const event = createEvent({ type: 'exports.export.ran', institutionId, data, clock });
      bus.publish(subjectOf(event), JSON.stringify(event), { msgId: event.id }).catch((caught: unknown) => {
        logger.warn({ event_id: event.id, err: caught }, 'exports.export.ran was not published');
      });
    },
  };
}
