/** The address of an export, parameters percent-encoded once. */
export function exportUrl(baseUrl: string, exporter: string, parameters: Readonly<Record<string, string>>): string {
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${baseUrl}/exports/${exporter}/?${query.join('&')}`;
}
