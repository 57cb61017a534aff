/** A bucket, and how to get at it. */
export interface Bucket {
  /** `http://host:port` or `https://…` */
  readonly endpoint: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly bucket: string;
  /** `us-east-1` by default; given, so that nothing has to be asked before an address can be signed. */
  readonly region?: string;
}
