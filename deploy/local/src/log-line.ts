/** The addresses that a service logs when it is ready. */
export interface Ready {
  /** `host:port`; null if the service serves no gRPC. */
  readonly grpc: string | null;
  readonly admin: string;
}

/** The information in a log line that the starter uses. */
export type LogLine = { readonly ready: Ready } | { readonly problem: string } | undefined;

/** Parses a JSON log line. Only the message "ready" and errors are returned; all other lines are only written to the log file. */
export function readLogLine(line: string): LogLine {
  const fields = parse(line);
  if (fields?.['msg'] === 'ready') {
    const { grpc, admin } = fields;
    return { ready: { grpc: typeof grpc === 'string' ? grpc : null, admin: typeof admin === 'string' ? admin : '' } };
  }
  if (fields?.['level'] !== 'error' && fields?.['level'] !== 'fatal') return undefined;
  const cause = messageOf(fields['err']) ?? messageOf(fields['error']);
  return { problem: [fields['msg'], cause].filter(Boolean).join(': ') };
}

function messageOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined;
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
