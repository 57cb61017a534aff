import { tasksV1, type commonV1 } from '@stechuhr/contracts';
import { AppError, parseUuid } from '@stechuhr/kernel';
import { callUnary, readStream } from '@stechuhr/service';
import { callerOfToken } from '../caller-of-token.js';
import { explainUnavailable } from '../explain-unavailable.js';
import { Failure } from '../failure.js';
import { grpcClient } from '../grpc-client.js';
import type { Output } from '../output.js';
import { findPlatform } from '../platform.js';
import { printable } from '../printable.js';
import { table } from '../table.js';
import { givenToken, type TokenOptions } from '../token-options.js';
import { toShown, type ShownTask } from './task-json.js';

const PAGE = 1_000;

export function runList(options: TokenOptions, output: Output): Promise<number> {
  return withTasks(options, output, async (client, caller) => {
    const tasks: ShownTask[] = [];
    let read = PAGE;
    while (read === PAGE) {
      read = 0;
      const page = { caller, parameters: {}, limit: PAGE, offset: tasks.length };
      for await (const { part } of readStream(client, client.listTasks, page)) {
        if (part?.$case !== 'task') continue;
        tasks.push(toShown(part.value));
        read += 1;
      }
    }
    output.result(tasks, () => (tasks.length === 0 ? 'No tasks.' : table(HEADER, tasks.map(rowOf))));
    return 0;
  });
}

export function runShow(id: string, options: TokenOptions, output: Output): Promise<number> {
  const taskId = idOf(id);
  return withTasks(options, output, async (client, caller) => {
    const { task } = await callUnary(client, client.getTask, { caller, taskId }, { idempotent: true }).catch(noSuchTask(id));
    if (task === undefined) throw new Failure(`There is no task ${id}.`, 1);
    const shown = toShown(task);
    output.result(shown, () => describe(shown));
    return 0;
  });
}

/** Deletes a task: its job is stopped and its file is removed. An identical request then starts a new task. */
export function runDelete(id: string, options: TokenOptions, output: Output): Promise<number> {
  const taskId = idOf(id);
  return withTasks(options, output, async (client, caller) => {
    await callUnary(client, client.deleteTask, { caller, taskId }).catch(noSuchTask(id));
    output.result({ id: taskId, deleted: true }, () => `Task ${taskId} is deleted.`);
    return 0;
  });
}

async function withTasks(
  options: TokenOptions,
  output: Output,
  run: (client: tasksV1.TasksServiceClient, caller: commonV1.Caller) => Promise<number>,
): Promise<number> {
  const token = givenToken(options, output);
  const platform = findPlatform();
  const address = platform.grpcAddress('tasks');
  const caller = await callerOfToken(platform, token);
  const client = grpcClient(tasksV1.TasksServiceClient, address);
  try {
    return await run(client, caller);
  } catch (caught) {
    throw explainUnavailable(caught, { tasks: address });
  } finally {
    client.close();
  }
}

function idOf(text: string): string {
  const id = parseUuid(text);
  if (id === undefined) throw new Failure(`"${text}" is not a task id.`, 2);
  return id;
}

function noSuchTask(id: string): (caught: unknown) => never {
  return (caught) => {
    if (!(caught instanceof AppError) || caught.code !== 'not_found') throw caught;
    throw new Failure(`There is no task ${id} of this account, or it ended in error.`, 1, caught);
  };
}

const HEADER = ['id', 'status', 'label', 'created', 'finished'];

function rowOf({ id, status, label, created_at, finished_at }: ShownTask): readonly string[] {
  return [id, status, label ?? '–', created_at, finished_at ?? '–'];
}

function describe({ skipped, ...task }: ShownTask): string {
  const lines = Object.entries(task).map(([name, value]) => `${`${name}:`.padEnd(13)}${printable(value ?? '–')}`);
  if (skipped.length === 0) return lines.join('\n');
  const left = table(
    ['name', 'reason', 'id'],
    skipped.map(({ name, reason, id }) => [name, reason, id]),
  );
  return `${lines.join('\n')}\n\nLeft out: ${String(skipped.length)}\n${left}`;
}
