import { AppError, type FieldErrors } from '@stechuhr/kernel';

/** Ends a command without a result. The message is shown to the user. */
export class Failure extends Error {
  override readonly name = 'Failure';
  /** 1 when something failed, 2 when the command was used wrongly. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.exitCode = exitCode;
  }

  /** Converts an error of the platform; its fields become the options they came from, which by default have the same name. */
  static fromPlatform(caught: unknown, optionOf: (field: string) => string = optionNamed): Failure {
    if (caught instanceof Failure) return caught;
    const error = AppError.from(caught);
    if (error.code === 'invalid')
      return new Failure(error.details === undefined ? error.message : optionProblems(error.details, optionOf), 2, error);
    return new Failure(error.code === 'internal' ? describe(error.cause ?? error) : error.message, 1, error);
  }
}

function optionNamed(field: string): string {
  return `--${field.replace(/_id$/u, '').replaceAll('_', '-')}`;
}

function optionProblems(details: FieldErrors, optionOf: (field: string) => string): string {
  return Object.entries(details)
    .flatMap(([field, problems]) => problems.map((problem) => `${optionOf(field)}: ${textOf(problem)}`))
    .join('\n');
}

function textOf(problem: string | FieldErrors): string {
  return typeof problem === 'string' ? problem : JSON.stringify(problem);
}

function describe(caught: unknown): string {
  return caught instanceof Error ? caught.message : String(caught);
}
