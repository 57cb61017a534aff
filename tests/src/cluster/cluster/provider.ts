import type { ToolName } from '@stechuhr/local-infra';

/** An image to build. */
export interface ImageBuild {
  readonly name: string;
  readonly dockerfile: string;
  readonly context: string;
  readonly target?: string;
  readonly args?: Readonly<Record<string, string>>;
  /** Folders that replace stages of the Dockerfile. */
  readonly contexts?: Readonly<Record<string, string>>;
}

/** A Kubernetes cluster, and operations that depend on how it is run. */
export interface ClusterProvider {
  /** Description for the output. */
  readonly name: string;
  readonly kubectl: string;
  /** Environment for kubectl and helm. */
  readonly env: NodeJS.ProcessEnv;
  /** Returns whether an image has already been built. */
  has(image: string): Promise<boolean>;
  build(image: ImageBuild): Promise<void>;
  /** Copies images to the nodes unless they are already there. */
  load(images: readonly string[]): Promise<void>;
  /** Provides images of the four servers, by their name in the chart, if nodes cannot pull them. */
  provideServers(images: Readonly<Record<string, string>>): Promise<void>;
  /** Provides the image of a program, with the same path as in the published image, if nodes cannot pull it. */
  provideProgram(image: string, tool: ToolName, path: string): Promise<void>;
  /** Whether the API server forwards the identity of the caller to extension servers such as metrics-server. */
  readonly namesCallers: boolean;
  /** Whether MongoDB is replaced by a stand-in without users and replica sets. */
  readonly simpleMongodb: boolean;
  /** Returns the base URL at which a node port is reachable from this machine. */
  reach(nodePort: number): Promise<string>;
  /** Ends what `reach` started. The cluster is kept. */
  close(): Promise<void>;
  /**
   * Defined if images cannot be built as in skaffold.yaml; skaffold/build-image.ts builds them instead. Starts an engine for skaffold and
   * returns the environment for its clients.
   */
  skaffoldEngine?(): Promise<NodeJS.ProcessEnv>;
  /** Recreates the cluster and its images. Defined only for a cluster that no one else uses. */
  renew?(): Promise<void>;
}

/** Returns arguments that work with both `docker build` and `podman build`. */
export function buildArguments({ name, dockerfile, context, target, args = {}, contexts = {} }: ImageBuild): string[] {
  return [
    ...['--file', dockerfile, '--tag', name],
    ...(target === undefined ? [] : ['--target', target]),
    ...Object.entries(args).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`]),
    ...Object.entries(contexts).flatMap(([key, folder]) => ['--build-context', `${key}=${folder}`]),
    context,
  ];
}
