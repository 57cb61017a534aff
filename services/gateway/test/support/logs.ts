import type { Logger } from '@stechuhr/kernel';

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: object;
}

/** A logger that keeps its log lines. */
export function collectLogs(): { readonly logger: Logger; readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at = (level: string) => (fields: object, message: string) => void lines.push({ level, message, fields });
  return { lines, logger: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } };
}
