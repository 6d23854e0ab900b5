import { lookup as systemLookup } from "node:dns/promises";
import type { MaybePromise } from "../../shared/maybe-promise.ts";
import { type AddressKind, addressKind, describeKind } from "../../shared/web/address-kind.ts";
import { isLocalName, type WebUrl } from "../../shared/web/parse-web-url.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { untilAborted } from "./until-aborted.ts";

/** The addresses of a host. */
export type Lookup = (host: string) => MaybePromise<readonly string[]>;

export interface ResolvingParts {
  readonly lookup: Lookup;
  readonly signal: AbortSignal;
  mayReach(kind: AddressKind): boolean;
}

/**
 * The addresses that a connection to this host may use. One forbidden answer refuses the host, since an attacker who
 * controls a name can add harmless answers to it. Asked once per request: a second answer could be another one.
 */
export async function resolveHost(
  { host, isAddress, authority }: WebUrl,
  { lookup, signal, mayReach }: ResolvingParts,
): Promise<readonly string[]> {
  const addresses = isAddress ? [host] : await untilAborted(addressesOf(host, lookup), signal);
  for (const address of addresses) {
    const kind = addressKind(address);
    if (!mayReach(kind)) throw refusedAddress(authority, { address, kind, isAddress });
  }
  if (addresses.length === 0) throw unknownHost(host);
  return addresses;
}

async function addressesOf(host: string, lookup: Lookup): Promise<readonly string[]> {
  return isLocalName(host) ? ["127.0.0.1", "::1"] : lookup(host);
}

/** Asks the operating system, and so also reads its hosts file. */
export async function lookUpBySystem(host: string): Promise<readonly string[]> {
  const answers = await systemLookup(host, { all: true, order: "verbatim" });
  return answers.map(({ address }) => address);
}

export function unknownHost(host: string, cause?: unknown): ToolError {
  return new ToolError("not-found", `there is no host named ${host}`, {
    hint: "Check the spelling of the address.",
    cause,
  });
}

function refusedAddress(
  authority: string,
  { address, kind, isAddress }: { address: string; kind: AddressKind; isAddress: boolean },
): ToolError {
  const what = `${describeKind(kind)}, which the web tools may not reach`;
  const message = isAddress ? `${authority} is ${what}` : `${authority} leads to ${address}; that is ${what}`;
  const isForbidden = kind === "link-local" || kind === "reserved";
  return new ToolError("permission-denied", message, {
    hint: isForbidden ? "Do not try to reach it another way." : userCanAllow,
  });
}

const userCanAllow =
  "If the user wants this, they can allow it: with the rule WebFetch(domain:…) for localhost or an address, or with the option web.origins for other names.";
