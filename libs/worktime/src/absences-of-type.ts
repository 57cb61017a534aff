import type { Absence, EpochDay } from './records.js';

/** The absence of a type that counts on a date. */
export interface CountedAbsence {
  readonly dayPart: number;
  /** Of the whole day; the day part is not applied. */
  readonly seconds: number;
}

/**
 * The absences of one type, asked day by day in ascending order. On a date, the absence with the largest day part counts; of several, the
 * one with the most hours. It needs no more memory than the absences themselves, and each absence is looked at only a few times, however
 * many of them overlap.
 */
export class AbsencesOfType {
  /** The absences that have not begun, the next one last. */
  readonly #waiting: Absence[];
  /** The absences that have begun, by day part, the largest first. */
  readonly #begun: Begun[] = [];

  constructor(absences: readonly Absence[]) {
    this.#waiting = absences.toSorted((a, b) => b.startsOn - a.startsOn);
  }

  /** @param plannedSeconds the planned time of the day, for absences without hours of their own */
  on(day: EpochDay, plannedSeconds: number): CountedAbsence | undefined {
    for (let next = this.#waiting.at(-1); next !== undefined && next.startsOn <= day; next = this.#waiting.at(-1)) {
      this.#begin(next);
      this.#waiting.pop();
    }
    for (const { dayPart, asPlannedUntil, hours } of this.#begun) {
      const own = hours.on(day);
      const planned = asPlannedUntil >= day ? plannedSeconds : undefined;
      if (own !== undefined || planned !== undefined) return { dayPart, seconds: Math.max((own ?? 0) * 3600, planned ?? 0) };
    }
    return undefined;
  }

  #begin({ dayPart, hoursPerDay, endsOn }: Absence): void {
    let begun = this.#begun.find((one) => one.dayPart === dayPart);
    if (begun === undefined) {
      begun = { dayPart, asPlannedUntil: -Infinity, hours: new MostHours() };
      this.#begun.push(begun);
      this.#begun.sort((a, b) => b.dayPart - a.dayPart);
    }
    if (hoursPerDay === null) begun.asPlannedUntil = Math.max(begun.asPlannedUntil, endsOn);
    else begun.hours.add(hoursPerDay, endsOn);
  }
}

interface Begun {
  readonly dayPart: number;
  /** The last day of the absences whose hours are those that are planned. */
  asPlannedUntil: EpochDay;
  readonly hours: MostHours;
}

/** Finds the most hours of absences that have begun. */
class MostHours {
  /**
   * Only absences that may still count: those with fewer hours last longer. So there are at most as many as the longest absence has days.
   */
  readonly #steps: { readonly hours: number; readonly last: EpochDay }[] = [];

  add(hours: number, last: EpochDay): void {
    const at = this.#steps.findIndex((step) => step.hours <= hours);
    const place = at < 0 ? this.#steps.length : at;
    if ((this.#steps[place - 1]?.last ?? -Infinity) >= last) return;
    let end = place;
    while ((this.#steps[end]?.last ?? Infinity) <= last) end += 1;
    this.#steps.splice(place, end - place, { hours, last });
  }

  on(day: EpochDay): number | undefined {
    while ((this.#steps[0]?.last ?? Infinity) < day) this.#steps.shift();
    return this.#steps[0]?.hours;
  }
}
