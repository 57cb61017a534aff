import { listOrders, ListParameters } from '@stechuhr/contracts';
import { AppError, type PageRequest } from '@stechuhr/kernel';
import { fileKey } from '../domain/file-keys.js';
import { TARGET_MS } from '../domain/periods.js';
import { finishedAt, type Owner, type Task } from '../domain/task.js';
import { unlessFileLost } from './check-file.js';
import type { ListQuery, Ports } from './ports.js';

/** Returns a task of the owner; tasks in error are hidden. @throws AppError `not_found` */
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
  /** The query parameters as the client sent them. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface TaskList {
  /** The number of tasks in all pages. */
  readonly count: number;
  readonly tasks: AsyncIterable<Task>;
}

/** Returns a page of the owner's tasks, by default the newest first. @throws AppError `invalid` naming `$query` */
export async function listTasks({ tasks }: Ports, owner: Owner, { parameters, ...page }: ListInput): Promise<TaskList> {
  const query: ListQuery = { ...page, ...readQuery(parameters) };
  const count = query.ids?.length === 0 ? 0 : await tasks.count(owner, query);
  return { count, tasks: count === 0 ? none() : tasks.list(owner, query) };
}

/** Returns the download address, valid until twelve hours after the task finished; null before and after. */
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
