import { insist, type Scenario } from './scenario.js';

/** Plausible mistakes in values, with a part of the error message that has to explain them. */
const REFUSED = [
  { values: { replicaz: 3 }, says: "additional properties 'replicaz' not allowed" },
  { values: { services: { gateway: { replicas: 'two' } } }, says: 'got string, want integer' },
  { values: { services: { invoices: { replicas: 1 } } }, says: "additional properties 'invoices' not allowed" },
  {
    values: { infrastructure: { enabled: false } },
    says: 'redis.existingSecret is missing: a secret with the key url',
  },
  { values: { ingress: { enabled: true } }, says: 'ingress.host is missing: the name that clients call' },
] as const;

export const refusedValues: Scenario = {
  name: 'wrong values are refused with a sentence that helps',
  brief: true,
  async run({ release, values }) {
    const { revision } = await release.revision();
    for (const { values: wrong, says } of REFUSED) {
      const answer = await release.upgrade(values(wrong)).then(
        () => 'the upgrade was accepted',
        (error: Error) => error.message,
      );
      insist(answer.includes(says), `for ${JSON.stringify(wrong)} Helm should say "${says}", and says:\n${answer}`);
    }
    insist((await release.revision()).revision === revision, 'a refused upgrade became a revision');
    return { note: `${REFUSED.length} values` };
  },
};
