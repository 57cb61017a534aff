import { dailyReportsV1 } from '@stechuhr/contracts';
import { groupId } from '../domain/entry.js';
import type { EntryValue, ImageValue } from '../domain/entry-value.js';
import type { FieldType } from '../domain/field-types.js';
import type { FormField } from '../domain/form.js';
import type { ReportStatus } from '../domain/report.js';
import type { ListedEntry } from '../operations/list-entries.js';
import type { ListedReport } from '../operations/list-reports.js';

/** Returns the signed address of a photo by the key in its entry. */
export type PhotoUrls = (key: string) => string;

const { ReportStatus: Status } = dailyReportsV1;

const statuses: Readonly<Record<ReportStatus, dailyReportsV1.ReportStatus>> = {
  draft: Status.REPORT_STATUS_DRAFT,
  submitted: Status.REPORT_STATUS_SUBMITTED,
  closed: Status.REPORT_STATUS_CLOSED,
  archived: Status.REPORT_STATUS_ARCHIVED,
};

export function statusToProto(status: ReportStatus): dailyReportsV1.ReportStatus {
  return statuses[status];
}

export function reportToProto(
  urlOf: PhotoUrls,
  { tagId, date, status, project, description, ...rest }: ListedReport,
): dailyReportsV1.Report {
  return {
    tagId,
    date,
    status: statusToProto(status),
    tag: project && { id: project.id, name: project.name, code: project.code, color: project.color },
    address: project?.address ?? '',
    costCenter: project?.costCenter ?? '',
    client: project?.client ?? '',
    contributorCount: description.contributorCount,
    employees: rest.employees.map(({ id, firstName, lastName }) => ({ id, firstName, lastName })),
    totalHours: description.totalHours,
    weather: description.weather.map(({ time, temperature, weatherCondition }) => ({
      time,
      temperature: temperature ?? undefined,
      weatherCondition: weatherCondition ?? undefined,
    })),
    values: rest.values.map((value) => valueToProto(urlOf, value)),
  };
}

export function entryToProto(urlOf: PhotoUrls, entry: ListedEntry): dailyReportsV1.Entry {
  return {
    id: entry.id,
    groupId: groupId(entry),
    groupCount: entry.groupCount,
    fieldId: entry.fieldId,
    type: entry.value.type,
    date: entry.date,
    tagId: entry.tagId,
    authorId: entry.authorId ?? undefined,
    authorName: entry.authorName,
    onBehalfOfId: entry.onBehalfOfId ?? undefined,
    onBehalfOfName: entry.onBehalfOfName,
    burned: entry.burned,
    submittedAt: entry.submittedAt ?? undefined,
    createdAt: entry.createdAt,
    modifiedAt: entry.modifiedAt,
    value: valueToProto(urlOf, entry.value),
  };
}

export function valueToProto(urlOf: PhotoUrls, value: EntryValue): dailyReportsV1.EntryValue {
  return { value: caseOf(urlOf, value) };
}

function caseOf(urlOf: PhotoUrls, value: EntryValue): dailyReportsV1.EntryValue['value'] {
  switch (value.type) {
    case 'weather': {
      const { time, temperature, weatherCondition } = value;
      return {
        $case: 'weather',
        value: { time, temperature: temperature ?? undefined, weatherCondition: weatherCondition ?? undefined },
      };
    }
    case 'employee-working-times': {
      const { type: _, ...working } = value;
      return { $case: 'employeeWorkingTimes', value: working };
    }
    case 'subcontractors': {
      const { name, employees, hours, comment } = value;
      return { $case: 'subcontractors', value: { name, employees, hours: hours ?? undefined, comment: comment ?? undefined } };
    }
    case 'activities':
      return { $case: 'activities', value: { text: value.text } };
    case 'string':
      return { $case: 'string', value: { value: value.value } };
    case 'image':
      return { $case: 'image', value: imageToProto(urlOf, value) };
    case 'signature':
      return { $case: 'signature', value: { image: value.image, role: value.role ?? undefined } };
  }
}

function imageToProto(urlOf: PhotoUrls, image: ImageValue): dailyReportsV1.ImageValue {
  return {
    imageId: image.imageId,
    imageKey: image.imageKey ?? undefined,
    imageUrl: image.imageKey === null ? undefined : urlOf(image.imageKey),
    thumbKey: image.thumbKey ?? undefined,
    thumbUrl: image.thumbKey === null ? undefined : urlOf(image.thumbKey),
    latitude: image.latitude ?? undefined,
    longitude: image.longitude ?? undefined,
    takenAt: image.takenAt ?? undefined,
  };
}

export function fieldToProto({ id, type, label, config }: FormField): dailyReportsV1.FormField {
  return {
    id,
    type,
    label,
    autofillFromTracking: 'autofillFromTracking' in config ? config.autofillFromTracking : undefined,
    autofillFromApi: 'autofillFromApi' in config ? config.autofillFromApi : undefined,
    times: 'times' in config ? [...config.times] : [],
  };
}

/** The fields, for all types, that entries share to be versions of one value. */
const COMMON_GROUPING = ['date', 'tag_id'];

export function fieldTypeToProto({ id, groupBy, description, choices }: FieldType): dailyReportsV1.FieldType {
  return {
    id,
    groupBy: [...COMMON_GROUPING, ...groupBy],
    description,
    choices: Object.entries(choices).map(([name, list]) => ({ name, choices: [...list] })),
  };
}
