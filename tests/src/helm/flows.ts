import type { KubernetesObject, Rendered } from './chart.js';

type Labels = Readonly<Record<string, string>>;

interface Expression {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly Expression[];
}

interface Rule {
  readonly from?: readonly { readonly podSelector?: Selector }[];
  readonly to?: readonly { readonly podSelector?: Selector }[];
  readonly ports?: readonly { readonly port: number }[];
}

/**
 * Evaluates whether the network policies of a release let one of its pods connect to another, like Kubernetes: a pod that no policy selects
 * is open, a selected one needs a rule, and both sides have to allow the connection. Supports only the selectors that the chart uses for
 * pods in its own namespace.
 */
export function mayConnect(release: Rendered, from: Labels, to: Labels, port: number): boolean {
  const policies = release.all('NetworkPolicy');
  const isAllowed = (own: Labels, other: Labels, side: 'ingress' | 'egress'): boolean => {
    const selecting = policies.filter(({ spec }) => matches(spec.podSelector, own) && spec.policyTypes.includes(capitalized(side)));
    return (
      selecting.length === 0 || selecting.some(({ spec }) => (spec[side] as Rule[] | undefined)?.some((rule) => admits(rule, other, port)))
    );
  };
  return isAllowed(from, to, 'egress') && isAllowed(to, from, 'ingress');
}

/** Returns whether a policy allows DNS for pods with these labels. */
export function asksForNames(release: Rendered, labels: Labels): boolean {
  return release
    .all('NetworkPolicy')
    .some(
      ({ spec }) =>
        matches(spec.podSelector, labels) &&
        (spec.egress as { readonly ports?: readonly { readonly protocol?: string }[] }[]).some(({ ports }) =>
          ports?.some(({ protocol }) => protocol === 'UDP'),
        ),
    );
}

/** Returns the labels of the pods that an object creates. */
export function podLabels(object: KubernetesObject): Labels {
  return object['spec'].template.metadata.labels;
}

function capitalized(side: 'ingress' | 'egress'): string {
  return side === 'ingress' ? 'Ingress' : 'Egress';
}

function admits({ from, to, ports }: Rule, other: Labels, port: number): boolean {
  const isPeer = (from ?? to)?.some(({ podSelector }) => podSelector !== undefined && matches(podSelector, other)) ?? true;
  return isPeer && (ports === undefined || ports.some((each) => each.port === port));
}

function matches({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values }) => operator === 'In' && values.includes(labels[key] ?? ''))
  );
}
