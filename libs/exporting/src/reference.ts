/** One entry of a reference page (spec: discovery endpoints); page and validator read the same registries. Texts are German. */
export interface ReferenceEntry {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** As it is written in a query parameter, before percent-encoding. */
  readonly example: string;
}
