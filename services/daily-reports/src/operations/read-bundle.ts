import { bundleBody, parseBody, readJson } from '@stechuhr/contracts';
import { toBundle, inputOf, type Bundle } from '../domain/bundle.js';

/** Parses the body of a bundle request. @throws AppError `invalid` naming the invalid fields */
export function readBundle(json: string): Bundle {
  return toBundle(parseBody(bundleBody, readJson(json)));
}

/** Returns the bundle of a task. @throws AppError `invalid` */
export function bundleOf(parameters: Readonly<Record<string, string>>): Bundle {
  return toBundle(parseBody(bundleBody, inputOf(parameters)));
}
