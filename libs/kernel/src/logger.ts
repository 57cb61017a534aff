type Log = (fields: object, message: string) => void;

/** What a library needs of a logger: structured fields first, the sentence second. The pino logger of `@stechuhr/service` is one. */
export interface Logger {
  readonly debug: Log;
  readonly info: Log;
  readonly warn: Log;
  readonly error: Log;
}
