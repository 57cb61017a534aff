/** The number of accepted lines by kind, and of rejected lines. */
export interface ImportCounts {
  readonly accepted: Record<string, number>;
  rejected: number;
}

/** Counts the lines of an import: in total, for its summary, and for each institution. */
export class ImportTally {
  readonly total: ImportCounts = { accepted: {}, rejected: 0 };
  readonly byInstitution = new Map<string, ImportCounts>();
  private judgedLines = 0;

  get judged(): number {
    return this.judgedLines;
  }

  accept(institutionId: string, kind: string): void {
    this.judgedLines += 1;
    for (const { accepted } of [this.total, this.of(institutionId)]) accepted[kind] = (accepted[kind] ?? 0) + 1;
  }

  reject(institutionId: string | undefined): void {
    this.judgedLines += 1;
    this.total.rejected += 1;
    if (institutionId !== undefined) this.of(institutionId).rejected += 1;
  }

  private of(institutionId: string): ImportCounts {
    const counts = this.byInstitution.get(institutionId) ?? { accepted: {}, rejected: 0 };
    this.byInstitution.set(institutionId, counts);
    return counts;
  }
}
