type Log = (fields: object, message: string) => void;

/**
 * The logger interface of the libraries: structured fields first, then the message. The pino logger of `@stechuhr/service` implements it.
 */
export interface Logger {
  readonly debug: Log;
  readonly info: Log;
  readonly warn: Log;
  readonly error: Log;
}
