import { readFile } from "node:fs/promises";

interface LockedPackage {
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
}

/** The licenses of what is installed with the package, from the lock file. */
export async function licensesPage(): Promise<string> {
  const lock: { readonly packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(
    await readFile(new URL("../../package-lock.json", import.meta.url), "utf8"),
  );
  const installed = Object.entries(lock.packages).filter(
    ([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional,
  );
  const rowsOf = (wanted: boolean) => {
    const rows = installed
      .filter(([, { optional = false }]) => optional === wanted)
      .map(
        ([path, { license = "unknown" }]) => `| ${nameOf(path)} | ${license.replace(/^\((.*)\)$/, "$1")} |`,
      );
    return [...new Set(rows)].sort().join("\n");
  };
  return `# Licenses of other packages

Toolwright itself is under the MIT license. Some packages are part of its code; their licenses are in
\`dist/LICENSES.txt\`. This page lists what npm installs with it, and is made from the lock file.

| installed always | license |
|---|---|
${rowsOf(false)}

What is optional is left out with \`npm install --omit=optional\`. The parts of it under the LGPL, which decode images, are
separate files that are loaded when the first image is read. A star stands for one package per system.

| installed where possible | license |
|---|---|
${rowsOf(true)}
`;
}

/** Packages that exist once per system count as one. */
function nameOf(path: string): string {
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  return name.replace(
    /-(?:android|darwin|freebsd|linux|linuxmusl|openharmony|wasm32|webcontainers|win32)(?:-.*)?$/,
    "-*",
  );
}
