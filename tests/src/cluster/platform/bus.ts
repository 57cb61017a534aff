import type { Kubernetes } from './kubernetes.js';

/** A consumer as one server sees it; only its leader knows what waits. */
export interface Consumer {
  readonly name: string;
  readonly num_pending: number;
  readonly num_ack_pending: number;
  readonly cluster?: { readonly leader?: string };
}

/** A stream as one server of NATS sees it. */
export interface Stream {
  readonly name: string;
  readonly config: { readonly num_replicas: number };
  readonly state: { readonly messages: number; readonly last_seq: number };
  readonly cluster?: { readonly leader?: string; readonly replicas?: readonly { readonly name: string; readonly current: boolean }[] };
  readonly consumer_detail?: readonly Consumer[];
}

/** What a server of NATS says at its monitoring port, by way of the API server. */
export async function streamsOf(kube: Kubernetes, pod: string): Promise<readonly Stream[]> {
  const port = `/api/v1/namespaces/${kube.namespace}/pods/${pod}:8222/proxy`;
  const answer = JSON.parse(await kube.run(['get', '--raw', `${port}/jsz?streams=true&consumers=true&config=true`])) as {
    readonly account_details?: readonly { readonly stream_detail?: readonly Stream[] }[];
  };
  return (answer.account_details ?? []).flatMap(({ stream_detail = [] }) => stream_detail);
}
