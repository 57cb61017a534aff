import { outcomeOf, type Client } from './client-tools.js';

const PATH = 'timestamps/absence-rules/';

/** Creates absence rules, changes every other one, and deletes every fourth. */
export const rules: Client = {
  name: 'rules',
  start({ slot, history, ask }) {
    let count = 0;
    const body = (label: string, amount: string): object => ({
      ...{ employee_id: slot.worker, missing_type: 'vacation', label, amount, priority: 5 },
      ...{ available_from: '2026-02-01', expires_at: '2026-12-31' },
    });
    const write = async (key: string, request: { method: string; id?: string; amount: string | null }): Promise<string | undefined> => {
      const { method, id, amount } = request;
      const sent = amount === null ? { method } : { method, body: body(key, amount) };
      const answer = await ask('rules', id === undefined ? PATH : `${PATH}${id}/`, sent);
      const outcome = outcomeOf(answer);
      const known = id ?? (answer?.json as { readonly id?: string } | undefined)?.id;
      history.write({ kind: 'rule', key, value: amount, outcome, id: known });
      return outcome === 'acknowledged' ? known : undefined;
    };
    return async () => {
      const key = `${slot.word}-${String(++count)}`;
      const id = await write(key, { method: 'POST', amount: '1.00' });
      if (id === undefined) return false;
      if (count % 2 === 0 && (await write(key, { method: 'PUT', id, amount: '2.50' })) === undefined) return false;
      return count % 4 !== 0 || (await write(key, { method: 'DELETE', id, amount: null })) !== undefined;
    };
  },
};
