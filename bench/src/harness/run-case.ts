import { differences, isNoisy, judge, type Judgement, type Runs } from './judge.js';
import { VariantProcess } from './run-variant.js';
import type { Report } from './child.js';
import type { Case, Measures, Prepared, Ratio } from './types.js';

export interface CaseOptions {
  readonly quick: boolean;
  readonly rounds: number;
  /** Replaces the size that the case defines. */
  readonly size?: number;
  readonly log: (line: string) => void;
}

export interface CaseResult {
  readonly case: Case;
  readonly size: number;
  readonly notes: readonly string[];
  readonly runs: Runs;
  readonly judgements: readonly Judgement[];
  /** Reasons why the case fails independently of its measures. */
  readonly problems: readonly string[];
}

const NOTHING: Prepared = { values: {}, close: async () => {} };

/** Prepares a case, compares the outputs of its variants, then measures. If outputs differ, nothing is measured. */
export async function runCase(given: Case, options: CaseOptions): Promise<CaseResult> {
  const size = options.size ?? (options.quick ? given.sizes.quick : given.sizes.full);
  options.log(`${given.name}: ${given.title}`);
  const prepared = (await given.prepare?.({ size, quick: options.quick })) ?? NOTHING;
  try {
    const result = await new CaseRun(given, { ...options, size }, prepared).run();
    return { case: given, size, notes: prepared.notes ?? [], ...result };
  } finally {
    await prepared.close();
  }
}

class CaseRun {
  private readonly names: readonly string[];
  private readonly ratios: readonly Ratio[];
  /** A quick run, whose times are not evaluated, starts one process for all variants instead of one for each run. */
  private readonly shared: VariantProcess | undefined;

  constructor(
    private readonly given: Case,
    private readonly options: CaseOptions & { readonly size: number },
    private readonly prepared: Prepared,
  ) {
    const leftOut = new Set(options.quick ? given.onlyMeasured : []);
    this.names = Object.keys(given.variants).filter((name) => !leftOut.has(name));
    this.ratios = given.ratios.filter(({ of, to }) => !leftOut.has(of) && !leftOut.has(String(to)));
    this.shared = options.quick ? new VariantProcess() : undefined;
  }

  async run(): Promise<Pick<CaseResult, 'runs' | 'judgements' | 'problems'>> {
    try {
      return await this.result();
    } finally {
      this.shared?.end();
    }
  }

  private async result(): Promise<Pick<CaseResult, 'runs' | 'judgements' | 'problems'>> {
    const checked = await this.check();
    const problems = differences(this.given.equal ?? [], Object.fromEntries([...checked].map(([name, { digest }]) => [name, digest])));
    if (problems.length > 0) return { runs: {}, judgements: [], problems };
    const runs = this.options.quick ? await this.completed(checked) : await this.measured();
    const judgements = this.ratios.map((ratio) => judge(ratio, runs));
    const doubtful = judgements.some((judgement) => judgement.verdict === 'missed' && isNoisy(judgement, runs));
    if (this.options.quick || !doubtful) return { runs, judgements, problems };
    this.options.log(`${this.given.name}: the machine was busy, measuring once more`);
    const again = await this.measured();
    return { runs: again, judgements: this.ratios.map((ratio) => judge(ratio, again)), problems };
  }

  /** Runs each variant once whose output has to equal that of another variant. */
  private async check(): Promise<ReadonlyMap<string, Report>> {
    const compared = new Set(this.given.equal?.flat());
    const reports = new Map<string, Report>();
    for (const name of this.names) if (compared.has(name)) reports.set(name, await this.once(name, true));
    return reports;
  }

  /** In a quick run the measures of the check are reused; only variants without a check are run. */
  private async completed(checked: ReadonlyMap<string, Report>): Promise<Runs> {
    const runs: Record<string, readonly Measures[]> = {};
    for (const name of this.names) runs[name] = [(checked.get(name) ?? (await this.once(name, false))).measures];
    return runs;
  }

  /** Runs several rounds of all variants. The order rotates, so that other load on the machine affects all variants equally. */
  private async measured(): Promise<Runs> {
    const runs: Record<string, Measures[]> = Object.fromEntries(this.names.map((name) => [name, []]));
    for (let round = 0; round < this.options.rounds; round += 1) {
      const first = round % this.names.length;
      for (const name of [...this.names.slice(first), ...this.names.slice(0, first)]) {
        const { measures } = await this.once(name, false);
        runs[name]?.push(measures);
        this.options.log(`  ${round + 1}/${this.options.rounds} ${name}: ${Math.round(measures['wallMs'] ?? 0)} ms`);
      }
    }
    return runs;
  }

  private async once(name: string, checking: boolean): Promise<Report> {
    const variant = this.given.variants[name];
    if (variant === undefined) throw new Error(`${this.given.name} has no variant ${name}`);
    const values = { ...this.prepared.values, ...(await this.prepared.before?.(name)) };
    const process = this.shared ?? new VariantProcess();
    try {
      return await process.run(variant, { size: this.options.size, quick: this.options.quick, values, checking });
    } finally {
      if (process !== this.shared) process.end();
    }
  }
}
