/** The result of a check. */
export interface Finding {
  readonly name: string;
  /** `warning`: it works, but an operator should look into it. */
  readonly state: 'ok' | 'warning' | 'failed';
  readonly detail: string;
  /** What the operator should do about it. */
  readonly advice: string | null;
}

export function ok(name: string, detail: string): Finding {
  return { name, state: 'ok', detail, advice: null };
}

export function failed(name: string, detail: string, advice: string): Finding {
  return { name, state: 'failed', detail, advice };
}

export function warning(name: string, detail: string, advice: string): Finding {
  return { name, state: 'warning', detail, advice };
}
