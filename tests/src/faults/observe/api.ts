import { waitFor } from '@stechuhr/testing';
import { call, query } from '../../support/http.js';
import type { Firm, Slot } from '../firm.js';
import type { History, Kind } from '../history.js';
import type { StoredRecord } from '../judge.js';
import type { Stage } from '../stage.js';

interface Page {
  readonly next: string | null;
  readonly results: readonly Readonly<Record<string, unknown>>[];
}

/** Number of ids in one request, limited by the length of a URL. */
const IDS_AT_ONCE = 100;
const PAGE = 1_000;

/** The data that a scenario works on. */
export interface Place {
  readonly stage: Stage;
  readonly firm: Firm;
  readonly slot: Slot;
  readonly history: History;
}

/** Reads the records of a scenario through the API. */
export async function shownByApi(place: Place): Promise<Record<Exclude<Kind, 'photo'>, readonly StoredRecord[]>> {
  const { slot } = place;
  const [employee, project, rule, suppression, task, autofill] = await Promise.all([
    byIds(place, 'employee', 'employees/employees/').then(each('id', 'last_name')),
    byIds(place, 'project', 'projects/projects/').then(each('id', 'name')),
    all(place, 'timestamps/absence-rules/', { employee_ids: slot.worker }).then(each('label', 'amount')),
    all(place, 'reviews/suppressions/', { employee_ids: slot.worker }).then((found) =>
      found.map(({ valid_from, id }) => ({ key: String(valid_from), value: 'there', id: String(id) })),
    ),
    tasksOf(place),
    all(place, 'daily-reports/entries/', { tags: slot.project }).then((found) =>
      found.map(({ date }) => ({ key: `${slot.project}|${String(date)}`, value: 'filled', id: `${slot.project}|${String(date)}` })),
    ),
  ]);
  return { employee, project, rule, suppression, task, autofill };
}

const each =
  (key: string, value: string) =>
  (found: readonly Readonly<Record<string, unknown>>[]): readonly StoredRecord[] =>
    found.map((one) => ({ key: String(one[key]), value: String(one[value]), id: String(one['id']) }));

async function byIds(place: Place, kind: Kind, path: string): Promise<Page['results']> {
  const ids = [...new Set(place.history.writes.flatMap((write) => (write.kind === kind ? [write.key] : [])))];
  const found: Page['results'][] = [];
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    found.push(await all(place, path, { ids: ids.slice(from, from + IDS_AT_ONCE).join('|') }));
  }
  return found.flat();
}

async function all({ stage, firm }: Place, path: string, parameters: Readonly<Record<string, string>>): Promise<Page['results']> {
  const found: Page['results'][] = [];
  for (let offset = 0; ; offset += PAGE) {
    const page = await get<Page>(`${stage.baseUrl}/${path}?${query({ ...parameters, limit: String(PAGE), offset: String(offset) })}`, firm);
    found.push(page.results);
    if (page.next === null) return found.flat();
  }
}

/** Reads each task by repeating its request, like clients, and downloads its file. */
async function tasksOf({ stage, firm, slot, history }: Place): Promise<readonly StoredRecord[]> {
  const paths = new Set(history.writes.flatMap(({ kind, key }) => (kind === 'task' ? [key] : [])));
  return Promise.all(
    [...paths].map(async (path) => {
      const { id, target } = await get<{ readonly id: string; readonly target: string | null }>(`${stage.baseUrl}/${path}`, firm);
      const file = target === null ? undefined : await fetch(target);
      const rows = file?.ok === true ? (await file.text()).split('\r\n').length - 2 : -1;
      return { key: path, value: rows === slot.days.length ? id : `${id} with a file of ${String(rows)} rows`, id };
    }),
  );
}

/** Sends a GET request and retries it, because the platform may still be recovering. */
function get<T>(address: string, { token }: Firm): Promise<T> {
  return waitFor(
    async () => {
      const { status, json, text } = await call(address, { token });
      if (status !== 200) throw new Error(`${String(status)} ${text.slice(0, 200)}`);
      return json as T;
    },
    { timeoutMs: 60_000 },
  );
}
