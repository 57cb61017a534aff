import { GenericContainer } from 'testcontainers';

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
