import { browseV1, recordsV1 } from '@stechuhr/contracts';
import { formatLocalDate, formatLocalDateTime } from '@stechuhr/worktime';
import { example } from '../openapi/parameters.js';
import { field, listField, localTimeOf, present, shapeOf, wordFor } from '../openapi/shape.js';
import { date, integer, localDateTime, number, text, uuid, word } from '../openapi/values.js';
import { recordGroup } from './group.js';

const { RecordGroup } = browseV1;
const { ApplicationStatus, Editor, TimespanType } = recordsV1;

const WORKDAY_ID = '56601ab7-a8e2-54fc-826e-ecd9ea844c00';
const DAY = '2026-10-05';
const START = `${DAY}T07:00:00`;
const END = `${DAY}T15:43:00`;

const types = { [TimespanType.TIMESPAN_TYPE_WORK]: 'work', [TimespanType.TIMESPAN_TYPE_BREAK]: 'break' };
const editors = { [Editor.EDITOR_EMPLOYEE]: 'employee', [Editor.EDITOR_MANAGER]: 'manager', [Editor.EDITOR_SYSTEM]: 'system' };

const spanId = field(uuid('Id.'), '56601ab7-a8e2-54fc-826e-ecd9ea844c01', ({ id }: recordsV1.Timespan) => id);
const spanFields = {
  type: field(word(['work', 'break'], 'Whether it is work or a break.'), 'work', ({ type }: recordsV1.Timespan) => wordFor(types, type)),
  started_at: field(localDateTime('Start.'), START, ({ startedAt }: recordsV1.Timespan) => formatLocalDateTime(startedAt)),
  ended_at: field(localDateTime('End; null while it has not ended.').nullable(), END, ({ endedAt }: recordsV1.Timespan) =>
    localTimeOf(endedAt),
  ),
  project_id: field(uuid('Id of the project.').nullable(), example.project, ({ projectId }: recordsV1.Timespan) => projectId ?? null),
  comment: field(text('Comment.').nullable(), 'Schalung 2. OG', ({ comment }: recordsV1.Timespan) => comment ?? null),
};

const edit = shapeOf<recordsV1.Edit>({
  at: field(localDateTime('When the change was made.'), '2026-10-06T08:12:00', ({ at }) => formatLocalDateTime(at)),
  by: field(word(['employee', 'manager', 'system'], 'Who made the change.'), 'manager', ({ by }) => wordFor(editors, by)),
});

export const workdays = recordGroup({
  name: 'workdays',
  wireGroup: RecordGroup.RECORD_GROUP_WORKDAYS,
  path: 'timestamps/workdays',
  titles: ['Workday', 'Workdays'],
  descriptions: ['One workday.', 'Tracked shifts with their timespans.'],
  $case: 'workday',
  from: ({ employeeId, workday }) => ({ ...present(workday, 'workday'), employeeId }),
})({
  id: field(uuid('Id.'), WORKDAY_ID, ({ id }) => id),
  employee_id: field(uuid('Id of the employee.'), example.employee, ({ employeeId }) => employeeId),
  date: field(date('Day to which the workday belongs.'), DAY, (workday) => formatLocalDate(workday.date)),
  started_at: field(localDateTime('Start.'), START, ({ startedAt }) => formatLocalDateTime(startedAt)),
  ended_at: field(localDateTime('End; null while it has not ended.').nullable(), END, ({ endedAt }) => localTimeOf(endedAt)),
  timespans: listField(shapeOf<recordsV1.Timespan>({ id: spanId, ...spanFields }), (workday) => workday.timespans),
  edits: listField(edit, ({ edits }) => edits, 'Changes after the workday was recorded.'),
});

export const timespans = recordGroup({
  name: 'timespans',
  wireGroup: RecordGroup.RECORD_GROUP_TIMESPANS,
  path: 'timestamps/timespans',
  titles: ['Timespan', 'Timespans'],
  descriptions: ['One timespan.', 'Work and breaks inside workdays.'],
  note: '`created_at` and `modified_at` of a timespan are those of its workday.',
  $case: 'timespan',
  from: ({ timespan, ...day }) => ({ ...present(timespan, 'timespan'), ...day }),
})({
  id: spanId,
  employee_id: field(uuid('Id of the employee.'), example.employee, ({ employeeId }) => employeeId),
  workday_id: field(uuid('Id of the workday.'), WORKDAY_ID, ({ workdayId }) => workdayId),
  date: field(date('Day to which the workday belongs.'), DAY, (timespan) => formatLocalDate(timespan.date)),
  ...spanFields,
});

