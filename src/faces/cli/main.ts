#!/usr/bin/env node
// Import none of our modules before the version check: an older Node could not even parse them.
import { readFile } from "node:fs/promises";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const commandLine = process.argv.slice(2);
const { bun, deno } = process.versions;

if (bun !== undefined || deno !== undefined || process.platform === "win32") {
  const { whyUnsupported } = await import("../../kernel/runtime/places/supported-engine.ts");
  console.error(whyUnsupported());
  process.exitCode = 1;
} else if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`Toolwright needs Node 22.18 or newer; this is ${process.version}.`);
  process.exitCode = 1;
} else if (commandLine[0] === "--version") {
  console.log(await readPackageVersion());
} else {
  keepCompiledCode();
  if (major === 22) hideSqliteWarning();
  const { runCommandLine } = await import("./run-command-line.ts");
  await runCommandLine(commandLine, { readPackageVersion });
}

/** Node 22 calls its database experimental at every start; what we use of it is the same in Node 24. */
function hideSqliteWarning(): void {
  const emitWarning = process.emitWarning.bind(process) as (...words: unknown[]) => void;
  process.emitWarning = (warning: string | Error, ...words: unknown[]) => {
    if (!String(warning).startsWith("SQLite is an experimental feature")) emitWarning(warning, ...words);
  };
}

/**
 * Lets Node cache our compiled code, so that the next start is faster. The folder must be the user's own: a user who
 * can write there decides what runs. Importing `node:module` would itself cost time.
 */
function keepCompiledCode(): void {
  const { enableCompileCache } = process.getBuiltinModule("node:module");
  const { homedir } = process.getBuiltinModule("node:os");
  const configured = process.env.XDG_CACHE_HOME;
  const base = configured?.startsWith("/") ? configured : `${homedir()}/.cache`;
  enableCompileCache(`${base}/toolwright/compiled`);
}

async function readPackageVersion(): Promise<string> {
  // From dist/cli, where this file is built to.
  const text = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
