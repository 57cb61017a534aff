import { referencesOf } from '@stechuhr/ingest/kinds';
import type { Form } from '../../domain/form.js';
import { entryKind } from '../../domain/lines/entry-line.js';
import type { ReportStatus } from '../../domain/report.js';
import type { KnownEntry } from '../entry-port.js';
import type { Employee } from '../ports.js';
import type { Tenant } from '../tenant.js';
import type { EntryChange } from './entry-change.js';
import type { IngestNeeds } from './needs.js';

/** The data against which entry lines of one institution are checked. */
export interface Surroundings {
  readonly known: ReadonlyMap<string, KnownEntry>;
  /** Where in the stream of live objects entries were deleted. */
  readonly deletedAt: ReadonlyMap<string, number>;
  /** `<kind>/<id>` of the records that do not exist. */
  readonly missing: ReadonlySet<string>;
  readonly forms: readonly Form[];
  /** By report id; drafts are left out. */
  readonly statuses: ReadonlyMap<string, ReportStatus>;
  readonly employees: ReadonlyMap<string, Employee>;
  /** Seconds since the epoch. */
  readonly now: number;
}

/** Reads it all at once, however many lines there are. */
export async function readSurroundings(needs: IngestNeeds, tenant: Tenant, changes: readonly EntryChange[]): Promise<Surroundings> {
  const ids = changes.map(({ id }) => id);
  const lines = changes.flatMap(({ content }) => content?.fields ?? []);
  const references = new Map(changes.flatMap((change) => referencesOf(entryKind, change)).map((one) => [`${one.kind}/${one.id}`, one]));
  const working = lines.filter(({ values, burned }) => ('hours' in values || burned) && SNAPSHOT.some((name) => !(name in values)));
  const employeeIds = [...new Set(working.flatMap(({ onBehalfOfId }) => onBehalfOfId ?? []))];
  const [known, deletedAt, missing, forms, reports, employees] = await Promise.all([
    needs.entries.known(ids),
    needs.markers.sequences(entryKind.name, ids),
    references.size === 0 ? [] : needs.references.missing(tenant.institutionId, [...references.values()]),
    needs.forms.list(tenant),
    needs.reports.load(tenant, lines),
    employeeIds.length === 0 ? new Map<string, Employee>() : needs.peopleOf(tenant).readEmployees(employeeIds),
  ]);
  return {
    known,
    deletedAt,
    missing: new Set(missing.map(({ kind, id }) => `${kind}/${id}`)),
    forms,
    statuses: new Map([...reports].map(([id, { status }]) => [id, status])),
    employees,
    now: Math.floor(needs.clock.now() / 1000),
  };
}

const SNAPSHOT = ['employee_account_id', 'employee_name', 'employee_position'];
