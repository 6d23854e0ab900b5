import { expect, test } from "vitest";
import { addressKind } from "../../src/shared/web/address-kind.ts";
import { parseWebUrl } from "../../src/shared/web/parse-web-url.ts";

/** First and last address of each IPv4 range that is not public. */
const special4 = {
  loopback: ["127.0.0.0", "127.0.0.1", "127.255.255.255"],
  private: [
    ["10.0.0.0", "10.255.255.255"],
    ["172.16.0.0", "172.31.255.255"],
    ["192.168.0.0", "192.168.255.255"],
    ["100.64.0.0", "100.100.100.200", "100.127.255.255"],
  ].flat(),
  "link-local": ["169.254.0.0", "169.254.169.254", "169.254.255.255", "168.63.129.16"],
  reserved: [
    ["0.0.0.0", "0.255.255.255", "192.0.0.0", "192.0.0.192", "192.0.0.255"],
    ["192.0.2.0", "192.0.2.255", "198.51.100.0", "198.51.100.255", "203.0.113.0", "203.0.113.255"],
    ["192.88.99.0", "198.18.0.0", "198.19.255.255"],
    ["224.0.0.0", "239.255.255.255", "240.0.0.0", "255.255.255.255"],
  ].flat(),
};

const public4 = [
  ["1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0"],
  ["169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255"],
  ["192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255", "168.63.129.17"],
].flat();

/** How a URL can spell an IPv4 address. */
function spellings4(address: string): string[] {
  const bytes = address.split(".").map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const whole = a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d;
  const each = (write: (byte: number) => string) => bytes.map(write).join(".");
  const plain = [
    address,
    String(whole),
    `0x${whole.toString(16)}`,
    `0X${whole.toString(16).toUpperCase()}`,
    `0${whole.toString(8)}`,
    `${a}.${b * 2 ** 16 + c * 2 ** 8 + d}`,
    `${a}.${b}.${c * 2 ** 8 + d}`,
    each((byte) => `0${byte.toString(8)}`),
    each((byte) => `0x${byte.toString(16)}`),
    each((byte) => `000000${byte.toString(8)}`),
    `0x${a.toString(16)}.${b}.0${c.toString(8)}.${d}`,
  ];
  const wide = [...address].map((sign) =>
    sign === "." ? "。" : String.fromCodePoint(sign.charCodeAt(0) + 0xfee0),
  );
  return [...plain, ...plain.map((text) => `${text}.`), wide.join(""), address.replaceAll(".", "．")];
}

/** The IPv6 addresses that stand for, or lead to, an IPv4 address. */
function carriers(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  const pair = (high: number, low: number) => (high * 256 + low).toString(16);
  const groups = `${pair(a, b)}:${pair(c, d)}`;
  return [
    `::ffff:${address}`,
    `::ffff:${groups}`,
    `0:0:0:0:0:FFFF:${groups}`,
    `::ffff:0:${groups}`,
    `::${address}`,
    `64:ff9b::${address}`,
    `64:ff9b::${groups}`,
    `64:ff9b:1::${groups}`,
    `2002:${groups}::1`,
    `2001:0:${groups}::1`,
    `2001::${groups}`,
    `fe80::${groups}`,
  ];
}

function kindOf(host: string): string {
  const url = parseWebUrl(`http://${host}/`);
  if ("problem" in url) return `problem: ${url.problem}`;
  return url.isAddress ? addressKind(url.host) : `name: ${url.host}`;
}

test.each(Object.entries(special4))(
  "every spelling of a %s IPv4 address is recognised",
  (kind, addresses) => {
    const spelled = addresses.flatMap(spellings4);
    expect(
      spelled.filter((text) => kindOf(text) !== kind).map((text) => `${text} is ${kindOf(text)}`),
    ).toEqual([]);
  },
);

test("an IPv4 address inside an IPv6 address is never public, whichever it is", () => {
  const carried = [...Object.values(special4).flat(), ...public4].flatMap(carriers);
  expect(carried.filter((address) => kindOf(`[${address}]`) === "public")).toEqual([]);
});

test("the neighbours of all those ranges are public", () => {
  expect(public4.filter((address) => addressKind(address) !== "public")).toEqual([]);
  const public6 = ["2606:4700:4700::1111", "2a00:1450::1", "2001:200::", "2003::1", "2001:db9::1", "3ffe::1"];
  expect(public6.filter((address) => addressKind(address) !== "public")).toEqual([]);
});

test.each([
  ["::1", "loopback"],
  ["fc00::1", "private"],
  ["fd00:ec2::254", "private"],
  ["fe80::1", "link-local"],
  ["::", "reserved"],
  ["ff02::1", "reserved"],
  ["fec0::1", "reserved"],
  ["100::1", "reserved"],
  ["2001:db8::1", "reserved"],
  ["3fff::1", "reserved"],
  ["2001:20::1", "reserved"],
  ["4000::1", "reserved"],
  ["not an address", "reserved"],
])("%s is %s", (address, kind) => {
  expect(addressKind(address)).toBe(kind);
});

test.each([
  ["https://EXAMPLE.com./a?b=c#d", "https://example.com/a?b=c", "example.com"],
  ["http://example.com:80/", "http://example.com/", "example.com"],
  ["https://example.com:8443", "https://example.com:8443/", "example.com:8443"],
  ["https://bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC", "xn--bcher-kva.example"],
  ["http://[2606:4700::1]:8080/", "http://[2606:4700::1]:8080/", "[2606:4700::1]:8080"],
])("%s is read as %s, at %s", (text, href, authority) => {
  expect(parseWebUrl(text)).toMatchObject({ href, authority });
});

test.each([
  ["example.com", "has no scheme; begin it with https://"],
  ["javascript:alert(1)", "has the scheme javascript; only http and https are allowed"],
  ["https://user@example.com/", "contains a user name or password; leave them out"],
  ["https://@example.com/", "contains a user name or password; leave them out"],
  ["https:///path", "names no host"],
  ["https://ex%61mple.com/", "has a percent-encoded host; write it plainly"],
  ["https://a..b/", "has the invalid host a..b"],
  ["https://example.com../", "has the invalid host example.com.."],
  [`https://${"a".repeat(64)}.com/`, `has the invalid host ${"a".repeat(64)}.com`],
  [
    "https://exa\u200bmple.com/",
    "contains a space, a backslash or an invisible character; percent-encode it",
  ],
  [
    "https://example.com/\u202egnp",
    "contains a space, a backslash or an invisible character; percent-encode it",
  ],
  ["https://example.com:6667/", "names port 6667, which is not a port of web servers"],
  ["https://example.com:0/", "names port 0, which is not a port of web servers"],
  ["https://example.com:99999/", "is not a valid address"],
  [`https://example.com/?${"q".repeat(2048)}`, "has a query of more than 2048 characters"],
  [`https://example.com/${"p".repeat(4096)}`, "has more than 4096 characters"],
])("the URL %s is refused: it %s", (text, problem) => {
  expect(parseWebUrl(text)).toEqual({ problem });
});
