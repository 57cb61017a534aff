// Checks the rules of .dependency-cruiser.mjs: the fixture has to violate every rule, and the code none.
import { cruise } from 'dependency-cruiser';
import config from '../.dependency-cruiser.mjs';

const FIXTURE = 'scripts/boundaries-fixture';
const CODE = ['libs', 'services', 'cli', 'clients', 'deploy/local', 'tests', 'bench'];

/** @returns {Promise<{rule: {name: string}, from: string, to: string}[]>} */
async function violations(places) {
  const options = { ...config.options, ruleSet: { forbidden: config.forbidden }, validate: true };
  const { output } = await cruise(places, options);
  return output.summary.violations;
}

const fired = new Set((await violations([FIXTURE])).map((violation) => violation.rule.name));
const silent = config.forbidden.filter((rule) => !fired.has(rule.name)).map((rule) => rule.name);
for (const name of silent) console.error(`boundaries: the rule "${name}" does not fire on ${FIXTURE}`);

const found = await violations(CODE);
for (const { rule, from, to } of found) {
  const { comment } = config.forbidden.find((candidate) => candidate.name === rule.name);
  console.error(`${rule.name}: ${from} → ${to}\n  ${comment}`);
}

if (silent.length > 0 || found.length > 0) process.exitCode = 1;
else console.log(`boundaries: ${config.forbidden.length} rules, each fires on the fixture, none on the code`);