export const workmonths = recordGroup({
  name: 'workmonths',
  wireGroup: RecordGroup.RECORD_GROUP_WORKMONTHS,
  path: 'timestamps/workmonths',
  titles: ['Workmonth', 'Workmonths'],
  descriptions: ['One month of an employee.', 'The months in which employees have tracked time or a balance.'],
  note: 'A workmonth is created with its first workday.',
  $case: 'workmonth',
  from: ({ employeeId, workmonth }) => ({ ...present(workmonth, 'workmonth'), employeeId }),
})({
  id: field(uuid('Id.'), 'abb736be-0a1a-5e42-a594-6bb0deeab9c6', ({ id }) => id),
  employee_id: field(uuid('Id of the employee.'), example.employee, ({ employeeId }) => employeeId),
  year: field(integer('Year.'), 2026, ({ year }) => year),
  month: field(integer('Month, 1 to 12.'), 10, ({ month }) => month),
  opening_balance_minutes: field(
    integer('Overtime account at the start of the month; null if it was not recorded.').nullable(),
    1354,
    ({ openingBalanceMinutes }) => openingBalanceMinutes ?? null,
  ),
});

/** The fields that absences and applications for them have in common. */
interface AbsenceDays {
  readonly id: string;
  readonly employeeId: string;
  readonly missingType: string;
  readonly startsOn: number;
  readonly endsOn: number;
}

const absenceDays = {
  id: field(uuid('Id.'), '87eb38e2-e6a2-5507-b1b5-fc21d222de5d', ({ id }: AbsenceDays) => id),
  employee_id: field(uuid('Id of the employee.'), example.employee, ({ employeeId }: AbsenceDays) => employeeId),
  missing_type: field(text('Absence type.'), 'vacation', ({ missingType }: AbsenceDays) => missingType),
  starts_on: field(date('First day.'), '2026-10-12', ({ startsOn }: AbsenceDays) => formatLocalDate(startsOn)),
  ends_on: field(date('Last day, inclusive.'), '2026-10-16', ({ endsOn }: AbsenceDays) => formatLocalDate(endsOn)),
};

export const absences = recordGroup({
  name: 'absences',
  wireGroup: RecordGroup.RECORD_GROUP_ABSENCES,
  path: 'timestamps/absence',
  titles: ['Absence', 'Absences'],
  descriptions: ['One absence.', 'Vacation, sickness and other absences.'],
  $case: 'absence',
  from: ({ employeeId, absence }) => ({ ...present(absence, 'absence'), employeeId }),
})({
  ...absenceDays,
  day_part: field(number('1 for whole days, 0.5 for half days.'), 1, ({ dayPart }) => dayPart),
  hours_per_day: field(
    number('Hours per day; null if they are those of the contract.').nullable(),
    null,
    ({ hoursPerDay }) => hoursPerDay ?? null,
  ),
});

const statuses = {
  [ApplicationStatus.APPLICATION_STATUS_PENDING]: 'pending',
  [ApplicationStatus.APPLICATION_STATUS_APPROVED]: 'approved',
  [ApplicationStatus.APPLICATION_STATUS_DECLINED]: 'declined',
};

export const absenceApplications = recordGroup({
  name: 'absence-applications',
  wireGroup: RecordGroup.RECORD_GROUP_ABSENCE_APPLICATIONS,
  path: 'timestamps/absence-applications',
  titles: ['Absence Application', 'Absence Applications'],
  descriptions: ['One application.', 'Absences that employees have applied for.'],
  $case: 'application',
  from: ({ employeeId, application }) => ({ ...present(application, 'application'), employeeId }),
})({
  ...absenceDays,
  id: field(uuid('Id.'), '64e7df16-ad53-5b6f-a4ad-10880020ddff', ({ id }) => id),
  status: field(word(['pending', 'approved', 'declined'], 'Decision on the application.'), 'approved', ({ status }) =>
    wordFor(statuses, status),
  ),
  created_at: field(localDateTime('When the application was made.'), '2026-08-21T15:45:00', ({ createdAt }) =>
    formatLocalDateTime(createdAt),
  ),
});
