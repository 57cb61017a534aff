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

/** An institution whose weather this process captures until then. */
export interface DueCapture {
  readonly institutionId: string;
  readonly until: Date;
}

/** When the weather of which institution is captured. Replicas share it: each takes what is due under a lease. */
export interface WeatherAgenda {
  /** One of the institutions that have been due for longest. */
  take(): Promise<DueCapture | undefined>;
  /** Looks at it again at a time (milliseconds since 1970), unless somebody has hastened it meanwhile. */
  again(capture: DueCapture, at: number): Promise<void>;
  /** Something new may need a reading. */
  hasten(tenant: Tenant): Promise<void>;
  /** Puts forms on the agenda that a version before it has stored. */
  adopt(): Promise<void>;
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
