type Log = (fields: object, message: string) => void;

/** What a library needs from a logger: structured fields first, then the sentence. The pino logger of `@stechuhr/service` is one. */
export interface Logger {
  readonly debug: Log;
  readonly info: Log;
  readonly warn: Log;
  readonly error: Log;
}
