/** Stops what the setup of the run started. */
export default async function globalTeardown(): Promise<void> {
  await globalThis.stechuhrMongo?.stop();
}
