import { formatLocalDate, type EpochDay } from '@stechuhr/worktime';
import type { FirmEmployee } from './firm-employee.js';
import { firmId } from './firm-id.js';

const COMMENTS = ['Schalung gestellt', 'Betonage, 2. Abschnitt', 'Prüfung "Nord"', 'Übergabe an Kolonne 4'];
const DAY_MINUTES = 24 * 60;

/** One shift of about eight hours with a break in it; clocks never change while it begins, pauses or ends. */
export function shiftRecord(employee: FirmEmployee, day: EpochDay): object {
  const { number, n, random, reference } = employee;
  const id = n * 100_000 + day;
  const begin = (employee.atNight ? 20 * 60 : 6 * 60) + Math.floor(random() * 120);
  const pause = begin + 220 + Math.floor(random() * 40);
  const shortened = employee.careless && random() < 0.03;
  const goOn = pause + (shortened ? 15 : 30 + 5 * Math.floor(random() * 4));
  const end = goOn + 235 + Math.floor(random() * 40);
  const at = (minute: number): string => localDateTime(day, minute);
  const timespans = [
    { type: 'work', started_at: at(begin), ended_at: at(pause), ...task(employee) },
    { type: 'break', started_at: at(pause), ended_at: at(goOn), project_id: null, comment: null },
    { type: 'work', started_at: at(goOn), ended_at: at(end), ...task(employee) },
  ].map((timespan, index) => ({ id: firmId(number, 'timespan', id * 4 + index), ...timespan }));
  const edits = random() < 0.02 ? [{ at: at(end + 5), by: 'manager' }] : [];
  const times = { date: formatLocalDate(day), started_at: at(begin), ended_at: at(end) };
  return { kind: 'workday', id: firmId(number, 'workday', id), ...reference, ...times, timespans, edits };
}

function task({ number, random, projects }: FirmEmployee): { project_id: string; comment: string | null } {
  const comment = random() < 0.15 ? (COMMENTS[Math.floor(random() * COMMENTS.length)] ?? null) : null;
  return { project_id: firmId(number, 'project', Math.floor(random() * projects)), comment };
}

function localDateTime(day: EpochDay, minute: number): string {
  const date = formatLocalDate(day + Math.floor(minute / DAY_MINUTES));
  const ofDay = minute % DAY_MINUTES;
  return `${date}T${two(Math.floor(ofDay / 60))}:${two(ofDay % 60)}:00`;
}

const two = (value: number): string => String(value).padStart(2, '0');
