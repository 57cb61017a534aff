/** A measured value at a point in time. */
export interface Sample {
  readonly atMs: number;
  readonly value: number;
  /** The measured process. Samples of a killed process and of its successor are not comparable. */
  readonly process: number;
  /** Age of the process. */
  readonly ageMs: number;
}

/** Growth that is tolerated. */
export interface Allowance {
  /** Samples of younger processes are ignored, because these still fill caches and compile code. */
  readonly warmUpMs: number;
  /** Tolerated growth over the time of all samples, in their unit. */
  readonly growth: number;
}

/** The evaluation of a series. */
export interface Trend {
  /** Number of evaluated samples. */
  readonly samples: number;
  /** Whether the series grows by more than the allowance; undefined if there are too few samples. */
  readonly grows?: boolean;
  /** The estimated growth over the time of all samples, and the lower confidence limit. */
  readonly growth?: number;
  readonly leastGrowth?: number;
}

/** Quantile of the normal distribution for a one-sided confidence of 95 %. */
const Z = 1.645;

/**
 * Evaluates whether a series grows, by the Theil–Sen slope, which is the median of the slopes between all pairs of samples. It is robust
 * against noise, outliers and periodic changes. Only samples of the same process are paired, like samples of the same season in the
 * seasonal Kendall estimator; the slopes of all processes are combined. The series grows if the lower confidence limit of the slope (Sen
 * 1968, Gilbert 1987) exceeds the allowance.
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

/** Returns the slopes per millisecond between all pairs of samples. */
function slopesBetween(samples: readonly Sample[]): readonly number[] {
  return samples.flatMap((one, index) => samples.slice(index + 1).map((other) => (other.value - one.value) / (other.atMs - one.atMs)));
}

/** Returns the median of sorted values. */
function middleOf(sorted: readonly number[]): number {
  const [lower, upper] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return ((lower ?? Number.NaN) + (upper ?? Number.NaN)) / 2;
}
