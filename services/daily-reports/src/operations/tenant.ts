/** The institution whose data is accessed; data of others does not exist. */
export interface Tenant {
  readonly institutionId: string;
}

/** The caller of an operation. */
export interface Caller extends Tenant {
  readonly accountId: string;
}
