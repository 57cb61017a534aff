/** The caller and what it may see. */
export interface Caller {
  readonly institutionId: string;
  readonly accountId: string;
  /** Null means the employees of all departments and those without one. */
  readonly departmentIds: readonly string[] | null;
  /** Null means all projects. */
  readonly projectIds: readonly string[] | null;
}
