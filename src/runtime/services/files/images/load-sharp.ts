import type { SharpConstructor } from "sharp";

/** The image codecs, if the optional package that holds them is installed for this platform. */
export async function loadSharp(): Promise<SharpConstructor | undefined> {
  try {
    return (await import("sharp")).default;
  } catch {
    return undefined;
  }
}
