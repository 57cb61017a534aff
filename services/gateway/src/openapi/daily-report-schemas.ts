import { reportStatuses } from '@stechuhr/contracts';
import { z } from 'zod';
import { date, flag, integer, localDateTime, number, text, url, uuid, word } from './values.js';

const conditions = ['sunny', 'cloudy', 'precipitation', 'snow'] as const;
const status = () => word(reportStatuses, 'State.');

const weather = {
  time: text('Clock time.'),
  temperature: number('Degrees Celsius.').nullable(),
  weather_condition: word(conditions, 'Category.').nullable(),
};

/** The additional fields of entries by type. */
const valueFields = {
  weather,
  'employee-working-times': {
    hours: number('0 to 24.'),
    employee_account_id: text('Account of the employee, or empty.'),
    employee_name: text('Name.'),
    employee_position: text('Position, or empty.'),
  },
  subcontractors: {
    name: text('Company.'),
    employees: integer('Number of people.'),
    hours: number('Hours.').nullable(),
    comment: text('Comment.').nullable(),
  },
  activities: { text: text('What was done.') },
  string: { value: text('Text.') },
  image: {
    image_id: text('Id of the photo.'),
    image_key: text('Key of the object.').nullable(),
    image_url: url('Temporary address, valid one hour.').nullable(),
    thumb_key: text('Key of the preview.').nullable(),
    thumb_url: url('Temporary address of the preview, valid one hour.').nullable(),
    latitude: number('Degrees.').nullable(),
    longitude: number('Degrees.').nullable(),
    taken_at: localDateTime('When it was taken.').nullable(),
  },
  signature: {
    image: text('A data URL.'),
    role: text('As what or for whom it was signed, for example `Bauleitung` or `Auftraggeber`; null if it is not known.').nullable(),
  },
};

type TypeName = keyof typeof valueFields;
const typeNames = Object.keys(valueFields) as [TypeName, ...TypeName[]];

const ofEachType = (common: z.ZodRawShape) =>
  z.union(typeNames.map((type) => z.object({ ...common, type: z.literal(type), ...valueFields[type] })));

export const report: z.ZodType = z
  .object({
    id: text('`<tag_id>|<date>`'),
    date: date('Day.'),
    tag_id: uuid('Project.'),
    status: status(),
    tag: z
      .object({ id: uuid('Project.'), name: text('Name.'), code: text('Short name.'), color: text('Color.') })
      .nullable()
      .meta({ description: 'The project; null if it cannot be resolved.' }),
    address: text('Of the project, or empty.'),
    cost_center: text('Of the project, or empty.'),
    client: text('Of the project, or empty.'),
    contributor_count: integer('Distinct authors of entries.'),
    employees: z.array(z.object({ id: uuid('Employee.'), first_name: text('First name.'), last_name: text('Last name.') })),
    total_hours: number('Sum of the working times.'),
    weather: z.array(z.object(weather)).meta({ description: 'By time.' }),
    values: z.array(ofEachType({})).meta({ description: 'The newest visible value of each field type.' }),
  })
  .meta({ id: 'DailyReport' });

export const entry: z.ZodType = ofEachType({
  id: uuid('Id.'),
  group_id: text('Key of the group; its newest entry is the current value.'),
  group_count: integer('Entries of the group that match the filters.'),
  field_id: text('Field of the form.'),
  date: date('Day.'),
  tag_id: uuid('Project.'),
  author_id: uuid('Account of the author; null for system entries.').nullable(),
  author_name: text('Name.').nullable(),
  on_behalf_of_id: uuid('The employee that the entry is about.').nullable(),
  on_behalf_of_name: text('Name.').nullable(),
  burned: flag('Whether the entry deletes its group.'),
  submitted_at: localDateTime('When it reached the server; null for system entries.').nullable(),
  created_at: localDateTime('Creation.'),
  modified_at: localDateTime('Last change.'),
}).meta({ id: 'DailyReportEntry', description: 'An entry; the fields other than the common ones depend on its type.' });

export const fieldType: z.ZodType = z
  .object({
    id: word(typeNames, 'Type.'),
    group_by: z.array(z.string()).meta({ description: 'The fields whose values make entries one group.' }),
    description: text('German explanation.'),
    choices: z
      .record(z.string(), z.array(z.object({ id: text('Value.'), label: text('German label.') })))
      .meta({ description: 'Fixed values by field.' }),
  })
  .meta({ id: 'FieldType' });

export const reportStatus: z.ZodType = z
  .object({ tag_id: uuid('Project.'), date: date('Day.'), status: status() })
  .meta({ id: 'ReportStatus' });

export const autofill: z.ZodType = z
  .object({
    tag_id: uuid('Project.'),
    date: date('Day.'),
    filled: z.array(z.string()).meta({ description: 'Ids of the fields that were written.' }),
  })
  .meta({ id: 'Autofill' });

const formFields = z.record(z.string(), z.string()).meta({
  description:
    'Send all of them, and the file as the last part: `key` (which the entry stores as `image_key`), the access key id, `policy`, `signature`.',
});

export const uploadToken: z.ZodType = z
  .object({ url: url('The address for the `multipart/form-data` POST.'), fields: formFields, thumb_fields: formFields })
  .meta({ id: 'UploadToken', description: 'Forms for a photo and its preview, valid for 12 hours.' });
