/** A webhook request that an institution's receiver got. */
export interface ReceivedEvent {
  /** The institution of the receiver. */
  readonly receiver: string;
  /** The `webhook-id`, which is the same for repeated deliveries of an event. */
  readonly id: string;
  readonly type: string;
  /** The institution in the body. */
  readonly institutionId: string;
  readonly body: string;
  /** Whether the signature is valid for the receiver's secret. */
  readonly isGenuine: boolean;
}

interface Published {
  readonly id: string;
  readonly institutionId: string;
  readonly type: string;
}

interface WebhookObservation {
  readonly events: readonly Published[];
  /** Events published before the scenario; they may be delivered again. */
  readonly earlier?: readonly Published[];
  readonly subscribers: readonly string[];
  readonly received: readonly ReceivedEvent[];
}

/** Checks that every event was delivered to its own institution at least once, always with the same body, and to no other institution. */
export function judgeWebhooks({ events, earlier = [], subscribers, received }: WebhookObservation): Record<'lost' | 'wrong', string[]> {
  const published = new Map([...earlier, ...events].map((event) => [event.id, event]));
  const lost = events.flatMap(({ id, institutionId, type }) => {
    const isExpected = subscribers.includes(institutionId);
    const isReceived = received.some((one) => one.receiver === institutionId && one.id === id);
    return isExpected && !isReceived ? [`webhook: no request for ${type} ${id}`] : [];
  });
  const bodies = new Map<string, string>();
  const wrong = received.flatMap((one) => {
    const first = bodies.get(one.id) ?? one.body;
    bodies.set(one.id, first);
    const faults = {
      'with a wrong signature': !one.isGenuine,
      'of another institution': one.institutionId !== one.receiver,
      'that was never published': published.get(one.id)?.type !== one.type,
      'with another body than before': one.body !== first,
    };
    return Object.entries(faults).flatMap(([fault, isSo]) => (isSo ? [`webhook: a request ${fault}: ${one.type} ${one.id}`] : []));
  });
  return { lost, wrong };
}
