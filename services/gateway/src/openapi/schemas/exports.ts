import { z } from 'zod';
import { flag, integer, localDateTime, text, url, uuid, word } from './values.js';

export const exporters: z.ZodType = z
  .record(z.string(), url('Address of the exporter.'))
  .meta({ id: 'Exporters', description: 'Addresses by exporter.' });

const texts = (description: string) => z.array(z.string()).nullable().meta({ description });

const request = z
  .object({
    is_async: flag('As requested.'),
    skip_zero_rows: flag('As requested.'),
    exporter: text('Name of the exporter.'),
    export_format: text('As requested, with its options.'),
    daterange: z.array(z.string()).length(2).meta({ description: 'First and last day.' }),
    employee_ids: z.array(uuid('Employee.')).nullable(),
    types: texts('Row types.'),
    columns: texts('Columns.'),
    response_only: flag('As requested.'),
    prefix: text('As requested.').nullable(),
    filter: text('As requested.').nullable(),
  })
  .meta({ id: 'ExportRequest', description: 'The validated configuration of an export.' });

export const exportEnvelope: z.ZodType = z
  .object({
    request,
    response: z
      .union([z.string(), z.array(z.record(z.string(), z.unknown()))])
      .meta({ description: 'The file as text; for json an array of rows keyed by the column ids.' }),
  })
  .meta({ id: 'ExportEnvelope' });

export const exportTask: z.ZodType = z
  .object({
    id: uuid('Id of the task.'),
    created_at: localDateTime('When it was first requested.'),
    finished_at: localDateTime('Null until it is finished.').nullable(),
    status: word(['created', 'in_progress', 'finished', 'error'], 'State.'),
    target: url('Temporary address of the file, up to 12 hours after it was finished; null before.').nullable(),
  })
  .meta({
    id: 'ExportTask',
    description: 'The response of an export with `is_async=true`; repeating the request returns its current state.',
  });

export const task: z.ZodType = z
  .object({
    id: uuid('Id.'),
    status: word(['created', 'in_progress', 'finished'], 'State; tasks that ended in an error are not shown.'),
    label: text('Label for people.').nullable(),
    description: text('Progress, for people.').nullable(),
    action: text('Kind of job, `generic_export` for exports.'),
    created_at: localDateTime('When it was requested.'),
    started_at: localDateTime('Null while it is queued.').nullable(),
    finished_at: localDateTime('Null until it is finished.').nullable(),
    result: z
      .object({
        file: text('Internal storage reference; to download the file, use `target` of the export.'),
        skipped: z.array(
          z.object({
            id: uuid('Employee.'),
            name: text('Name.'),
            reason: text('`no-accounting-number`, `archived` or `left`.'),
          }),
        ),
      })
      .nullable(),
  })
  .meta({ id: 'Task' });

/** The header of exports. */
export const skippedHeader: z.ZodObject = z.object({ 'X-Export-Skipped': integer('Selected employees that were left out.') });
