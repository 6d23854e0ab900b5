import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/**
 * Gives the file of a program that is started and not imported. In the source it is next to the file `here`; in the
 * package it is a separate entry, because there the place of bundled code says nothing.
 */
export function entryFile(here: string, { source, built }: { source: string; built: string }): string {
  return packageFile(here, { source, built: `${built}.js` });
}

/** A file of the package: relative to the file `here` in the source, and to `dist` where it is built. */
export function packageFile(here: string, { source, built }: { source: string; built: string }): string {
  if (here.endsWith(".ts")) return fileURLToPath(new URL(source, here));
  const manifest = createRequire(here).resolve("toolwright/package.json");
  return fileURLToPath(new URL(`dist/${built}`, `file://${manifest}`));
}
