import { listOrders } from '@stechuhr/contracts';
import { z } from 'zod';
import { json, type OperationDocs } from '../operation-doc.js';
import { example, idInPath, order, page } from '../parameters.js';
import { task } from '../schemas/exports.js';
import { pageExample, pageOf } from '../schemas/values.js';

export const TASK_ID = 'b7d9f1e3-c5a7-4b9d-8f1e-3c5a7b9d1f38';

const taskSample = {
  id: TASK_ID,
  status: 'finished',
  label: 'Export generic, 01.01.2026 bis 31.12.2026',
  description: null,
  action: 'generic_export',
  created_at: '2026-11-02T08:00:00',
  started_at: '2026-11-02T08:00:01',
  finished_at: '2026-11-02T08:00:09',
  result: {
    file: `exports/${TASK_ID}/1`,
    skipped: [{ id: example.employee, name: 'Melek Akgün', reason: 'no-accounting-number' }],
  },
};

const taskPath = idInPath('Id of the task.', TASK_ID);

export const taskDocs: OperationDocs = {
  'GET /asynchronous-tasks/tasks/': {
    id: 'listTasks',
    summary: 'List background tasks',
    description: 'The tasks that the account has started, newest first. Tasks that ended in an error are left out.',
    query: z.object({ order: order(listOrders.tasks), ...page }),
    answers: { 200: { description: 'One page.', content: json(pageOf(task), pageExample(taskSample)) } },
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
    description: 'Removes the task and its file; a running one is cancelled. The same export can be started again at once.',
    path: taskPath,
    answers: { 204: { description: 'Deleted.' } },
  },
};
