import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";

export interface TestCertificate {
  /** PEM. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
}

export interface TestAuthority {
  /** The authority's own certificate, PEM. */
  readonly ca: string;
  issue(hosts: readonly string[], options?: { notAfter?: Date }): TestCertificate;
}

/** A certificate authority that nobody trusts but the test that was given its certificate. */
export function createTestAuthority(name = "Toolwright test authority"): TestAuthority {
  const { publicKey, privateKey } = newKeys();
  const ca = certificate({ subject: name, issuer: name, publicKey, signer: privateKey, isAuthority: true });
  return {
    ca,
    issue(hosts, { notAfter } = {}) {
      const own = newKeys();
      const cert = certificate({
        subject: hosts[0] ?? "nobody",
        issuer: name,
        publicKey: own.publicKey,
        signer: privateKey,
        hosts,
        ...(notAfter && { notAfter }),
      });
      return { cert, key: own.privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
    },
  };
}

function newKeys(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

interface CertificateParts {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly signer: KeyObject;
  readonly hosts?: readonly string[];
  readonly isAuthority?: boolean;
  readonly notAfter?: Date;
}

/** X.509 (RFC 5280), as much of it as TLS checks. */
function certificate({ subject, issuer, publicKey, signer, ...rest }: CertificateParts): string {
  const { hosts = [], isAuthority = false, notAfter = new Date("2099-01-01T00:00:00Z") } = rest;
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.from([1, ...randomBytes(8)])),
    ecdsaWithSha256,
    nameOf(issuer),
    sequence(time(new Date("2020-01-01T00:00:00Z")), time(notAfter)),
    nameOf(subject),
    publicKey.export({ type: "spki", format: "der" }),
    tagged(0xa3, sequence(...extensions(hosts, isAuthority))),
  );
  const der = sequence(body, ecdsaWithSha256, bitString(sign("sha256", body, signer)));
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

function extensions(hosts: readonly string[], isAuthority: boolean): Buffer[] {
  if (isAuthority) {
    const isCritical = tagged(0x01, Buffer.from([0xff]));
    return [sequence(objectId("551d13"), isCritical, octets(sequence(isCritical)))];
  }
  const names = hosts.map((host) =>
    isIP(host) ? tagged(0x87, addressBytes(host)) : tagged(0x82, Buffer.from(host)),
  );
  return [sequence(objectId("551d11"), octets(sequence(...names)))];
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split(".").map(Number));
  const [left = "", right] = address.split("::");
  const groups = (text: string) => text.split(":").filter(Boolean);
  const after = right === undefined ? [] : groups(right);
  const zeros = Array.from({ length: 8 - groups(left).length - after.length }, () => "0");
  const all = [...groups(left), ...zeros, ...after];
  return Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex");
}

const ecdsaWithSha256 = sequence(objectId("2a8648ce3d040302"));

function nameOf(text: string): Buffer {
  return sequence(tagged(0x31, sequence(objectId("550403"), tagged(0x0c, Buffer.from(text)))));
}

function time(date: Date): Buffer {
  return tagged(0x18, Buffer.from(date.toISOString().replace(/[-:T]|\.\d+/g, "")));
}

function sequence(...parts: Uint8Array[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes);
}

function objectId(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, "hex"));
}

function octets(bytes: Buffer): Buffer {
  return tagged(0x04, bytes);
}

function bitString(bytes: Buffer): Buffer {
  return tagged(0x03, Buffer.concat([Buffer.from([0]), bytes]));
}

function tagged(tag: number, bytes: Buffer): Buffer {
  const { length } = bytes;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), bytes]);
}
