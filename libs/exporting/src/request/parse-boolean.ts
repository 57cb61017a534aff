/** Reads `true`, `false`, `1` or `0` in any case (docs/rules/api.md#query-parameters); undefined for anything else. */
export function parseBoolean(text: string): boolean | undefined {
  switch (text.toLowerCase()) {
    case 'true':
    case '1':
      return true;
    case 'false':
    case '0':
      return false;
    default:
      return undefined;
  }
}
