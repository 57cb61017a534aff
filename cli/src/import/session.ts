import { openOwnerCall, type OwnerCall, type SentLine } from './owner-call.js';
import type { ImportResult, ImportWarning, RejectedLine } from './result.js';
import { NamedRecords } from './named-records.js';
import type { Owner } from './routes.js';

/** One import command: a call to each owner that has lines, and everything that was rejected on the way. */
export interface ImportSession {
  /** A promise where the sender should wait, because the owner is slower. */
  send(owner: Owner, line: SentLine): Promise<void> | undefined;
  reject(line: RejectedLine): void;
  /** The verdict over all lines, after everything accepted is visible. */
  finish(): Promise<ImportResult>;
  close(): void;
}

/** How the lines of an import are taken. */
export interface ImportTerms {
  /** Whether lines are only validated, and nothing is written. */
  readonly isDry?: boolean;
  /** Whether fields that are unknown are rejected. */
  readonly strict?: boolean;
}

export function openImport(addressOf: (owner: Owner) => string, { isDry = false, strict = false }: ImportTerms = {}): ImportSession {
  const calls = new Map<Owner, OwnerCall>();
  const rejected: RejectedLine[] = [];
  const warnings: ImportWarning[] = [];
  // Of an import that writes nothing, other services cannot ask for the records that its lines store.
  const named = isDry ? new NamedRecords() : undefined;
  const callOf = (owner: Owner): OwnerCall => {
    let call = calls.get(owner);
    if (call === undefined) {
      call = openOwnerCall({
        ...{ owner, address: addressOf(owner), isDry, strict },
        onRejected: (line) => rejected.push(line),
        onWarning: (warning) => warnings.push(warning),
      });
      calls.set(owner, call);
    }
    return call;
  };
  return {
    send(owner, line) {
      if (owner === 'records') named?.note(line);
      return callOf(owner).add(line);
    },
    reject: (line) => rejected.push(line),
    async finish() {
      // The kinds of other owners refer to records, which have to exist when references are checked.
      const first = await calls.get('records')?.finish();
      const others = [...calls].filter(([owner]) => owner !== 'records');
      if (named !== undefined) await Promise.all(others.map(([, call]) => call.tell(named.without(rejected))));
      const verdicts = await Promise.all(others.map(([, call]) => call.finish()));
      return { accepted: Object.assign({}, first, ...verdicts), rejected, warnings };
    },
    close() {
      for (const call of calls.values()) call.close();
    },
  };
}
