import { compileSegment } from "../../shared/glob/compile-segment.ts";
import type { NameTest } from "../../shared/glob/name-pieces.ts";

/** Why a file name pattern may match more than ordinary files in its folder; undefined if it cannot. */
export function findGlobProblem(pattern: string): string | undefined {
  const parts = pattern.split("/");
  const firstGlob = parts.findIndex(isGlob);
  if (firstGlob === -1) return undefined;
  // `*` never matches a hidden name, but `.e*` does.
  if (parts.some((part) => part.startsWith(".") && isGlob(part))) {
    return `${pattern} may match hidden files such as .env`;
  }
  // `*` may match a link to anywhere.
  if (parts.slice(firstGlob).includes("..")) return `${pattern} could lead anywhere`;
  // No file has a longer name.
  if (parts.some((part) => part.length > 255)) return `${pattern} is too long for a file name`;
  if (isGlob(parts.at(-1)!) && isAimedAtSecrets(pattern)) return `${pattern} looks for secrets`;
  return undefined;
}

/** Whether a file name pattern matches names that may hold secrets, and no ordinary ones. */
export function isAimedAtSecrets(pattern: string): boolean {
  return chooseFromBraces(pattern.toLowerCase()).some((each) => {
    const parts = each.split("/");
    const last = parts.at(-1)!;
    if (parts.some((part) => secretFolders.has(part))) return true;
    const isFound = compileSimply(last);
    return secretNames.some(isFound) && !ordinaryNames.some(isFound);
  });
}

/** Expands `*.{env,pem}` into its alternatives; nested braces stay as they are. */
function chooseFromBraces(pattern: string): string[] {
  const [, before, choices, after] = /^([^{}]*)\{([^{}]*)\}([^{}]*)$/s.exec(pattern) ?? [];
  return choices === undefined ? [pattern] : choices.split(",").map((choice) => `${before}${choice}${after}`);
}

function isGlob(part: string): boolean {
  return /[*?[]/.test(part);
}

const secretNames = [
  ...["id_rsa", "id_ed25519", "id_ecdsa", "server.pem", "key.pem"],
  ...[".env", ".env.local", ".env.production", ".npmrc", ".netrc", ".git-credentials"],
];
const secretFolders: ReadonlySet<string> = new Set([".ssh", ".aws"]);
/** A pattern that also matches one of these is not aimed at secrets. */
const ordinaryNames = [
  ...["index.ts", "readme.md", "package.json", "data.csv", "makefile", "main.c", "app.py", "notes"],
];

/** Treats a bracket expression as any one character, and a backslash as itself. */
function compileSimply(pattern: string): NameTest {
  // Every bracket that is opened before the last one that closes is closed, so that none is searched for in vain.
  const end = pattern.lastIndexOf("]") + 1;
  const simple = pattern.slice(0, end).replace(/\[!?\^?\]?[^\]]*\]/g, "?") + pattern.slice(end);
  return compileSegment(simple.replaceAll("\\", "\\\\"));
}
