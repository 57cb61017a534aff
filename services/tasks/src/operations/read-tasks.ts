import { listOrders, ListParameters } from '@stechuhr/contracts';
import { AppError, type PageRequest } from '@stechuhr/kernel';
import { fileKey } from '../domain/file-keys.js';
import { TARGET_MS } from '../domain/periods.js';
import { finishedAt, type Owner, type Task } from '../domain/task.js';
import { unlessFileLost } from './check-file.js';
import type { ListQuery, Ports } from './ports.js';

/**
 * Finds one of the owner's tasks; those in error are hidden.
 * @throws AppError `not_found`
 */
export async function getTask(ports: Ports, owner: Owner, id: string): Promise<Task> {
  const found = await ports.tasks.find(owner, id);
  const task = found && (await unlessFileLost(ports, owner, found));
  if (task === undefined || task.status === 'error') throw noSuchTask();
  return task;
}

export function noSuchTask(): AppError {
  return new AppError('not_found', 'Not found.');
}

export interface ListInput extends PageRequest {
  /** Query parameters as sent by the client. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface TaskList {
  /** Over all pages. */
  readonly count: number;
  readonly tasks: AsyncIterable<Task>;
}

/**
 * One page of the owner's tasks, newest first by default.
 * @throws AppError `invalid` naming `$query`
 */
export async function listTasks({ tasks }: Ports, owner: Owner, { parameters, ...page }: ListInput): Promise<TaskList> {
  const query: ListQuery = { ...page, ...readQuery(parameters) };
  const count = query.ids?.length === 0 ? 0 : await tasks.count(owner, query);
  return { count, tasks: count === 0 ? none() : tasks.list(owner, query) };
}

/** The download URL, until twelve hours after the task finished; otherwise null. */
export function targetOf({ files, clock }: Ports, task: Task): string | null {
  const finished = finishedAt(task);
  const secondsLeft = finished === null ? 0 : Math.floor((finished + TARGET_MS - clock.now()) / 1000);
  return secondsLeft <= 0 ? null : files.addressOf(fileKey(task, task.attempt), secondsLeft, task.spec.fileName);
}

function readQuery(texts: Readonly<Record<string, string>>): Pick<ListQuery, 'ids' | 'oldestFirst'> {
  const parameters = new ListParameters(texts);
  const ids = parameters.ids('ids');
  const [first] = parameters.order(listOrders.tasks);
  parameters.throwIfAny();
  return { ids, oldestFirst: first?.descending === false };
}

async function* none(): AsyncGenerator<Task, void, undefined> {}
