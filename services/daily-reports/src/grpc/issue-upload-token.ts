import type { handleUnaryCall } from '@grpc/grpc-js';
import type { dailyReportsV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import type { Context } from '../context.js';
import { issueUploadToken } from '../operations/issue-upload-token.js';
import { callerOf } from './from-proto.js';

type Request = dailyReportsV1.IssueUploadTokenRequest;

export function issueUploadTokenRpc({ ports }: Context): handleUnaryCall<Request, dailyReportsV1.IssueUploadTokenResponse> {
  return unary(async ({ caller, json }) => {
    const { photo, thumb } = issueUploadToken(ports, callerOf(caller), json);
    return { url: photo.url, fields: { ...photo.fields }, thumbFields: { ...thumb.fields } };
  });
}
