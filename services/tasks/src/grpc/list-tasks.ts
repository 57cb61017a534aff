import type { handleServerStreamingCall } from '@grpc/grpc-js';
import type { tasksV1 } from '@stechuhr/contracts';
import { serverStream } from '@stechuhr/service';
import { listTasks } from '../operations/list-tasks.js';
import type { Ports } from '../operations/ports.js';
import { toOwner } from './from-proto.js';
import { taskToProto } from './to-proto.js';

export function listTasksRpc(ports: Ports): handleServerStreamingCall<tasksV1.ListTasksRequest, tasksV1.ListTasksResponse> {
  return serverStream(async function* ({ caller, ...input }) {
    const { count, tasks } = await listTasks(ports, toOwner(caller), input);
    yield { part: { $case: 'count', value: count } };
    for await (const task of tasks) yield { part: { $case: 'task', value: taskToProto(task) } };
  });
}
