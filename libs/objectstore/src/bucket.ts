/** A bucket, and how to access it. */
export interface Bucket {
  /** `http://host:port` or `https://…` */
  readonly endpoint: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly bucket: string;
  /** `us-east-1` by default. It is configured, so that URLs can be signed without a request. */
  readonly region?: string;
}
