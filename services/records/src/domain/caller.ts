/** Who asks, and what that account may see. */
export interface Caller {
  readonly institutionId: string;
  readonly accountId: string;
  /** Null sees the employees of all departments, and those of none. */
  readonly departmentIds: readonly string[] | null;
  /** Null sees all projects. */
  readonly projectIds: readonly string[] | null;
}
