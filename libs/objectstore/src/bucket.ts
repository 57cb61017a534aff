/** A bucket with its endpoint and credentials. */
export interface Bucket {
  /** `http://host:port` or `https://…` */
  readonly endpoint: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly bucket: string;
  /** `us-east-1` by default; configured, so that URLs can be signed without asking the store. */
  readonly region?: string;
}
