import type { Client } from './client-tools.js';

/** Number of versions of a project that are sent before the next project. */
const VERSIONS = 3;

/** Publishes projects as live objects, each in several versions. */
export const projects: Client = {
  name: 'live projects',
  start({ firm, slot, history, publish }) {
    let number = 0;
    let version = VERSIONS;
    return async () => {
      if (version === VERSIONS) [number, version] = [slot.next(), 0];
      const name = `${slot.word} ${String(++version)}`;
      const outcome = await publish(firm.projectLine(number, name));
      history.write({ kind: 'project', key: firm.id(number), value: name, outcome, id: firm.id(number) });
      return outcome === 'acknowledged';
    };
  },
};

/** Publishes employees as live objects and deletes them again. */
export const people: Client = {
  name: 'deletions',
  start({ firm, slot, history, publish }) {
    return async () => {
      const number = slot.next();
      const id = firm.id(number);
      const word = `${slot.word}Gone${String(number)}`;
      const created = await publish(firm.employee(number, word));
      history.write({ kind: 'employee', key: id, value: word, outcome: created, id });
      if (created !== 'acknowledged') return false;
      const deletion = { kind: 'employee', id, institution_id: firm.institutionId, deleted: true };
      const outcome = await publish(deletion);
      history.write({ kind: 'employee', key: id, value: null, outcome, id });
      if (outcome === 'acknowledged') history.deletedPeople.push({ id, word });
      return outcome === 'acknowledged';
    };
  },
};
