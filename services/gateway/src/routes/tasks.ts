import type { tasksV1 } from '@stechuhr/contracts';
import { isUuid, pageOf } from '@stechuhr/kernel';
import { ask, readList } from '../clients/services.js';
import { sendPage } from '../http/send-stream.js';
import { present } from '../openapi/shape.js';
import { BASE_PATH, type CallerExchange, type CallerRoute } from './route.js';
import { taskJson } from './task-json.js';

interface Dependencies {
  readonly tasks: tasksV1.TasksServiceClient;
}

const GROUP = 'asynchronous-tasks/tasks';
const LIST_PATH = `${BASE_PATH}${GROUP}/`;

export function taskRoutes(dependencies: Dependencies): CallerRoute[] {
  const list: CallerRoute = {
    path: LIST_PATH,
    name: 'Asynchronous Tasks',
    description: 'The tasks that the account has started.',
    authenticated: true,
    group: GROUP,
    operations: { GET: { strictScope: 'tasks:view', jsonOnly: true, handle: (exchange) => listTasks(dependencies, exchange) } },
  };
  const detail: CallerRoute = {
    path: `${LIST_PATH}:id/`,
    matches: ({ id }) => typeof id === 'string' && isUuid(id),
    name: 'Asynchronous Task',
    description: 'One task of the account.',
    authenticated: true,
    operations: {
      GET: { strictScope: 'tasks:view', jsonOnly: true, handle: (exchange) => answerTask(dependencies, exchange) },
      DELETE: { strictScope: 'tasks:delete', jsonOnly: true, handle: (exchange) => deleteTask(dependencies, exchange) },
    },
  };
  return [list, detail];
}

async function listTasks({ tasks }: Dependencies, { response, signal, principal, query, publicBase }: CallerExchange): Promise<void> {
  const page = pageOf(query.limit, query.offset);
  const request = { caller: principal.caller, parameters: query, ...page };
  const messages = counted(readList(tasks, tasks.listTasks, request, { signal }));
  const results = ({ task }: CountedTask) => (task === undefined ? [] : [taskJson(task)]);
  await sendPage(response, { address: publicBase + LIST_PATH, query, ...page, messages, results, signal });
}

/** One message of a list: first its count, then one task per message. */
interface CountedTask {
  readonly count: number;
  readonly task?: tasksV1.Task;
}

/** Adds the count to each task. The list is streamed, because a task contains all employees who were left out of its file. */
async function* counted(parts: AsyncIterable<tasksV1.ListTasksResponse>): AsyncGenerator<CountedTask, void, undefined> {
  let count = 0;
  for await (const { part } of parts) {
    if (part?.$case === 'count') count = part.value;
    yield part?.$case === 'count' ? { count } : { count, task: present(part?.value, 'task') };
  }
}

async function answerTask({ tasks }: Dependencies, exchange: CallerExchange): Promise<void> {
  const { answer, signal, principal } = exchange;
  const request = { caller: principal.caller, taskId: idOf(exchange) };
  return answer(taskJson((await ask(tasks, tasks.getTask, request, { signal, idempotent: true })).task));
}

async function deleteTask({ tasks }: Dependencies, exchange: CallerExchange): Promise<void> {
  const { response, signal, principal } = exchange;
  await ask(tasks, tasks.deleteTask, { caller: principal.caller, taskId: idOf(exchange) }, { signal });
  response.status(204).end();
}

function idOf({ request }: CallerExchange): string {
  return String(request.params.id).toLowerCase();
}
