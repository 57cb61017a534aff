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

/** A weather service. Each of its failures is `unavailable`. */
export interface WeatherProvider {
  /** Undefined where it does not know the place. */
  locate(address: string, signal: AbortSignal): Promise<Position | undefined>;
  /** The readings of a local day by the hour, 0 to 23; those that are not known yet are left out. */
  readDay(position: Position, date: EpochDay, signal: AbortSignal): Promise<ReadonlyMap<number, WeatherReading>>;
}

/** Who asks for the weather of a report: one replica at a time, and after a failure later and later. */
export interface WeatherClaims {
  /** False while another process works on it, while it is too early to retry, and when it failed too often. */
  claim(tenant: Tenant, report: ReportKey): Promise<boolean>;
  /** All readings are there; the claim ends. */
  release(tenant: Tenant, report: ReportKey): Promise<void>;
  /** Forgets reports before a day. */
  removeBefore(date: EpochDay): Promise<void>;
}
