import { hostMatcher } from "./host-matcher.ts";

/** A place that something is sent to. */
export interface SecretTarget {
  /** With its port, if it is not the usual one. */
  readonly host: string;
  /** The connection cannot be read on the way, and the host has to prove who it is. */
  readonly isEncrypted: boolean;
}

/**
 * Whether a secret for these hosts may be sent somewhere. Hosts are written as in rules, such as `api.example.com` or
 * `*.example.com`, and reached with encryption only; `http://localhost:8080` is also reached without.
 */
export function createSecretHostTest(
  hosts: readonly string[],
  where: string,
): (target: SecretTarget) => boolean {
  const known = hosts.map((written) => {
    const [, scheme = "https", domain] = /^(?:(https?):\/\/)?([^\s/?#@]+)$/i.exec(written) ?? [];
    if (domain === undefined)
      throw new TypeError(
        `${where}: ${JSON.stringify(written)} is not a host; write api.example.com, *.example.com or http://localhost:8080`,
      );
    const matches = hostMatcher(`domain:${domain}`, where);
    return ({ host, isEncrypted }: SecretTarget) =>
      (isEncrypted || scheme.toLowerCase() === "http") && matches(host) === "yes";
  });
  return (target) => known.some((matches) => matches(target));
}
