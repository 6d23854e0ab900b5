import { BlockList, isIP } from "node:net";

/** What an address is for. Only `public` ones may be reached unless the user has named the host. */
export type AddressKind = "public" | "loopback" | "private" | "link-local" | "reserved";

/** Expects an address as `new URL` or a resolver writes it, IPv6 without brackets. Anything else is `reserved`. */
export function addressKind(address: string): AddressKind {
  const family = isIP(address);
  if (family === 4) return ranges4.find(({ list }) => list.check(address, "ipv4"))?.kind ?? "public";
  // IPv6 is judged by the allowed ranges: most of its space leads to no public host, or hides an IPv4 address.
  if (family === 6 && global6.check(address, "ipv6") && !special6.check(address, "ipv6")) return "public";
  return ranges6.find(({ list }) => list.check(address, "ipv6"))?.kind ?? "reserved";
}

/** What an address of this kind is, as in "10.0.0.1 is …". */
export function describeKind(kind: AddressKind): string {
  return kindNames[kind];
}

const kindNames: Record<AddressKind, string> = {
  public: "a public address",
  loopback: "an address of this machine",
  private: "an address in a private network",
  "link-local": "an address for local or cloud metadata services",
  reserved: "a reserved address",
};

// IANA's registries of special-purpose addresses, and the metadata address of Azure.
const ranges4 = [
  { kind: "loopback", list: listOf("ipv4", "127.0.0.0/8") },
  { kind: "private", list: listOf("ipv4", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10") },
  { kind: "link-local", list: listOf("ipv4", "169.254.0.0/16", "168.63.129.16/32") },
  {
    kind: "reserved",
    list: listOf(
      "ipv4",
      "0.0.0.0/8",
      "192.0.0.0/24",
      "192.0.2.0/24",
      "192.88.99.0/24",
      "198.18.0.0/15",
      "198.51.100.0/24",
      "203.0.113.0/24",
      "224.0.0.0/4",
      "240.0.0.0/4",
    ),
  },
] as const;

const global6 = listOf("ipv6", "2000::/3");

// Teredo and other protocol assignments, documentation (twice), 6to4.
const special6 = listOf("ipv6", "2001::/23", "2001:db8::/32", "3fff::/20", "2002::/16");

const ranges6 = [
  { kind: "loopback", list: listOf("ipv6", "::1/128") },
  { kind: "private", list: listOf("ipv6", "fc00::/7") },
  { kind: "link-local", list: listOf("ipv6", "fe80::/10") },
] as const;

function listOf(family: "ipv4" | "ipv6", ...ranges: readonly `${string}/${number}`[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", bits] = range.split("/");
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}
