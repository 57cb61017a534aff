import type { ToolName } from '@stechuhr/local-infra';

/** One image to be built; what stands in the Dockerfile is not the provider's business. */
export interface ImageBuild {
  readonly name: string;
  readonly dockerfile: string;
  readonly context: string;
  readonly target?: string;
  readonly args?: Readonly<Record<string, string>>;
  /** Folders that stand for stages of the Dockerfile. */
  readonly contexts?: Readonly<Record<string, string>>;
}

/** A Kubernetes cluster and what a test has to ask of whoever runs it. */
export interface ClusterProvider {
  /** Which one it is, for people. */
  readonly name: string;
  readonly kubectl: string;
  /** For kubectl and helm. */
  readonly env: NodeJS.ProcessEnv;
  /** Whether an image was built here before. */
  has(image: string): Promise<boolean>;
  build(image: ImageBuild): Promise<void>;
  /** Brings images to the nodes; those that are there already are left alone. */
  load(images: readonly string[]): Promise<void>;
  /** Sees to images of the four servers, by their name in the chart, where nodes cannot pull them. */
  provideServers(images: Readonly<Record<string, string>>): Promise<void>;
  /** Sees to the image of one program, at its path in the published one, where nodes cannot pull that. */
  provideProgram(image: string, tool: ToolName, path: string): Promise<void>;
  /** Whether the API server tells its extensions, metrics-server for example, who asks. */
  readonly namesCallers: boolean;
  /** Whether that MongoDB is a stand-in that knows neither users nor replica sets. */
  readonly simpleMongodb: boolean;
  /** The base address at which a node port answers on this machine. */
  reach(nodePort: number): Promise<string>;
  /** Takes back what `reach` began. The cluster stays. */
  close(): Promise<void>;
  /**
   * Sees to an engine for skaffold, and gives what its client has to be told, where no image can be made as skaffold.yaml says: skaffold/build-image.ts
   * then makes them.
   */
  skaffoldEngine?(): Promise<NodeJS.ProcessEnv>;
  /** Makes the cluster and its images anew. Only of one that nobody but this test uses. */
  renew?(): Promise<void>;
}

/** The arguments that `docker build` and `podman build` share. */
export function buildArguments({ name, dockerfile, context, target, args = {}, contexts = {} }: ImageBuild): string[] {
  return [
    ...['--file', dockerfile, '--tag', name],
    ...(target === undefined ? [] : ['--target', target]),
    ...Object.entries(args).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`]),
    ...Object.entries(contexts).flatMap(([key, folder]) => ['--build-context', `${key}=${folder}`]),
    context,
  ];
}
