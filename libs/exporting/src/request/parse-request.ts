import { AppError } from '@stechuhr/kernel';
import type { ExportDirectory } from '../directory.js';
import type { ExportRequest } from './export-request.js';

/**
 * Validates the query parameters of an export request.
 *
 * @param exporter as in the path
 * @param parameters decoded once; of a repeated one the last; unknown ones are ignored, empty ones count as not given
 * @throws AppError `invalid` with the problems of all parameters together, `not_found` for an unknown exporter, `unavailable` for one that
 * cannot run yet
 */
export function parseExportRequest(
  exporter: string,
  _parameters: Readonly<Record<string, string>>,
  _directory: ExportDirectory,
): ExportRequest {
  throw new AppError('unavailable', `The exporter "${exporter}" is not available yet.`);
}
