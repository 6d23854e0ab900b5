#!/usr/bin/env node
// Until the version is known to be new enough, nothing of ours may be imported: an older Node could not even parse it.
import { readFile } from "node:fs/promises";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const commandLine = process.argv.slice(2);

if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`Toolwright needs Node 22.18 or newer; this is ${process.version}.`);
  process.exitCode = 1;
} else if (commandLine[0] === "--version") {
  console.log(await readPackageVersion());
} else {
  const { keepCompiledCode } = await import("./keep-compiled-code.ts");
  keepCompiledCode();
  const { runCommandLine } = await import("./run-command-line.ts");
  await runCommandLine(commandLine, { readPackageVersion });
}

async function readPackageVersion(): Promise<string> {
  const text = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
