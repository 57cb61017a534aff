/** Anything that survives the way to another process. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** One comparison: what we built, its peers and its floors, on the same input. */
export interface Case {
  readonly name: string;
  /** Numbers of the goals that it judges, `G2`. */
  readonly goals: readonly string[];
  readonly title: string;
  /** How much input, in the case's own unit: rows, employees. */
  readonly sizes: { readonly quick: number; readonly full: number };
  /** In the order of the table. */
  readonly variants: Readonly<Record<string, Variant>>;
  /** Groups of variants that have to give the same digest before anything is timed. */
  readonly equal?: readonly (readonly string[])[];
  readonly ratios: readonly Ratio[];
  /** Runs once, in the parent: starts servers, makes data. */
  prepare?(options: PrepareOptions): Promise<Prepared>;
}

export interface PrepareOptions {
  readonly size: number;
  readonly quick: boolean;
}

export type Values = Readonly<Record<string, Json>>;

/** What all variants of a case are given. */
export interface Prepared {
  readonly values: Values;
  /** Lines for the head of the table, such as which MongoDB it was. */
  readonly notes?: readonly string[];
  /** Runs in the parent before each run of a variant; what it answers is added to the variant's values. */
  before?(variant: string): Promise<Values>;
  close(): Promise<void>;
}

/** A way to do the work; its module exports {@link Run} as `run`. Each run has a process of its own. */
export interface Variant {
  readonly module: URL;
}

export interface RunInput {
  readonly size: number;
  readonly quick: boolean;
  readonly values: Values;
  /** Whether the outcome needs its digest: the time does not count. */
  readonly checking: boolean;
}

export type Run = (input: RunInput) => Promise<Outcome>;

export interface Outcome {
  /** Of the output; only looked at while checking. */
  readonly digest?: string;
  /** Further measures. One that is named like a measure of the harness (`wallMs`, …) replaces it. */
  readonly values?: Readonly<Record<string, number>>;
}

/**
 * What was measured in one run: `wallMs` and `cpuMs` of `run`, `rssMb` as the peak of its process (MiB), `gapMs` as the longest time by which
 * the event loop was late for a 5 ms timer, and the variant's own values.
 */
export type Measures = Readonly<Record<string, number>>;

/** A goal: a quotient of two medians, or a median by a limit. */
export interface Ratio {
  readonly goal: string;
  readonly measure: 'wallMs' | 'cpuMs' | 'rssMb' | 'gapMs' | (string & {});
  /** The variant above the line. */
  readonly of: string;
  /** The variant below it; a number is an absolute limit, by which the median is divided. */
  readonly to: string | number;
  /** The quotient has to be at most so large, with `atLeast` at least. */
  readonly target: number;
  readonly stretch?: number;
  readonly atLeast?: boolean;
  readonly note?: string;
}
