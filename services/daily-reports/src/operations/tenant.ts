/** Whose data is meant: nothing outside the institution exists. */
export interface Tenant {
  readonly institutionId: string;
}

/** Who asks. */
export interface Caller extends Tenant {
  readonly accountId: string;
}
