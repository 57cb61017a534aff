import { expect, it } from '@jest/globals';
import { LoopbackContainer } from './loopback-container.js';

/** Exposes the request that would be sent to the engine. */
class Shown extends LoopbackContainer {
  async bindings(): Promise<unknown> {
    await this.beforeContainerCreated();
    return this.hostConfig.PortBindings;
  }
}

it('publishes the ports of a container on this machine only', async () => {
  const container = new Shown('redis:8.2');
  container.withExposedPorts({ container: 6379, host: 16379 }, 8222);
  expect(await container.bindings()).toEqual({
    '6379/tcp': [{ HostIp: '127.0.0.1', HostPort: '16379' }],
    '8222/tcp': [{ HostIp: '127.0.0.1', HostPort: '0' }],
  });
});
