import type { handleServerStreamingCall } from '@grpc/grpc-js';
import type { dailyReportsV1 } from '@stechuhr/contracts';
import { serverStream } from '@stechuhr/service';
import type { Context } from '../context.js';
import { rebuildDescriptors } from '../operations/rebuild-descriptors.js';
import { callerOf } from './from-proto.js';

type Request = dailyReportsV1.RebuildDescriptorsRequest;

export function rebuildDescriptorsRpc({ ports }: Context): handleServerStreamingCall<Request, dailyReportsV1.RebuildDescriptorsResponse> {
  return serverStream(async function* ({ caller }) {
    for await (const rebuilt of rebuildDescriptors(ports, callerOf(caller))) yield { rebuilt };
  });
}
