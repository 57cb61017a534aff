import { dailyReportsV1 } from '@stechuhr/contracts';
import { formatLocalDate, formatLocalDateTime } from '@stechuhr/worktime';
import { localTimeOf, present, wordFor } from '../openapi/shape.js';

/** Returns a report with its fields in the order of the spec. */
export function reportJson({ tagId, date, ...report }: dailyReportsV1.Report): object {
  const day = formatLocalDate(date);
  return {
    id: `${tagId}|${day}`,
    date: day,
    tag_id: tagId,
    status: statusName(report.status),
    tag: report.tag === undefined ? null : tagJson(report.tag),
    address: report.address,
    cost_center: report.costCenter,
    client: report.client,
    contributor_count: report.contributorCount,
    employees: report.employees.map(({ id, firstName, lastName }) => ({ id, first_name: firstName, last_name: lastName })),
    total_hours: report.totalHours,
    weather: report.weather.map(weatherJson),
    values: report.values.map(valueJson).map(([type, fields]) => ({ type, ...fields })),
  };
}

function tagJson({ id, name, code, color }: dailyReportsV1.Tag): object {
  return { id, name, code, color };
}

/** Returns an entry with its fields in the order of the spec; the fields of its type come last. */
export function entryJson(entry: dailyReportsV1.Entry): object {
  const [, fields] = valueJson(entry.value);
  return {
    id: entry.id,
    group_id: entry.groupId,
    group_count: entry.groupCount,
    field_id: entry.fieldId,
    type: entry.type,
    date: formatLocalDate(entry.date),
    tag_id: entry.tagId,
    author_id: entry.authorId ?? null,
    author_name: entry.authorName ?? null,
    on_behalf_of_id: entry.onBehalfOfId ?? null,
    on_behalf_of_name: entry.onBehalfOfName ?? null,
    burned: entry.burned,
    submitted_at: localTimeOf(entry.submittedAt),
    created_at: formatLocalDateTime(entry.createdAt),
    modified_at: formatLocalDateTime(entry.modifiedAt),
    ...fields,
  };
}

/** Returns the type of a value and its fields. */
function valueJson(message: dailyReportsV1.EntryValue | undefined): readonly [type: string, fields: object] {
  const value = present(message?.value, 'value of an entry');
  switch (value.$case) {
    case 'weather':
      return ['weather', weatherJson(value.value)];
    case 'employeeWorkingTimes':
      return ['employee-working-times', workingTimeJson(value.value)];
    case 'subcontractors':
      return ['subcontractors', subcontractorJson(value.value)];
    case 'activities':
      return ['activities', { text: value.value.text }];
    case 'string':
      return ['string', { value: value.value.value }];
    case 'image':
      return ['image', imageJson(value.value)];
    case 'signature':
      return ['signature', { image: value.value.image, role: value.value.role ?? null }];
  }
}

function weatherJson({ time, temperature, weatherCondition }: dailyReportsV1.WeatherValue): object {
  return { time, temperature: temperature ?? null, weather_condition: weatherCondition ?? null };
}

function workingTimeJson({ hours, employeeAccountId, employeeName, employeePosition }: dailyReportsV1.WorkingTimeValue): object {
  return { hours, employee_account_id: employeeAccountId, employee_name: employeeName, employee_position: employeePosition };
}

function subcontractorJson({ name, employees, hours, comment }: dailyReportsV1.SubcontractorValue): object {
  return { name, employees, hours: hours ?? null, comment: comment ?? null };
}

function imageJson(image: dailyReportsV1.ImageValue): object {
  return {
    image_id: image.imageId,
    image_key: image.imageKey ?? null,
    image_url: image.imageUrl ?? null,
    thumb_key: image.thumbKey ?? null,
    thumb_url: image.thumbUrl ?? null,
    latitude: image.latitude ?? null,
    longitude: image.longitude ?? null,
    taken_at: localTimeOf(image.takenAt),
  };
}

export function fieldTypeJson({ id, groupBy, description, choices }: dailyReportsV1.FieldType): object {
  const lists = choices.map(({ name, choices: list }) => [name, list.map(({ id: choice, label }) => ({ id: choice, label }))]);
  return { id, group_by: groupBy, description, choices: Object.fromEntries(lists) as object };
}

const { ReportStatus } = dailyReportsV1;

const statuses = {
  [ReportStatus.REPORT_STATUS_DRAFT]: 'draft',
  [ReportStatus.REPORT_STATUS_SUBMITTED]: 'submitted',
  [ReportStatus.REPORT_STATUS_CLOSED]: 'closed',
  [ReportStatus.REPORT_STATUS_ARCHIVED]: 'archived',
};

export function statusName(status: dailyReportsV1.ReportStatus): string {
  return wordFor(statuses, status);
}
