import type { ClusterProvider } from '../cluster/provider.js';
import type { Images } from '../images/current.js';
import type { Kubernetes } from './kubernetes.js';
import type { Release } from './release.js';
import type { Values } from './values.js';

/** What scenarios share: one installation in one cluster. */
export interface Platform {
  readonly cluster: ClusterProvider;
  readonly kube: Kubernetes;
  readonly release: Release;
  readonly images: Images;
  /** Those of a version that follows, on the nodes. */
  nextImages(): Promise<Images>;
  /** Of records, unable to prepare, on the nodes. */
  brokenImage(): Promise<Images>;
  /** Values of the installation, with what a scenario wants otherwise. */
  values(more?: Values, images?: Images): Values;
  /** Removes all of it, for a scenario that wants the room. */
  vacate(): Promise<void>;
  /** Base addresses on this machine. */
  readonly gateway: string;
  readonly objectStore: string;
  readonly idle: string;
  /** Of the demo organization's account. */
  token: string;
  account: string;
  institution: string;
  /** Whether the installation of an earlier run is used. */
  readonly reused: boolean;
  readonly log: (line: string) => void;
}
