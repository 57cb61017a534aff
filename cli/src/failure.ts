import { AppError, type FieldErrors } from '@stechuhr/kernel';

/** How a command calls what the platform calls by its own names. */
interface OptionNames {
  /** The option that a field comes from; by default that of the same name. */
  readonly optionOf?: (field: string) => string;
  /** Replacements for names of the platform in the text of a problem, such as those of other fields. */
  readonly words?: Readonly<Record<string, string>>;
}

const SEVERAL_FIELDS = 'non_field_errors';

/** Ends a command without a result. The message is shown to the user. */
export class Failure extends Error {
  override readonly name = 'Failure';
  /** 1 when something failed, 2 when the command was used wrongly. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.exitCode = exitCode;
  }

  /** Converts an error of the platform; its fields become the options they came from. */
  static fromPlatform(caught: unknown, names: OptionNames = {}): Failure {
    if (caught instanceof Failure) return caught;
    const error = AppError.from(caught);
    if (error.code === 'invalid')
      return new Failure(error.details === undefined ? error.message : optionProblems(error.details, names), 2, error);
    return new Failure(error.code === 'internal' ? describe(error.cause ?? error) : error.message, 1, error);
  }
}

function optionNamed(field: string): string {
  return `--${field.replace(/_id$/u, '').replaceAll('_', '-')}`;
}

function optionProblems(details: FieldErrors, { optionOf = optionNamed, words = {} }: OptionNames): string {
  return Object.entries(details)
    .flatMap(([field, problems]) => {
      const option = field === SEVERAL_FIELDS ? '' : `${optionOf(field)}: `;
      return problems.map((problem) => `${option}${inWords(textOf(problem), words)}`);
    })
    .join('\n');
}

function inWords(text: string, words: Readonly<Record<string, string>>): string {
  return Object.entries(words).reduce((said, [name, word]) => said.replaceAll(name, word), text);
}

function textOf(problem: string | FieldErrors): string {
  return typeof problem === 'string' ? problem : JSON.stringify(problem);
}

function describe(caught: unknown): string {
  return caught instanceof Error ? caught.message : String(caught);
}
