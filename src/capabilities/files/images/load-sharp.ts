import type { SharpConstructor } from "sharp";

/** Loads the optional package sharp; fails if it is not installed for this platform. */
export async function loadSharp(): Promise<SharpConstructor | undefined> {
  try {
    return (await import("sharp")).default;
  } catch {
    return undefined;
  }
}
