import type { GrpcCaller } from './grpc-rights.js';

/**
 * Whose word for an institution is taken: they authenticate users (`gateway`), act for a stored task (`worker`), or are the operators'
 * (`toolbox`). They sign grants for those that they call, and need none themselves.
 */
const granters: ReadonlySet<string> = new Set<GrpcCaller>(['gateway', 'toolbox', 'worker']);

/** A method that a caller may use for any institution, and why it has to. */
interface Ungranted {
  readonly method: string;
  readonly callers: readonly GrpcCaller[];
  readonly because: string;
}

/**
 * What services between may call without a grant: background work has no caller from whom a grant could come. In every other row of
 * `grpcRights` a caller that may not grant needs a grant for the institution in its message. A new RPC needs no line here unless it is
 * called in the background.
 */
export const ungranted: readonly Ungranted[] = [
  {
    method: '/stechuhr.records.v1.RecordsService/FindMissing',
    callers: ['daily-reports', 'reviews'],
    because:
      'Live lines and imports name records, and clean-up after deletions asks whether they are back. It answers which ids are unknown.',
  },
  {
    method: '/stechuhr.records.v1.RecordsService/ListEntitlements',
    callers: ['absence-rules'],
    because: 'Clean-up after a deletion asks whether the employee is back.',
  },
  {
    method: '/stechuhr.records.v1.RecordsService/ListProjects',
    callers: ['daily-reports'],
    because: 'The weather of every institution is captured where its projects are.',
  },
  {
    method: '/stechuhr.records.v1.BrowseService/ListRecords',
    callers: ['daily-reports'],
    because: 'Live entries store the names of employees and authors; only the groups of `mayBrowse`.',
  },
];

const open = new Set(ungranted.flatMap(({ method, callers }) => callers.map((caller) => `${caller} ${method}`)));

/** Whether the word of a caller for an institution is taken, so that it may sign a grant. */
export function mayGrant(caller: string | undefined): boolean {
  return caller !== undefined && granters.has(caller);
}

/** Whether a caller needs a grant for what it asks of a method, by its path (`/stechuhr.records.v1.RecordsService/ReadTimeRecords`). */
export function needsGrant(caller: string | undefined, path: string): boolean {
  return !mayGrant(caller) && path.startsWith('/stechuhr.') && !open.has(`${String(caller)} ${path}`);
}

/** The institution that a request names, in itself or in its caller; undefined where it names none. */
export function institutionOf(request: unknown): string | undefined {
  const { caller, institutionId } = (request ?? {}) as {
    readonly caller?: { readonly institutionId?: unknown };
    readonly institutionId?: unknown;
  };
  const named = caller?.institutionId ?? institutionId;
  return typeof named === 'string' && named !== '' ? named : undefined;
}
