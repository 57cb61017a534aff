import { bundleBody, parseBody, readJson } from '@stechuhr/contracts';
import { toBundle, wishOf, type Bundle } from '../domain/bundle.js';

/** @throws AppError `invalid` naming the bad fields */
export function readBundle(json: string): Bundle {
  return toBundle(parseBody(bundleBody, readJson(json)));
}

/**
 * The bundle for the parameters of a task.
 * @throws AppError `invalid`
 */
export function bundleOf(parameters: Readonly<Record<string, string>>): Bundle {
  return toBundle(parseBody(bundleBody, wishOf(parameters)));
}
