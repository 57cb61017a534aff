import type { BusMessage, ConsumeOptions } from '@stechuhr/bus';
import { handedOver, handOverSubject, streams } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { SETTINGS_KIND } from '../domain/settings-line.js';
import { ingestSettings } from '../operations/ingest-settings.js';
import type { SettingsContext } from '../operations/write-settings.js';

const CONCURRENCY = 4;
/** An institution may come a little later than its settings (decisions: Events and live subjects). */
const DELIVERIES = 4;

/** Takes the live settings that the records service hands over. */
export function liveSettingsConsumer(context: SettingsContext, backoffMs?: readonly number[]): ConsumeOptions {
  return {
    stream: streams.jobs.name,
    durable: 'reviews-settings',
    filterSubject: handOverSubject('*', SETTINGS_KIND),
    concurrency: CONCURRENCY,
    deadLetter: 'ingest',
    maxAttempts: DELIVERIES,
    ...(backoffMs && { backoffMs }),
    handler: (message) => onLiveSettings(context, message),
  };
}

async function onLiveSettings(context: SettingsContext, message: BusMessage): Promise<void> {
  const origin = handedOver((name) => message.header(name));
  if (origin === undefined) throw new AppError('invalid', 'The message was not handed over.');
  await ingestSettings(context, { ...origin, json: message.text() });
}
