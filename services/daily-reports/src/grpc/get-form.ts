import type { handleUnaryCall } from '@grpc/grpc-js';
import type { dailyReportsV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import type { Context } from '../context.js';
import { activeForm } from '../domain/form.js';
import { callerOf } from './from-proto.js';
import { fieldToProto } from './to-proto.js';

export function getFormRpc({ ports }: Context): handleUnaryCall<dailyReportsV1.GetFormRequest, dailyReportsV1.GetFormResponse> {
  return unary(async ({ caller, date }) => {
    const { id, validFrom, fields } = activeForm(await ports.forms.list(callerOf(caller)), date);
    return { id: id ?? undefined, validFrom: validFrom ?? undefined, fields: fields.map(fieldToProto) };
  });
}
