import { createEvent, deletionConsumers, subjectOf, type Bus, type ConsumeOptions } from '@stechuhr/bus';
import type { CloudEvent } from '@stechuhr/contracts';
import { timeOrderedIdFrom, type Clock, type Logger } from '@stechuhr/kernel';
import type { RepeatedRemovals, Stores } from '@stechuhr/mongo';
import { formatLocalDate } from '@stechuhr/worktime';
import { reportId } from '../domain/report.js';
import { forgetInstitution } from '../operations/forget-deleted.js';
import type { DailyReportEvents, IngestNeeds, PhotoBin } from '../operations/ports.js';

interface Dependencies {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Creates events that are stored in an outbox. */
  readonly stores: Pick<Stores<unknown>, 'createEvent'>;
}

/**
 * Creates events. Events about stored documents are stored in their outbox. Other facts have no outbox: if NATS is unavailable their events
 * are lost, but the operations succeed.
 */
export function dailyReportEvents({ bus, clock, logger, stores }: Dependencies): DailyReportEvents {
  const publish = (event: CloudEvent): void => {
    bus
      .publish(subjectOf(event), JSON.stringify(event), { msgId: event.id })
      .catch((caught: unknown) => logger.warn({ event_id: event.id, err: caught }, `${event.type} was not published`));
  };
  return {
    recorded({ institutionId }, { id, tagId, date, burned }) {
      const type = burned ? 'daily-reports.entry.burned' : 'daily-reports.entry.recorded';
      return stores.createEvent({ type, institutionId, data: { id, tag_id: tagId, date: formatLocalDate(date) }, clock });
    },
    removed: ({ institutionId }, { id, tagId, date }) =>
      stores.createEvent({
        type: 'daily-reports.entry.removed',
        institutionId,
        data: { id, tag_id: tagId, date: formatLocalDate(date) },
        clock,
      }),
    statusChanged: ({ institutionId }, report, { from, to }) =>
      stores.createEvent({ type: 'daily-reports.report.status-changed', institutionId, data: { id: reportId(report), from, to }, clock }),
    autofilled: ({ institutionId }, report, { markId, fieldIds }) =>
      stores.createEvent({
        type: 'daily-reports.report.autofilled',
        institutionId,
        data: { id: reportId(report), fields: [...fieldIds] },
        clock,
        id: timeOrderedIdFrom(markId, JSON.stringify(fieldIds)),
      }),
    formConfigured: ({ institutionId }, id) =>
      stores.createEvent({ type: 'daily-reports.form.configured', institutionId, data: { id }, clock }),
    rendered({ institutionId }, report) {
      publish(createEvent({ type: 'daily-reports.report.rendered', institutionId, data: { id: reportId(report) }, clock }));
    },
    tokenIssued({ institutionId, accountId }, photoId) {
      const data = { id: photoId, account_id: accountId };
      publish(createEvent({ type: 'daily-reports.photo.token-issued', institutionId, data, clock }));
    },
  };
}

/** Returns the consumers that delete the daily reports of deleted institutions. */
export function institutionDeletedConsumers(
  needs: IngestNeeds,
  removing: { readonly bin: PhotoBin; readonly removals: Pick<RepeatedRemovals, 'plan'> },
): readonly ConsumeOptions[] {
  return deletionConsumers({
    service: 'daily-reports',
    kind: 'institution',
    handler: (deletion) => forgetInstitution({ ...needs, ...removing }, deletion),
  });
}
