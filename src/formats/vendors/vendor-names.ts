import { sha256 } from "../../shared/crypto.ts";

/**
 * Names that every model vendor accepts. Most tool names are; any other gets a replacement that is always the same and
 * that no other tool has.
 */
export function createVendorNames(names: readonly string[]) {
  const misfits = new Set(names.filter((name) => !isVendorName(name)));
  if (misfits.size === 0) return unchanged;
  const taken = new Set(names);
  const standIns = new Map<string, string>();
  for (const name of misfits) {
    const standIn = findStandIn(name, taken);
    taken.add(standIn);
    standIns.set(name, standIn);
  }
  const originals = new Map([...standIns].map(([name, standIn]) => [standIn, name]));
  return {
    toVendor: (name: string) => standIns.get(name) ?? name,
    /** The tool's own name; names that replace no other are returned unchanged. */
    fromVendor: (name: string) => originals.get(name) ?? name,
  };
}

const unchanged = { toVendor: (name: string) => name, fromVendor: (name: string) => name };

/** Anthropic's and OpenAI's rule, and Gemini's stricter one: no digit at the start. */
function isVendorName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(name);
}

const maxLength = 64;

function findStandIn(name: string, taken: ReadonlySet<string>): string {
  const hash = sha256(name);
  const cleaned = name.replace(/[^A-Za-z0-9_-]/g, "_").replace(/^(?![A-Za-z_])/, "_");
  for (let length = 8; ; length += 1) {
    const standIn = `${cleaned.slice(0, maxLength - length - 1)}_${hash.slice(0, length)}`;
    if (!taken.has(standIn)) return standIn;
  }
}
