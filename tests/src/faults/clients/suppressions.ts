import { outcomeOf, type Client } from './client-tools.js';

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2000, 0, 1);

/** Creates suppression rules, each with a different first day. */
export const suppressions: Client = {
  name: 'suppressions',
  start({ slot, history, ask }) {
    let count = 0;
    return async () => {
      const valid_from = new Date(FIRST_DAY + ++count * DAY_MS).toISOString().slice(0, 10);
      const body = { code: 'insufficient-break', employee_id: slot.worker, valid_from };
      const answer = await ask('suppressions', 'reviews/suppressions/', { method: 'POST', body });
      const outcome = outcomeOf(answer);
      const id = (answer?.json as { readonly id?: string } | undefined)?.id;
      history.write({ kind: 'suppression', key: valid_from, value: 'there', outcome, id });
      return outcome === 'acknowledged';
    };
  },
};
