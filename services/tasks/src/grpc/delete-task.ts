import type { handleUnaryCall } from '@grpc/grpc-js';
import type { tasksV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import { deleteTask } from '../operations/delete-task.js';
import type { Ports } from '../operations/ports.js';
import { toOwner, toTaskId } from './from-proto.js';

export function deleteTaskRpc(ports: Ports): handleUnaryCall<tasksV1.DeleteTaskRequest, tasksV1.DeleteTaskResponse> {
  return unary(async ({ caller, taskId }) => {
    await deleteTask(ports, toOwner(caller), toTaskId(taskId));
    return {};
  });
}
