import type { EpochDay } from '@stechuhr/worktime';
import type { WeatherValue } from '../domain/entry-value.js';
import type { ReportKey } from '../domain/report.js';
import type { Tenant } from './tenant.js';

/** In degrees. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

export type WeatherReading = Omit<WeatherValue, 'type' | 'time'>;

/** A weather service. All its failures are `unavailable`. */
export interface WeatherProvider {
  /** Undefined if the place is unknown. */
  locate(address: string, signal: AbortSignal): Promise<Position | undefined>;
  /** The readings of a local day by hour, 0 to 23; hours without a reading are left out. */
  readDay(position: Position, date: EpochDay, signal: AbortSignal): Promise<ReadonlyMap<number, WeatherReading>>;
}

/** An institution whose weather this process captures until a certain time. */
export interface DueCapture {
  readonly institutionId: string;
  readonly until: Date;
}

/** Schedules when the weather of each institution is captured. Replicas share the work: each takes due institutions under a lease. */
export interface WeatherAgenda {
  /** One of the institutions that have been due for longest. */
  take(): Promise<DueCapture | undefined>;
  /** Sets the time of the next check (milliseconds since 1970), unless it was hastened meanwhile. */
  again(capture: DueCapture, at: number): Promise<void>;
  /** Makes an institution due at once, because something new may need a reading. */
  hasten(tenant: Tenant): Promise<void>;
  /** Schedules forms that an earlier version has stored. */
  adopt(): Promise<void>;
}

/** Claims on reading the weather of a report: one replica at a time, with growing pauses after failures. */
export interface WeatherClaims {
  /** @returns false while another process works on it, while it is too early to retry, or after too many failures */
  claim(tenant: Tenant, report: ReportKey): Promise<boolean>;
  /** Ends the claim, because all readings are available. */
  release(tenant: Tenant, report: ReportKey): Promise<void>;
  /** Removes claims of reports before a day. */
  removeBefore(date: EpochDay): Promise<void>;
}
