/** A request that the server of an institution has received. */
export interface ReceivedEvent {
  /** Whose server it is. */
  readonly receiver: string;
  /** Its `webhook-id`: repeats of an event have the same. */
  readonly id: string;
  readonly type: string;
  /** The institution that the body names. */
  readonly institutionId: string;
  readonly body: string;
  /** Whether the signature is that of the receiver's secret. */
  readonly isGenuine: boolean;
}

interface Published {
  readonly id: string;
  readonly institutionId: string;
  readonly type: string;
}

interface Told {
  readonly events: readonly Published[];
  /** Published before the scenario; somebody may be told of them again. */
  readonly earlier?: readonly Published[];
  readonly subscribers: readonly string[];
  readonly received: readonly ReceivedEvent[];
}

/** Every event reaches the server of its institution at least once, the same each time, and nobody else's. */
export function judgeWebhooks({ events, earlier = [], subscribers, received }: Told): Record<'lost' | 'wrong', string[]> {
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
      'that nobody published': published.get(one.id)?.type !== one.type,
      'with another body than before': one.body !== first,
    };
    return Object.entries(faults).flatMap(([fault, isSo]) => (isSo ? [`webhook: a request ${fault}: ${one.type} ${one.id}`] : []));
  });
  return { lost, wrong };
}
