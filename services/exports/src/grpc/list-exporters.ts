import type { handleUnaryCall } from '@grpc/grpc-js';
import type { exportsV1 } from '@stechuhr/contracts';
import { exporterNames } from '@stechuhr/exporting';
import { unary } from '@stechuhr/service';

export function listExportersRpc(): handleUnaryCall<exportsV1.ListExportersRequest, exportsV1.ListExportersResponse> {
  return unary(() => Promise.resolve({ exporters: [...exporterNames] }));
}
