import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { dailyReportsV1 } from '@stechuhr/contracts';
import { AppError, newId } from '@stechuhr/kernel';
import { callUnary } from '@stechuhr/service';
import { waitFor, watchSubjects, type SubjectWatch } from '@stechuhr/testing';
import { dayOf, openOrganization, type Organization } from './support/organization.js';
import { startDailyReports, type RunningDailyReports } from './support/running-daily-reports.js';

let running: RunningDailyReports;
let watch: SubjectWatch;
let firm: Organization;

beforeAll(async () => {
  running = await startDailyReports();
  watch = await watchSubjects(running.servers.natsUrl, 'stechuhr.events.*.daily-reports.>');
});
afterAll(async () => {
  await watch.stop();
  await running.stop();
});

beforeEach(async () => {
  firm = await openOrganization(running);
});

const { ReportStatus, ReportPermission } = dailyReportsV1;
const statuses = {
  draft: ReportStatus.REPORT_STATUS_DRAFT,
  submitted: ReportStatus.REPORT_STATUS_SUBMITTED,
  closed: ReportStatus.REPORT_STATUS_CLOSED,
  archived: ReportStatus.REPORT_STATUS_ARCHIVED,
};
const permissions = {
  edit: ReportPermission.REPORT_PERMISSION_EDIT,
  approve: ReportPermission.REPORT_PERMISSION_APPROVE,
  supervise: ReportPermission.REPORT_PERMISSION_SUPERVISE,
};

type Status = keyof typeof statuses;
type Permission = keyof typeof permissions;

/** The changes that lead from a draft to each status. */
const waysTo: Readonly<Record<Status, readonly Status[]>> = {
  draft: [],
  submitted: ['submitted'],
  closed: ['closed'],
  archived: ['closed', 'archived'],
};

/** The table of docs/rules/daily-reports.md#status. A transition that is not in it is never allowed. */
const moves: Readonly<Record<Status, Readonly<Partial<Record<Status, Permission>>>>> = {
  draft: { submitted: 'edit', closed: 'approve' },
  submitted: { draft: 'approve', closed: 'approve', archived: 'supervise' },
  closed: { draft: 'approve', archived: 'supervise' },
  archived: { draft: 'supervise' },
};

describe('changes of two institutions with the same id', () => {
  it('are compared with those of their own institution', async () => {
    const copy = await openOrganization(running);
    const id = newId();
    const [own, others] = [firm.status('submitted', { id }), copy.status('closed', { id })];
    await firm.record(own);
    await copy.record(others);
    expect(await firm.import([own, copy.status('archived')])).toMatchObject({ rejected: [] });
    expect(await firm.import([others, firm.status('closed')])).toMatchObject({ rejected: [] });
  });
});

interface Given {
  readonly having?: readonly Permission[];
  readonly reason?: string;
  readonly date?: string;
}

/** Returns `true`, `false` or the error. */
async function change(to: Status, { having = ['edit', 'approve', 'supervise'], reason = 'Rückfrage', date = '2026-03-02' }: Given = {}) {
  const request = {
    caller: firm.caller,
    tagId: firm.site,
    date: dayOf(date),
    status: statuses[to],
    permissions: having.map((one) => permissions[one]),
    reason,
  };
  try {
    return (await callUnary(running.client, running.client.changeStatus, request)).changed;
  } catch (caught) {
    return caught instanceof AppError ? caught.code : caught;
  }
}

