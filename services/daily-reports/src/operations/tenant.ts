/** The institution whose data is accessed; data of others is treated as missing. */
export interface Tenant {
  readonly institutionId: string;
}

/** The account that sends a request. */
export interface Caller extends Tenant {
  readonly accountId: string;
}
