import { compileSegment } from "../../../shared/glob/compile-segment.ts";
import type { NameTest } from "../../../shared/glob/name-pieces.ts";

/** Why a pattern for names of files may find more than plain files below its folder; undefined where it does not. */
export function findGlobProblem(pattern: string): string | undefined {
  const parts = pattern.split("/");
  const firstGlob = parts.findIndex(isGlob);
  if (firstGlob === -1) return undefined;
  // `*` never finds a hidden name, but `.e*` does.
  if (parts.some((part) => part.startsWith(".") && isGlob(part))) {
    return `${pattern} may find hidden files such as .env`;
  }
  // What `*` finds may be a link to anywhere.
  if (parts.slice(firstGlob).includes("..")) return `where ${pattern} leads is not known`;
  // No file has a longer name.
  if (parts.some((part) => part.length > 255)) return `${pattern} is no name of a file`;
  if (isGlob(parts.at(-1)!) && isAimedAtSecrets(pattern)) return `${pattern} looks for secrets`;
  return undefined;
}

/** Whether a pattern for names of files finds some that may hold secrets, and no ordinary ones. */
export function isAimedAtSecrets(pattern: string): boolean {
  return chooseFromBraces(pattern.toLowerCase()).some((each) => {
    const parts = each.split("/");
    const last = parts.at(-1)!;
    if (parts.some((part) => secretFolders.has(part))) return true;
    const isFound = compileSimply(last);
    return secretNames.some(isFound) && !ordinaryNames.some(isFound);
  });
}

/** `*.{env,pem}` as the patterns it stands for, nested ones left alone. */
function chooseFromBraces(pattern: string): string[] {
  const [, before, choices, after] = /^([^{}]*)\{([^{}]*)\}([^{}]*)$/s.exec(pattern) ?? [];
  return choices === undefined ? [pattern] : choices.split(",").map((choice) => `${before}${choice}${after}`);
}

function isGlob(part: string): boolean {
  return /[*?[]/.test(part);
}

const secretNames = [
  "id_rsa",
  "id_ed25519",
  "id_ecdsa",
  "server.pem",
  "key.pem",
  ".env",
  ".env.local",
  ".env.production",
  ".npmrc",
  ".netrc",
  ".git-credentials",
];
const secretFolders: ReadonlySet<string> = new Set([".ssh", ".aws"]);
/** A pattern that finds one of these as well is not after keys. */
const ordinaryNames = [
  "index.ts",
  "readme.md",
  "package.json",
  "data.csv",
  "makefile",
  "main.c",
  "app.py",
  "notes",
];

/** A bracket counts as any one character, and a backslash as itself. */
function compileSimply(pattern: string): NameTest {
  const simple = pattern.replace(/\[!?\^?\]?[^\]]*\]/g, "?").replaceAll("\\", "\\\\");
  return compileSegment(simple);
}
