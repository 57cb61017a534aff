import { GenericContainer, type WaitStrategy } from 'testcontainers';
import { waitUntil } from '../process/wait-until.js';

/** A container whose ports only this machine reaches: its servers ask for no password. testcontainers itself publishes on every interface. */
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
 * A container is ready when its server answers, and removed when it does not in time. testcontainers itself asks for the port at the engine's
 * bridge when it runs in a container (a development container, a job of CI), and nothing of ours is published there.
 */
export function whenItAnswers(probe: () => Promise<void>, timeoutMs: number): WaitStrategy {
  return {
    waitUntilReady: () => waitUntil(probe, { timeoutMs, intervalMs: 100 }),
    withStartupTimeout: (otherTimeoutMs) => whenItAnswers(probe, otherTimeoutMs),
    isStartupTimeoutSet: () => true,
    getStartupTimeout: () => timeoutMs,
  };
}
