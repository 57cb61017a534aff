import type { EpochDay } from '@stechuhr/worktime';
import type { WeatherValue } from '../domain/entry-value.js';
import type { ReportKey } from '../domain/report.js';
import type { Tenant } from './tenant.js';

/** A position in degrees. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

export type WeatherReading = Omit<WeatherValue, 'type' | 'time'>;

/** A weather service. All its failures are `unavailable`. */
export interface WeatherProvider {
  /** Returns the position of an address; undefined if the service does not know the place. */
  locate(address: string, signal: AbortSignal): Promise<Position | undefined>;
  /** Returns the readings of a local day by hour, 0 to 23. Readings that are not available yet are left out. */
  readDay(position: Position, date: EpochDay, signal: AbortSignal): Promise<ReadonlyMap<number, WeatherReading>>;
}

/** An institution whose weather this process captures until the lease ends. */
export interface DueCapture {
  readonly institutionId: string;
  readonly until: Date;
}

/** Schedules the capture of weather by institution. Replicas share the schedule: each one takes due institutions under a lease. */
export interface WeatherAgenda {
  /** Takes one of the institutions that have been due the longest. */
  take(): Promise<DueCapture | undefined>;
  /** Schedules the next capture (milliseconds since 1970), unless it has been hastened in the meantime. */
  reschedule(capture: DueCapture, at: number): Promise<void>;
  /** Makes an institution due, because a new report may need a reading. */
  hasten(tenant: Tenant): Promise<void>;
  /** Schedules forms that an older version has stored. */
  adopt(): Promise<void>;
}

/** Claims on reading the weather of a report: one replica at a time, with increasing pauses after failures. */
export interface WeatherClaims {
  /** Claims a report. Returns false while another process works on it, while it is too early to retry, or if it failed too often. */
  claim(tenant: Tenant, report: ReportKey): Promise<boolean>;
  /** Ends a claim, because all readings are complete. */
  release(tenant: Tenant, report: ReportKey): Promise<void>;
  /** Deletes claims on reports before a day. */
  removeBefore(date: EpochDay): Promise<void>;
}
