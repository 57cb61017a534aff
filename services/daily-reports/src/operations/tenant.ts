/** The institution whose data is accessed; data of others is treated as missing. */
export interface Tenant {
  readonly institutionId: string;
}

/** The account that sends a request. */
export interface Caller extends Tenant {
  readonly accountId: string;
}

/** Whether the institution whose data is being removed is still missing. An answer counts only for what was read before. */
export type IsGone = () => Promise<boolean>;
