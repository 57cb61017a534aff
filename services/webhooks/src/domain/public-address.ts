const OCTET = /^\d{1,3}$/;
const HEXTET = /^[0-9a-f]{1,4}$/;

/**
 * Blocks of IPv4 that are not public: special-purpose blocks that are not globally reachable (IANA registry, RFC 6890), multicast, reserved
 * blocks, and 6to4 relays.
 */
const SPECIAL_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map(blockOf);

/**
 * Returns whether an address is on the public internet, so that webhooks may be sent to it. All others are rejected: special addresses,
 * those that contain another address (IPv4-mapped, NAT64, 6to4, Teredo), and invalid ones.
 */
export function isPublicAddress(address: string): boolean {
  return address.includes(':') ? isPublicV6(address.toLowerCase()) : isPublicV4(address);
}

function isPublicV4(address: string): boolean {
  const value = valueOf(address);
  return value !== undefined && !SPECIAL_V4.some(({ first, size }) => value >= first && value < first + size);
}

/** Only 2000::/3 is assigned to the public internet, with exceptions. */
function isPublicV6(address: string): boolean {
  const [first, second] = leadingHextets(address);
  if (first === undefined || second === undefined || first < 0x2000 || first > 0x3fff) return false;
  // 2001::/23 protocol assignments (Teredo, benchmarking, ORCHID) and 2001:db8::/32 documentation; then 2002::/16 6to4 and 3fff::/20
  // documentation.
  if (first === 0x2001 && (second < 0x0200 || second === 0x0db8)) return false;
  return first !== 0x2002 && !(first === 0x3fff && second < 0x1000);
}

/** Returns the first two of the eight groups. Empty if the text is not an address, or if it ends with an IPv4 address or a zone. */
function leadingHextets(address: string): readonly (number | undefined)[] {
  const halves = address.split('::');
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const given = groups.flat();
  const isWhole = halves.length === 1 ? given.length === 8 : halves.length === 2 && given.length < 8;
  if (!isWhole || !given.every((group) => HEXTET.test(group))) return [];
  const zeros = Array.from({ length: 8 - given.length }, () => '0');
  return [...(groups[0] ?? []), ...zeros, ...(groups[1] ?? [])].slice(0, 2).map((group) => Number.parseInt(group, 16));
}

function blockOf(cidr: string): { readonly first: number; readonly size: number } {
  const [address = '', bits] = cidr.split('/');
  return { first: valueOf(address) ?? 0, size: 2 ** (32 - Number(bits)) };
}

function valueOf(address: string): number | undefined {
  const octets = address.split('.');
  if (octets.length !== 4 || !octets.every((octet) => OCTET.test(octet) && Number(octet) < 256)) return undefined;
  return octets.reduce((value, octet) => value * 256 + Number(octet), 0);
}
