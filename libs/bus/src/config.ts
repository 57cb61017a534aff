/** `NATS_REPLICAS`: copies of each stream, 1 to 5; the same for every service. @throws RangeError for anything else */
export function replicasFromEnvironment(env: NodeJS.ProcessEnv = process.env): number | undefined {
  const given = env.NATS_REPLICAS;
  if (given === undefined || given === '') return undefined;
  const replicas = Number(given);
  if (!Number.isInteger(replicas) || replicas < 1 || replicas > 5) throw new RangeError('NATS_REPLICAS must be 1 to 5');
  return replicas;
}

/** `NATS_PROVISIONING_URL`: the address with the user that may create streams and consumers; one service has it (ADR 27). */
export function provisioningFromEnvironment(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env.NATS_PROVISIONING_URL === '' ? undefined : env.NATS_PROVISIONING_URL;
}
