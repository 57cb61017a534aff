import type { Kubernetes } from './kubernetes.js';

/** A consumer from the view of one server. Only the leader knows its pending messages. */
export interface Consumer {
  readonly name: string;
  readonly num_pending: number;
  readonly num_ack_pending: number;
  readonly cluster?: { readonly leader?: string };
}

/** A stream from the view of one NATS server. */
export interface Stream {
  readonly name: string;
  readonly config: { readonly num_replicas: number };
  readonly state: { readonly messages: number; readonly last_seq: number };
  readonly cluster?: { readonly leader?: string; readonly replicas?: readonly { readonly name: string; readonly current: boolean }[] };
  readonly consumer_detail?: readonly Consumer[];
}

/** Reads streams from the monitoring port of a NATS server, through the proxy of the API server. */
export async function streamsOf(kube: Kubernetes, pod: string): Promise<readonly Stream[]> {
  const port = `/api/v1/namespaces/${kube.namespace}/pods/${pod}:8222/proxy`;
  const answer = JSON.parse(await kube.run(['get', '--raw', `${port}/jsz?streams=true&consumers=true&config=true`])) as {
    readonly account_details?: readonly { readonly stream_detail?: readonly Stream[] }[];
  };
  return (answer.account_details ?? []).flatMap(({ stream_detail = [] }) => stream_detail);
}
