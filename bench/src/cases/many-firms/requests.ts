import { createRandom } from '@stechuhr/demo-firm';
import { exportUrl } from '../../platform/export-url.js';
import type { ManyFirmsValues } from './case.js';

/** Kinds of requests. */
export type RequestKind = 'list' | 'export' | 'write';

/** Sends a request. @returns its duration in milliseconds; undefined if it failed */
export type SendRequest = () => Promise<number | undefined>;

const MONTH = '2025-10-01|2025-10-31';
const LISTS = [
  '/employees/employees/?limit=100',
  '/projects/projects/?limit=100',
  `/timestamps/workdays/?limit=100&daterange=${encodeURIComponent(MONTH)}`,
  '/timestamps/absence-rules/?limit=100',
] as const;

/** Creates requests of firms that a seeded random generator chooses. `draw` returns the next kind of request. */
export function requestsOf(
  { baseUrl, tokens }: ManyFirmsValues,
  seed: string,
): Readonly<Record<RequestKind, () => SendRequest>> & { readonly draw: () => RequestKind } {
  const random = createRandom(seed);
  const employees = new Map<string, string>();
  const token = (): string => random.pick(tokens);
  const get = (path: string, as: string): Promise<Response> => fetch(path, { headers: { authorization: `Token ${as}` } });
  const employeeOf = async (as: string): Promise<string> => {
    const known = employees.get(as);
    if (known !== undefined) return known;
    const { results } = (await (await get(`${baseUrl}/employees/employees/?limit=1`, as)).json()) as {
      readonly results: readonly { id: string }[];
    };
    const id = results[0]?.id ?? '';
    employees.set(as, id);
    return id;
  };
  return {
    draw: () => {
      const drawn = random.next();
      if (drawn < 0.7) return 'list';
      return drawn < 0.9 ? 'export' : 'write';
    },
    list: () => {
      const [path, as] = [random.pick(LISTS), token()];
      return () => timed(() => get(`${baseUrl}${path}`, as));
    },
    export: () => {
      const as = token();
      return () => timed(() => get(exportUrl(baseUrl, 'generic', { daterange: MONTH, response_only: 'true' }), as));
    },
    write: () => {
      const as = token();
      const year = 2026 + random.int(0, 4);
      const period = { available_from: `${year}-01-01`, expires_at: `${year}-12-31` };
      return async () => {
        const rule = {
          employee_id: await employeeOf(as),
          label: 'bench',
          missing_type: 'vacation',
          amount: '1.00',
          priority: 1,
          ...period,
        };
        const headers = { authorization: `Token ${as}`, 'content-type': 'application/json' };
        return timed(() => fetch(`${baseUrl}/timestamps/absence-rules/`, { method: 'POST', headers, body: JSON.stringify(rule) }));
      };
    },
  };
}

async function timed(send: () => Promise<Response>): Promise<number | undefined> {
  const startedAt = performance.now();
  const response = await send();
  await response.arrayBuffer();
  return response.ok ? performance.now() - startedAt : undefined;
}