describe('ChangeStatus', () => {
  it('allows only the transitions of the table, each with its permission', async () => {
    const names = Object.keys(statuses) as Status[];
    let day = 0;
    for (const from of names) {
      for (const to of names) {
        day += 1;
        const date = `2026-04-${String(day).padStart(2, '0')}`;
        for (const step of waysTo[from]) expect(await change(step, { date })).toBe(true);
        const needed = moves[from][to];
        const without = (Object.keys(permissions) as Permission[]).filter((one) => one !== needed);
        const expected = from === to ? [false, false] : needed === undefined ? ['invalid', 'invalid'] : ['forbidden', true];
        expect([from, to, await change(to, { date, having: without }), await change(to, { date })]).toEqual([from, to, ...expected]);
        const isMoved = from !== to && needed !== undefined;
        expect(await firm.statusOf(date)).toBe(statuses[isMoved ? to : from]);
      }
    }
  });

  it('requires a reason to reject a submitted report, and an existing project', async () => {
    await change('submitted');
    expect([await change('draft', { reason: ' ' }), await change('draft', { reason: 'Fotos fehlen' })]).toEqual(['invalid', true]);
    const other = await openOrganization(running);
    const request = {
      caller: other.caller,
      tagId: firm.site,
      date: 0,
      status: statuses.submitted,
      permissions: [permissions.edit],
      reason: undefined,
    };
    await expect(callUnary(running.client, running.client.changeStatus, request)).rejects.toMatchObject({ code: 'invalid' });
  });

  it('refuses a day that no date can write, and stores nothing of it', async () => {
    const request = {
      caller: firm.caller,
      tagId: firm.site,
      status: statuses.submitted,
      permissions: [permissions.edit],
      reason: undefined,
    };
    // 0000-12-31, 10000-01-01, and the limits of the field.
    for (const date of [-719_163, 2_932_897, -2_147_483_648, 2_147_483_647]) {
      const changing = callUnary(running.client, running.client.changeStatus, { ...request, date });
      await expect(changing).rejects.toMatchObject({ code: 'invalid', details: { date: [expect.any(String)] } });
      const form = callUnary(running.client, running.client.getForm, { caller: firm.caller, date });
      await expect(form).rejects.toMatchObject({ code: 'invalid', details: { date: [expect.any(String)] } });
    }
    for (const date of [-719_162, 2_932_896])
      expect(await callUnary(running.client, running.client.changeStatus, { ...request, date })).toMatchObject({ changed: true });
  });

  it('changes the status once under concurrent calls, and publishes one event', async () => {
    await firm.record(firm.entry());
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => change('submitted')));
    expect(outcomes.filter((changed) => changed === true)).toHaveLength(1);
    expect(outcomes.filter((changed) => changed === false)).toHaveLength(19);
    const changed = () =>
      watch.messages.filter(({ subject }) => subject.includes(firm.institutionId) && subject.endsWith('status-changed'));
    const [message] = await waitFor(() => (changed().length > 0 ? changed() : undefined));
    expect(JSON.parse(message?.text ?? '{}')).toMatchObject({ data: { id: `${firm.site}|2026-03-02`, from: 'draft', to: 'submitted' } });
    await change('closed');
    await waitFor(() => (changed().length > 1 ? true : undefined));
    expect(changed()).toHaveLength(2);
  });
});

describe('a status line', () => {
  it('follows the table regardless of the role of the actor, and has no effect when repeated', async () => {
    const lines = [firm.status('submitted'), firm.status('submitted'), firm.status('draft'), firm.status('closed', { reason: 'Abnahme' })];
    await firm.record(...lines);
    expect(await firm.statusOf()).toBe(statuses.closed);
    await firm.record(...lines);
    expect(await firm.statusOf()).toBe(statuses.closed);
    expect((await firm.import([firm.status('submitted'), { ...lines[0], status: 'closed' }])).rejected).toEqual([
      '1 daily_report_status: A report that is closed cannot become submitted.',
      '2 daily_report_status: id belongs to another change of status.',
    ]);
  });

  it('is rejected without a valid account, and can be removed', async () => {
    const nobody = newId();
    expect((await firm.import([firm.status('submitted', { actor_id: nobody }), firm.status('lost')])).rejected.toSorted()).toEqual([
      `1 daily_report_status: actor_id names no account of the institution: ${nobody}.`,
      '2 daily_report_status: status must be one of draft, submitted, closed, archived.',
    ]);
    const [submitted, closed] = [firm.status('submitted'), firm.status('closed')];
    await firm.record(submitted, closed);
    const taken = (line: typeof closed) => ({ kind: line.kind, institution_id: line.institution_id, id: line.id, deleted: true });
    await firm.record(taken(closed));
    expect(await firm.statusOf()).toBe(statuses.submitted);
    await firm.record(taken(submitted), taken(submitted));
    expect(await firm.statusOf()).toBe(statuses.draft);
  });

  it('takes effect after the entries, regardless of its position', async () => {
    await firm.record(firm.status('submitted'), firm.status('archived', { at: '2026-03-05T10:00:00' }), firm.entry());
    expect(await firm.statusOf()).toBe(statuses.archived);
    expect((await firm.entries()).count).toBe(1);
  });
});
