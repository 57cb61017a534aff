const POSTCODE = /(?<!\d)\d{5}(?!\d)/g;

/** What geocoders of places know an address by: its postcode, the last number of five digits, else what comes after its last comma. */
export function placeOf(address: string): string | undefined {
  const postcode = address.match(POSTCODE)?.at(-1);
  if (postcode !== undefined) return postcode;
  const parts = address.split(/[,\n]/).map((part) => part.trim());
  return parts.findLast((part) => part !== '');
}
