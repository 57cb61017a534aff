import type { ClusterProvider } from '../cluster/provider.js';
import type { Images } from '../images/current.js';
import type { Kubernetes } from './kubernetes.js';
import type { Release } from './release.js';
import type { Values } from './values.js';

/** The installation in a cluster that scenarios share. */
export interface Platform {
  readonly cluster: ClusterProvider;
  readonly kube: Kubernetes;
  readonly release: Release;
  readonly images: Images;
  /** Builds images of the next version and copies them to the nodes. */
  nextImages(): Promise<Images>;
  /** Builds an image of records whose preparation fails and copies it to the nodes. */
  brokenImage(): Promise<Images>;
  /** Returns the values of the installation, changed by those of a scenario. */
  values(more?: Values, images?: Images): Values;
  /** Removes the installation, for a scenario that needs its resources. */
  vacate(): Promise<void>;
  /** Base URLs for clients on this machine. */
  readonly gateway: string;
  readonly objectStore: string;
  readonly idle: string;
  /** A token of the demo organization's account, and the id of the account. */
  token: string;
  account: string;
  institution: string;
  /** Whether the installation of an earlier run is used. */
  readonly reused: boolean;
  readonly log: (line: string) => void;
}
