import type { handleUnaryCall } from '@grpc/grpc-js';
import type { tasksV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import { getTask } from '../operations/get-task.js';
import type { Ports } from '../operations/ports.js';
import { toOwner, toTaskId } from './from-proto.js';
import { taskToProto } from './to-proto.js';

export function getTaskRpc(ports: Ports): handleUnaryCall<tasksV1.GetTaskRequest, tasksV1.GetTaskResponse> {
  return unary(async ({ caller, taskId }) => ({ task: taskToProto(await getTask(ports, toOwner(caller), toTaskId(taskId))) }));
}
