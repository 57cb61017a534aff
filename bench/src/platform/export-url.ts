/** Returns the URL of an export with percent-encoded parameters. */
export function exportUrl(baseUrl: string, exporter: string, parameters: Readonly<Record<string, string>>): string {
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${baseUrl}/exports/${exporter}/?${query.join('&')}`;
}
