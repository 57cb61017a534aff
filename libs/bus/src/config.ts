/** `NATS_REPLICAS`: copies of each stream, 1 to 5; the same for every service. @throws RangeError for anything else */
export function replicasFromEnvironment(env: NodeJS.ProcessEnv = process.env): number | undefined {
  const given = env.NATS_REPLICAS;
  if (given === undefined || given === '') return undefined;
  const replicas = Number(given);
  if (!Number.isInteger(replicas) || replicas < 1 || replicas > 5) throw new RangeError('NATS_REPLICAS must be 1 to 5');
  return replicas;
}

const ACK_WAIT_SECONDS = 30;

/**
 * `NATS_ACK_WAIT_SECONDS`: how long a message may go without a word of its handler until another one gets it, 1 to 600; given to those who
 * create consumers.
 *
 * @returns milliseconds
 * @throws RangeError for anything else
 */
export function ackWaitFromEnvironment(env: NodeJS.ProcessEnv = process.env): number {
  const given = env.NATS_ACK_WAIT_SECONDS;
  const seconds = given === undefined || given === '' ? ACK_WAIT_SECONDS : Number(given);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > 600) throw new RangeError('NATS_ACK_WAIT_SECONDS must be 1 to 600');
  return seconds * 1_000;
}

/** `NATS_PROVISIONING_URL`: the address with the user that may create streams and consumers; one service has it (ADR 27). */
export function provisioningFromEnvironment(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env.NATS_PROVISIONING_URL === '' ? undefined : env.NATS_PROVISIONING_URL;
}
