import { ListParameters } from '@stechuhr/contracts';
import type { PageRequest } from '@stechuhr/kernel';
import type { Owner, Task } from '../domain/task.js';
import type { ListQuery, Ports } from './ports.js';

export interface ListInput extends PageRequest {
  /** Query parameters as sent. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface TaskList {
  /** Of all pages. */
  readonly count: number;
  readonly tasks: AsyncIterable<Task>;
}

/** One page of the owner's tasks, the newest first unless told otherwise. @throws AppError `invalid` naming `$query` */
export async function listTasks({ tasks }: Ports, owner: Owner, { parameters, ...page }: ListInput): Promise<TaskList> {
  const query: ListQuery = { ...page, ...readQuery(parameters) };
  const count = query.ids?.length === 0 ? 0 : await tasks.count(owner, query);
  return { count, tasks: count === 0 ? none() : tasks.list(owner, query) };
}

function readQuery(texts: Readonly<Record<string, string>>): Pick<ListQuery, 'ids' | 'oldestFirst'> {
  const parameters = new ListParameters(texts);
  const ids = parameters.ids('ids');
  const [first] = parameters.order(['created_at']);
  parameters.throwIfAny();
  return { ids, oldestFirst: first?.descending === false };
}

async function* none(): AsyncGenerator<Task, void, undefined> {}
