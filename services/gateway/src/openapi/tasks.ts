import { listOrders } from '@stechuhr/contracts';
import { z } from 'zod';
import { json, type OperationDocs } from './operation-doc.js';
import { example, idInPath, ids, order, page } from './parameters.js';
import { localDateTime, pageExample, pageOf, text, uuid, word } from './values.js';

const task: z.ZodType = z
  .object({
    id: uuid('Id.'),
    status: word(['created', 'in_progress', 'finished'], 'State; tasks that ended in an error are not shown.'),
    label: text('Human-readable label.').nullable(),
    description: text('Human-readable progress.').nullable(),
    action: text('Kind of job; `generic_export` for exports.'),
    created_at: localDateTime('When the task was requested.'),
    started_at: localDateTime('When the task started; null while it is queued.').nullable(),
    finished_at: localDateTime('When the task finished; null until then.').nullable(),
    result: z
      .object({
        file: text('Internal storage reference; to download the file, use `target` of the export.'),
        skipped: z.array(
          z.object({
            id: uuid('Id of the employee.'),
            name: text('Name.'),
            reason: text('Why the employee was left out: `no-accounting-number`, `archived`, `left` or `not-yet-hired`.'),
          }),
        ),
      })
      .nullable(),
  })
  .meta({ id: 'Task' });

export const TASK_ID = 'b7d9f1e3-c5a7-4b9d-8f1e-3c5a7b9d1f38';

const taskSample = {
  id: TASK_ID,
  status: 'finished',
  label: 'Export generic, 01.01.2026 bis 31.12.2026',
  description: '1.284 Zeilen',
  action: 'generic_export',
  created_at: '2026-11-02T08:00:00',
  started_at: '2026-11-02T08:00:01',
  finished_at: '2026-11-02T08:00:09',
  result: {
    file: `exports/${example.institution}/${TASK_ID}/1.csv`,
    skipped: [{ id: 'c47710c9-ac78-5064-82d8-87008e81f6a4', name: 'Tomislav Vuković', reason: 'archived' }],
  },
};

const taskPath = idInPath('Id of the task.', TASK_ID);

export const taskDocs: OperationDocs = {
  'GET /asynchronous-tasks/tasks/': {
    id: 'listTasks',
    summary: 'List background tasks',
    description: 'The tasks that the account has started, newest first. Tasks that ended in an error are left out.',
    query: z.object({ ids: ids('Ids', TASK_ID), order: order(listOrders.tasks), ...page }),
    answers: { 200: { description: 'One page of the list.', content: json(pageOf(task), pageExample(taskSample)) } },
    problems: { $query: ['"label" is not a valid ordering field.'] },
  },
  'GET /asynchronous-tasks/tasks/{id}/': {
    id: 'getTask',
    summary: 'Get one background task',
    description: 'A task that the account has started.',
    path: taskPath,
    answers: { 200: { description: 'The task.', content: json(task, taskSample) } },
  },
  'DELETE /asynchronous-tasks/tasks/{id}/': {
    id: 'deleteTask',
    summary: 'Delete a background task',
    description: 'Deletes the task and its file. A running task is cancelled. The same export can be started again immediately.',
    path: taskPath,
    answers: { 204: { description: 'Deleted.' } },
  },
};
