/** What was measured of something at a time. */
export interface Sample {
  readonly atMs: number;
  readonly value: number;
  /** Of which process, where it is measured of one: a process that was killed and the one after it have nothing to do with each other. */
  readonly process: number;
  /** How long that had run. */
  readonly ageMs: number;
}

/** How much of a growth is none. */
export interface Allowance {
  /** A process that is younger still fills caches and compiles what it runs often. */
  readonly warmUpMs: number;
  /** In the time of all samples, in their unit. */
  readonly growth: number;
}

/** What a series of samples says. */
export interface Trend {
  /** How many samples were judged. */
  readonly samples: number;
  /** Whether it grows by more than is allowed; undefined where there are too few samples to say so. */
  readonly grows?: boolean;
  /** The growth in the time of all samples that they show most likely, and the least that they are compatible with. */
  readonly growth?: number;
  readonly leastGrowth?: number;
}

/** Of the normal distribution: 95 % of all is above the lower limit. */
const Z = 1.645;

/**
 * Whether a series grows: by the slope of Theil and Sen, the median of the slopes between any two samples. Noise, outliers and what rises and
 * falls again do not move it. Only samples of the same process are paired, as only those of the same season are in the seasonal estimator of
 * Kendall; slopes of all processes count together. It grows when the lower confidence limit of that slope (Sen 1968, Gilbert 1987) is beyond the
 * allowance: as likely as not is not enough.
 */
export function trendOf(samples: readonly Sample[], { warmUpMs, growth }: Allowance): Trend {
  const warm = samples.filter(({ ageMs }) => ageMs >= warmUpMs);
  const processes = [...Map.groupBy(warm, ({ process }) => process).values()];
  const slopes = processes.flatMap(slopesBetween).sort((one, other) => one - other);
  const variance = processes.reduce((sum, { length: n }) => sum + (n * (n - 1) * (2 * n + 5)) / 18, 0);
  const lowest = Math.floor((slopes.length - Z * Math.sqrt(variance)) / 2) - 1;
  const least = slopes[lowest];
  if (least === undefined) return { samples: warm.length };
  const times = warm.map(({ atMs }) => atMs);
  const spanMs = Math.max(...times) - Math.min(...times);
  const leastGrowth = least * spanMs;
  return { samples: warm.length, grows: leastGrowth > growth, growth: middleOf(slopes) * spanMs, leastGrowth };
}

/** Per millisecond, between any two of them. */
function slopesBetween(samples: readonly Sample[]): readonly number[] {
  return samples.flatMap((one, index) => samples.slice(index + 1).map((other) => (other.value - one.value) / (other.atMs - one.atMs)));
}

/** The median of what is sorted. */
function middleOf(sorted: readonly number[]): number {
  const [lower, upper] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return ((lower ?? Number.NaN) + (upper ?? Number.NaN)) / 2;
}
