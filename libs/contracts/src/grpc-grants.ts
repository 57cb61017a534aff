import type { GrpcCaller } from './grpc-rights.js';

/**
 * The services that may sign grants for an institution: they authenticate users (`gateway`), act for a stored task (`worker`), or belong to
 * the operators (`toolbox`). They need no grants themselves.
 */
const granters: ReadonlySet<string> = new Set<GrpcCaller>(['gateway', 'toolbox', 'worker']);

/** A method that a caller may call for any institution, with the reason. */
interface Ungranted {
  readonly method: string;
  readonly callers: readonly GrpcCaller[];
  readonly because: string;
}

/**
 * The calls that other services may make without a grant, because background work has no caller from whom a grant could come. For every
 * other entry of `grpcRights`, a caller that may not sign grants needs one for the institution in its request. A new RPC needs an entry
 * here only if it is called in the background.
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

/** Whether a caller may sign grants. */
export function mayGrant(caller: string | undefined): boolean {
  return caller !== undefined && granters.has(caller);
}

/** Whether a caller needs a grant to call a method, by its path (`/stechuhr.records.v1.RecordsService/ReadTimeRecords`). */
export function needsGrant(caller: string | undefined, path: string): boolean {
  return !mayGrant(caller) && path.startsWith('/stechuhr.') && !open.has(`${String(caller)} ${path}`);
}

/** Returns the institution in a request or in its caller; undefined if there is none. */
export function institutionOf(request: unknown): string | undefined {
  const { caller, institutionId } = (request ?? {}) as {
    readonly caller?: { readonly institutionId?: unknown };
    readonly institutionId?: unknown;
  };
  const named = caller?.institutionId ?? institutionId;
  return typeof named === 'string' && named !== '' ? named : undefined;
}
