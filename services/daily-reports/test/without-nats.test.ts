import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openOrganization, shown, type Organization } from './support/organization.js';
import { startDailyReports, type RunningDailyReports } from './support/running-daily-reports.js';

let running: RunningDailyReports;
let firm: Organization;

beforeAll(async () => {
  // Nothing listens there.
  running = await startDailyReports({ NATS_URL: 'nats://127.0.0.1:9' });
  firm = await openOrganization(running);
});
afterAll(async () => {
  await running.stop();
});

describe('an entry that is removed while its event waits', () => {
  it('can be stored again', async () => {
    const removal = (id: unknown) => ({ kind: 'daily_report_entry', institution_id: firm.institutionId, id, deleted: true });
    const entry = firm.entry({ value: 'Erste Fassung' });
    const other = firm.entry({ value: 'Anderes' });
    await firm.record(entry, other);
    await firm.record(removal(entry.id), removal(other.id));
    const corrected = { ...entry, value: 'Zweite Fassung', date: '2026-03-03' };
    await firm.record(corrected, firm.entry({ value: 'Drittes' }), other);
    const { entries } = await firm.entries();
    expect(entries.map(shown)).toEqual([
      '2026-03-03 comments Zweite Fassung',
      '2026-03-02 comments Anderes',
      '2026-03-02 comments Drittes',
    ]);
    expect((await firm.reports()).count).toBe(2);
    await firm.record(removal(entry.id));
    expect((await firm.entries()).count).toBe(2);
  });
});
