import { tasksV1 } from '@stechuhr/contracts';
import { AppError, type Logger } from '@stechuhr/kernel';
import { serverStream, startGrpcServer, unary } from '@stechuhr/service';

/** A real gRPC server that replaces the tasks service and records its requests. */
export interface TasksBackend {
  readonly address: string;
  readonly tasks: Map<string, tasksV1.Task>;
  /** The last request of `ListTasks`. The response has all tasks and a count of 250. */
  asked: tasksV1.ListTasksRequest | undefined;
  /** Awaited before a list sends a task. */
  before: (task: tasksV1.Task) => Promise<void>;
  stop(): Promise<void>;
}

export async function startTasksBackend(logger: Logger): Promise<TasksBackend> {
  const tasks = new Map<string, tasksV1.Task>();
  const find = (id: string): tasksV1.Task => {
    const task = tasks.get(id);
    if (task === undefined) throw new AppError('not_found', 'Not found.');
    return task;
  };
  const implementation = {
    listTasks: serverStream(async function* (request: tasksV1.ListTasksRequest): AsyncGenerator<tasksV1.ListTasksResponse> {
      backend.asked = request;
      if (request.parameters.order === 'label') throw AppError.invalid({ $query: ['"label" is not a valid ordering field.'] });
      yield { part: { $case: 'count', value: 250 } };
      for (const task of tasks.values()) {
        await backend.before(task);
        yield { part: { $case: 'task', value: task } };
      }
    }),
    getTask: unary(async ({ taskId }: tasksV1.GetTaskRequest) => ({ task: find(taskId) })),
    deleteTask: unary(async ({ taskId }: tasksV1.DeleteTaskRequest) => {
      tasks.delete(find(taskId).id);
      return {};
    }),
  };
  const services = [{ definition: tasksV1.TasksServiceService, implementation }];
  const server = await startGrpcServer({ bind: '127.0.0.1:0', services, logger });
  const backend: TasksBackend = {
    address: `127.0.0.1:${server.port}`,
    tasks,
    asked: undefined,
    before: async () => undefined,
    stop: () => server.stop(),
  };
  return backend;
}
