import { GenericContainer, type WaitStrategy } from 'testcontainers';
import { waitUntil } from '../process/wait-until.js';

/**
 * A container whose ports are reachable from this machine only, because its server has no password. By default, testcontainers publishes on every
 * interface.
 */
export class LoopbackContainer extends GenericContainer {
  protected override beforeContainerCreated(): Promise<void> {
    const published = Object.entries<readonly object[]>(
      (this.hostConfig.PortBindings as Record<string, readonly object[]> | undefined) ?? {},
    );
    this.hostConfig.PortBindings = Object.fromEntries(
      published.map(([port, bindings]) => [port, bindings.map((binding) => ({ ...binding, HostIp: '127.0.0.1' }))]),
    );
    return Promise.resolve();
  }
}

/**
 * Waits until the server in a container answers; the container is removed if it does not in time. When testcontainers runs inside a container itself
 * (a development container, a CI job), it would check the port at the engine's bridge, where our containers publish nothing.
 */
export function whenItAnswers(probe: () => Promise<void>, timeoutMs: number): WaitStrategy {
  return {
    waitUntilReady: () => waitUntil(probe, { timeoutMs, intervalMs: 100 }),
    withStartupTimeout: (otherTimeoutMs) => whenItAnswers(probe, otherTimeoutMs),
    isStartupTimeoutSet: () => true,
    getStartupTimeout: () => timeoutMs,
  };
}
