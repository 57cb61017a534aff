import { z } from 'zod';
import { areAddresses } from './address.js';
import { ackWaitFromEnvironment, streamSettingsFromEnvironment } from './config.js';

/** Addresses of servers, separated by commas. */
const serversVariable = z
  .string()
  .refine(areAddresses, 'must be nats://host:port, or tls://, with user:password@ before the host where there are users');

/** For a variable that is parsed elsewhere: reports its problems before anything connects. */
const checkedBy = (read: (value: string) => unknown) =>
  z
    .string()
    .superRefine((value, context) => {
      try {
        read(value);
      } catch (caught) {
        context.addIssue({ code: 'custom', message: (caught as Error).message.replace(/^NATS_[A-Z_]+ (?!of )/, '') });
      }
    })
    .optional();

/** The variables of a process that uses NATS, for its own schema: `z.object({ ...busVariables, … })`. */
export const busVariables = {
  NATS_URL: serversVariable,
  NATS_PROVISIONING_URL: serversVariable.optional(),
  NATS_REPLICAS: checkedBy((value) => streamSettingsFromEnvironment({ NATS_REPLICAS: value })),
  NATS_STREAMS: checkedBy((value) => streamSettingsFromEnvironment({ NATS_STREAMS: value })),
  NATS_SUBSCRIBERS: checkedBy((value) => streamSettingsFromEnvironment({ NATS_SUBSCRIBERS: value })),
  NATS_ACK_WAIT_SECONDS: checkedBy((value) => ackWaitFromEnvironment({ NATS_ACK_WAIT_SECONDS: value })),
};
