import { connectBusAdmin, type BusAdmin } from '@stechuhr/bus';
import { AppError } from '@stechuhr/kernel';
import { Failure } from './failure.js';
import { findPlatform } from './platform.js';
import { quietLogger } from './quiet-logger.js';

/** Connects to the streams for one command. @throws Failure that names the unavailable server */
export async function withBus<T>(run: (bus: BusAdmin) => Promise<T>): Promise<T> {
  const servers = findPlatform().natsUrl();
  const bus = await connectBusAdmin({ servers, name: 'stechuhr', logger: quietLogger }).catch((caught: unknown) => {
    throw new Failure(`${AppError.from(caught).message}\nIs the platform running ("npm start")?`, 1, caught);
  });
  try {
    return await run(bus);
  } finally {
    await bus.close();
  }
}
