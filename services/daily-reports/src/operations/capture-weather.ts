import { AppError, newId, type Logger } from '@stechuhr/kernel';
import { localDayOf, type EpochDay, type EpochSecond } from '@stechuhr/worktime';
import { groupHash, type Grouped } from '../domain/entry.js';
import { activeForm, type Form } from '../domain/form.js';
import type { ReportKey } from '../domain/report.js';
import { statusOf } from '../domain/status.js';
import { dueSlots, hourOfSlot, nextSlotAt, WEATHER_DAYS_BACK, type WeatherSlot } from '../domain/weather-slots.js';
import type { EntryDraft, Ports, Project } from './ports.js';
import { recordEntries } from './record-entries.js';
import type { Tenant } from './tenant.js';
import type { WeatherAgenda, WeatherClaims, WeatherProvider, WeatherReading } from './weather-port.js';

export interface CaptureContext {
  readonly ports: Ports;
  readonly weather: WeatherProvider;
  readonly agenda: WeatherAgenda;
  readonly claims: WeatherClaims;
  /** Returns the projects with daily reports. */
  projectsOf(tenant: Tenant, signal: AbortSignal): Promise<readonly Project[]>;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

const PAGE = 200;
/** The pause until an institution is checked again, in seconds: if a reading is missing, and if all are complete. */
const PAUSE = { incomplete: 5 * 60, complete: 30 * 60 } as const;

/** So that an institution with thousands of drafts, or an answer that takes long, does not hold up all others. */
const INSTITUTIONS_AT_A_TIME = 8;

/**
 * Writes the weather of all slots that have passed into the drafts that need it, institution by institution until none is due. Weather alone
 * does not create a report, because most projects have no work on most days. An existing reading is never replaced.
 */
export async function captureWeather(context: CaptureContext): Promise<void> {
  await Promise.all(Array.from({ length: INSTITUTIONS_AT_A_TIME }, () => captureDue(context)));
  await context.claims.removeBefore(localDayOf(context.ports.clock.now() / 1000) - WEATHER_DAYS_BACK);
}

/** Captures one institution after the other until none is due. */
async function captureDue(context: CaptureContext): Promise<void> {
  const { ports, agenda, logger, signal } = context;
  const now = (): EpochSecond => ports.clock.now() / 1000;
  while (!signal.aborted) {
    const due = await agenda.take();
    if (due === undefined) return;
    const next = await captureInstitution(context, due, now()).catch((caught: unknown) => {
      // The claim delays this report; the other reports are processed next time.
      logger.warn({ institution_id: due.institutionId, err: caught }, 'weather was not captured');
      return now() + PAUSE.incomplete;
    });
    await agenda.reschedule(due, next * 1000);
  }
}

/** Captures the weather of one institution. @returns when to check it again */
async function captureInstitution(context: CaptureContext, { institutionId }: Tenant, now: EpochSecond): Promise<EpochSecond> {
  const { ports, signal } = context;
  const tenant = { institutionId };
  const today = localDayOf(now);
  let isMissing = false;
  const [forms, projects] = await Promise.all([ports.forms.list(tenant), context.projectsOf(tenant, signal)]);
  const addresses = new Map(projects.map(({ id, address }) => [id, address]));
  for (let date = today; date >= today - WEATHER_DAYS_BACK; date -= 1) {
    const slots = dueSlots(activeForm(forms, date), date, now);
    if (slots.length === 0) continue;
    for await (const reports of draftsOfDay(ports, tenant, { date, projectIds: [...addresses.keys()] })) {
      for (const { report, missing } of await withMissingSlots(ports, tenant, { reports, slots })) {
        const capture = { report, slots: missing, address: addresses.get(report.tagId) ?? '' };
        const isComplete = (await context.claims.claim(tenant, report)) && (await captureReport(context, tenant, capture));
        if (isComplete) await context.claims.release(tenant, report);
        else isMissing = true;
      }
    }
  }
  return nextCheckAt(activeForm(forms, today), now, isMissing);
}

/** Returns when to check an institution again: at the next slot of the day, but early enough for missing readings and new reports. */
function nextCheckAt(form: Form, now: EpochSecond, isMissing: boolean): EpochSecond {
  const pause = now + (isMissing ? PAUSE.incomplete : PAUSE.complete);
  return Math.min(pause, nextSlotAt(form, localDayOf(now), now) ?? pause);
}

interface Day {
  readonly date: EpochDay;
  readonly projectIds: readonly string[];
}

async function* draftsOfDay({ reports }: Ports, tenant: Tenant, { date, projectIds }: Day): AsyncGenerator<readonly ReportKey[]> {
  const day = { range: { from: date, until: date }, projectIds, statuses: ['draft'] as const, ascending: true, limit: PAGE };
  for (let offset = 0, count = 1; offset < count; offset += PAGE) {
    const page = await reports.sizes(tenant, { ...day, offset });
    count = page.count;
    yield page.results;
  }
}

interface Candidates {
  readonly reports: readonly ReportKey[];
  readonly slots: readonly WeatherSlot[];
}

async function withMissingSlots({ entries }: Ports, tenant: Tenant, { reports, slots }: Candidates) {
  const hashOf = (report: ReportKey, slot: WeatherSlot) => groupHash(grouped(report, slot));
  const groups = reports.flatMap((report) => slots.map((slot) => hashOf(report, slot)));
  const heads = await entries.headsOf(tenant, groups);
  return reports
    .map(({ tagId, date }) => ({ tagId, date }))
    .map((report) => ({ report, missing: slots.filter((slot) => !heads.has(hashOf(report, slot))) }))
    .filter(({ missing }) => missing.length > 0);
}

interface Capture {
  readonly report: ReportKey;
  readonly slots: readonly WeatherSlot[];
  readonly address: string;
}

/** Captures the weather of one report. @returns whether no slot is missing any more */
async function captureReport(context: CaptureContext, tenant: Tenant, { report, slots, address }: Capture): Promise<boolean> {
  const { ports, weather, logger, signal } = context;
  const position = await weather.locate(address, signal);
  if (position === undefined) {
    logger.info({ institution_id: tenant.institutionId, tag_id: report.tagId }, 'the weather service does not know the place of a project');
    return false;
  }
  const readings = await weather.readDay(position, report.date, signal);
  const drafts = slots.flatMap((slot) => {
    const reading = readings.get(hourOfSlot(report.date, slot));
    return reading === undefined ? [] : [draftOf(slot, reading, ports)];
  });
  try {
    await recordEntries(ports, tenant, { report, drafts, judge: () => judgeDraft(ports, tenant, report) });
  } catch (caught) {
    if (caught === HANDED_IN) return true;
    throw caught;
  }
  return drafts.length === slots.length;
}

const HANDED_IN = new AppError('invalid', 'The report is no draft any more.');

/** Checks the status again, because the report may have been submitted or archived while the weather service responded. */
async function judgeDraft({ reports }: Ports, tenant: Tenant, report: ReportKey): Promise<number> {
  const { revision, changes } = await reports.logOf(tenant, report);
  if (statusOf(changes) !== 'draft') throw HANDED_IN;
  return revision;
}

function draftOf({ fieldId, time }: WeatherSlot, reading: WeatherReading, { clock }: Ports): EntryDraft {
  const now = Math.floor(clock.now() / 1000);
  return {
    id: newId(),
    fieldId,
    value: { type: 'weather', time, ...reading },
    authorId: null,
    onBehalfOfId: null,
    burned: false,
    submittedAt: null,
    createdAt: now,
    modifiedAt: now,
    isNeedless: (newest) => newest !== undefined,
  };
}

function grouped(report: ReportKey, { fieldId, time }: WeatherSlot): Grouped {
  const unknown = { temperature: null, weatherCondition: null, precipitation: null, cloudCover: null, wind: null };
  return { ...report, fieldId, onBehalfOfId: null, value: { type: 'weather', time, ...unknown } };
}
