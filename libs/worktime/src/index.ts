export type { Absence, AbsenceCategory, AbsenceType, Contract, Employment, EpochDay, EpochSecond, Timespan, Workday } from './records.js';
