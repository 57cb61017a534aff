import { reportStatuses } from '@stechuhr/contracts';
import { z } from 'zod';
import { date, flag, integer, localDateTime, number, text, url, uuid, word } from './values.js';

const conditions = ['sunny', 'cloudy', 'precipitation', 'snow'] as const;
const status = () => word(reportStatuses, 'State.');

const weather = {
  time: text('Time of day.'),
  temperature: number('Temperature in degrees Celsius.').nullable(),
  weather_condition: word(conditions, 'Weather condition.').nullable(),
};

/** The additional fields of entries by type. */
const valueFields = {
  weather,
  'employee-working-times': {
    hours: number('Hours worked, 0 to 24.'),
    employee_account_id: text('Id of the account of the employee, or empty.'),
    employee_name: text('Name.'),
    employee_position: text('Position of the employee, or empty.'),
  },
  subcontractors: {
    name: text('Name of the company.'),
    employees: integer('Number of people.'),
    hours: number('Hours.').nullable(),
    comment: text('Comment.').nullable(),
  },
  activities: { text: text('What was done.') },
  string: { value: text('Text.') },
  image: {
    image_id: text('Id of the photo.'),
    image_key: text('Storage key of the photo.').nullable(),
    image_url: url('Temporary address of the photo, valid for one hour.').nullable(),
    thumb_key: text('Storage key of the preview.').nullable(),
    thumb_url: url('Temporary address of the preview, valid for one hour.').nullable(),
    latitude: number('Degrees.').nullable(),
    longitude: number('Degrees.').nullable(),
    taken_at: localDateTime('When the photo was taken.').nullable(),
  },
  signature: {
    image: text('Image of the signature as a data URL.'),
    role: text('Role of the person who signed, for example `Bauleitung` or `Auftraggeber`; null if it is not known.').nullable(),
  },
};

type TypeName = keyof typeof valueFields;
const typeNames = Object.keys(valueFields) as [TypeName, ...TypeName[]];

const ofEachType = (common: z.ZodRawShape) =>
  z.union(typeNames.map((type) => z.object({ ...common, type: z.literal(type), ...valueFields[type] })));

export const report: z.ZodType = z
  .object({
    id: text('Id of the report, `<tag_id>|<date>`.'),
    date: date('Day.'),
    tag_id: uuid('Id of the project.'),
    status: status(),
    tag: z
      .object({ id: uuid('Id of the project.'), name: text('Name.'), code: text('Short name.'), color: text('Color.') })
      .nullable()
      .meta({ description: 'The project; null if it cannot be resolved.' }),
    address: text('Address of the project, or empty.'),
    cost_center: text('Cost center of the project, or empty.'),
    client: text('Client of the project, or empty.'),
    contributor_count: integer('Number of different authors of entries.'),
    employees: z.array(z.object({ id: uuid('Id of the employee.'), first_name: text('First name.'), last_name: text('Last name.') })),
    total_hours: number('Sum of the hours of all working times.'),
    weather: z.array(z.object(weather)).meta({ description: 'Weather readings, ordered by time.' }),
    values: z.array(ofEachType({})).meta({ description: 'The newest visible value of each field type.' }),
  })
  .meta({ id: 'DailyReport' });

export const entry: z.ZodType = ofEachType({
  id: uuid('Id.'),
  group_id: text('Key of the group. The newest entry of a group is its current value.'),
  group_count: integer('Number of entries of the group that match the filters of the request.'),
  field_id: text('Id of the field of the form.'),
  date: date('Day.'),
  tag_id: uuid('Id of the project.'),
  author_id: uuid('Id of the account of the author; null for system entries.').nullable(),
  author_name: text('Name.').nullable(),
  on_behalf_of_id: uuid('Id of the employee that the entry is about.').nullable(),
  on_behalf_of_name: text('Name.').nullable(),
  burned: flag('Whether the entry deletes its group.'),
  submitted_at: localDateTime('When the entry reached the server; null for system entries.').nullable(),
  created_at: localDateTime('When it was created.'),
  modified_at: localDateTime('When it was last changed.'),
}).meta({ id: 'DailyReportEntry', description: 'An entry. In addition to the common fields, it has fields that depend on its type.' });

export const fieldType: z.ZodType = z
  .object({
    id: word(typeNames, 'Type.'),
    group_by: z.array(z.string()).meta({ description: 'Entries with the same values in these fields belong to one group.' }),
    description: text('Explanation, with the options that a field of the type requires.'),
    choices: z
      .record(z.string(), z.array(z.object({ id: text('Value.'), label: text('German label.') })))
      .meta({ description: 'Allowed values, by field, of the fields that accept only certain values.' }),
  })
  .meta({ id: 'FieldType' });

export const reportStatus: z.ZodType = z
  .object({ tag_id: uuid('Id of the project.'), date: date('Day.'), status: status() })
  .meta({ id: 'ReportStatus' });

export const autofill: z.ZodType = z
  .object({
    tag_id: uuid('Id of the project.'),
    date: date('Day.'),
    filled: z.array(z.string()).meta({ description: 'Ids of the fields that were written.' }),
  })
  .meta({ id: 'Autofill' });

const formFields = z.record(z.string(), z.string()).meta({
  description:
    'Form fields: `key`, the access key id, `policy` and `signature`. Send all of them, followed by the file as the last part. The entry stores `key` as `image_key`, and that of a preview as `thumb_key`.',
});

export const uploadToken: z.ZodType = z
  .object({
    url: url('Address for the POST request with the content type `multipart/form-data`.'),
    fields: formFields,
    thumb_fields: formFields,
  })
  .meta({ id: 'UploadToken', description: 'Upload forms for a photo and its preview, valid for 12 hours.' });
