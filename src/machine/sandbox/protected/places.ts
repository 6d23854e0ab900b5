import type { Placeholder } from "./placeholders.ts";

/** Entries that must not change while a command may write there. */
export interface ProtectedPlaces {
  readonly readOnly: readonly string[];
  /** Writable, but cannot be moved or removed, because their content is protected by path. */
  readonly pinned: readonly string[];
  readonly absent: readonly Placeholder[];
  /** Links, which cannot be protected because they can always be replaced. */
  readonly links: readonly string[];
}

export const noPlaces: ProtectedPlaces = { readOnly: [], pinned: [], absent: [], links: [] };

export function joinPlaces(places: readonly ProtectedPlaces[]): ProtectedPlaces {
  return {
    readOnly: places.flatMap(({ readOnly }) => readOnly),
    pinned: places.flatMap(({ pinned }) => pinned),
    absent: places.flatMap(({ absent }) => absent),
    links: places.flatMap(({ links }) => links),
  };
}
