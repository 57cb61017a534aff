import { bundleBody, judgeBody, readJson } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { inputOf, orderProblem, toBundle, type Bundle, type BundleInput } from '../domain/bundle.js';

/** Parses the body of a bundle request. @throws AppError `invalid` naming the invalid fields */
export function readBundle(json: string): Bundle {
  return toBundle(validInput(readJson(json)));
}

/** Returns the bundle of a task. @throws AppError `invalid` */
export function bundleOf(parameters: Readonly<Record<string, string>>): Bundle {
  return toBundle(validInput(inputOf(parameters)));
}

function validInput(input: unknown): BundleInput {
  const { values, errors } = judgeBody(bundleBody, input);
  const problems = { ...errors, ...orderProblem(values) };
  if (Object.keys(problems).length > 0) throw AppError.invalid(problems);
  // Without errors, all fields have been parsed.
  return values as BundleInput;
}
