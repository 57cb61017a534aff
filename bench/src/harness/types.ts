/** A value that can be sent to another process. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A comparison of our implementation with peers (other implementations) and floors (the minimal necessary work) on the same input. */
export interface Case {
  readonly name: string;
  /** Numbers of the goals that it evaluates, such as `G2`. */
  readonly goals: readonly string[];
  readonly title: string;
  /** Amount of input in a unit of the case, such as rows or employees. */
  readonly sizes: { readonly quick: number; readonly full: number };
  /** The variants, in the order of the table. */
  readonly variants: Readonly<Record<string, Variant>>;
  /** Variants that a quick run leaves out, with their ratios: they do what others do with other numbers, and their outputs are not compared. */
  readonly onlyMeasured?: readonly string[];
  /** Groups of variants that have to produce the same digest, which is checked before the measurement. */
  readonly equal?: readonly (readonly string[])[];
  readonly ratios: readonly Ratio[];
  /** Runs once in the parent process; starts servers and creates data. */
  prepare?(options: PrepareOptions): Promise<Prepared>;
}

export interface PrepareOptions {
  readonly size: number;
  readonly quick: boolean;
}

export type Values = Readonly<Record<string, Json>>;

/** The input of all variants of a case. */
export interface Prepared {
  readonly values: Values;
  /** Notes above the table, such as the version of MongoDB. */
  readonly notes?: readonly string[];
  /** Runs in the parent process before each run of a variant. Its result is added to the values of the variant. */
  before?(variant: string): Promise<Values>;
  close(): Promise<void>;
}

/** An implementation of the work. Its module exports {@link Run} as `run`. Each run has its own process. */
export interface Variant {
  readonly module: URL;
}

export interface RunInput {
  readonly size: number;
  readonly quick: boolean;
  readonly values: Values;
  /** Whether the run checks the output: the outcome needs a digest, and its time is not used. */
  readonly checking: boolean;
}

export type Run = (input: RunInput) => Promise<Outcome>;

export interface Outcome {
  /** Digest of the output; used only while checking. */
  readonly digest?: string;
  /** Additional measures. A measure with the name of one of the harness (`wallMs`, …) replaces it. */
  readonly values?: Readonly<Record<string, number>>;
}

/**
 * Measures of one run: `wallMs` and `cpuMs` of `run`, `rssMb` as the peak memory of its process (MiB), `gapMs` as the longest delay of a 5
 * ms timer in the event loop, and the variant's own values.
 */
export type Measures = Readonly<Record<string, number>>;

/** A goal: the quotient of two medians, or a median divided by a fixed number. */
export interface Ratio {
  readonly goal: string;
  readonly measure: 'wallMs' | 'cpuMs' | 'rssMb' | 'gapMs' | (string & {});
  /** The variant whose median is the dividend. */
  readonly of: string;
  /** The variant whose median is the divisor, or a fixed number as divisor. */
  readonly to: string | number;
  /** Upper limit of the quotient; with `atLeast` the lower limit. */
  readonly target: number;
  readonly stretch?: number;
  readonly atLeast?: boolean;
  readonly note?: string;
}
