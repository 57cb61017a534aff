/** The account that sends a request and what it may see. */
export interface Caller {
  readonly institutionId: string;
  readonly accountId: string;
  /** Null means all employees, including those without a department. */
  readonly departmentIds: readonly string[] | null;
  /** Null means all projects. */
  readonly projectIds: readonly string[] | null;
}
