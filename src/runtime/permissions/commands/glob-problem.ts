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
  const last = parts.at(-1)!;
  const isAimed = isGlob(last) && sensitiveNames.some((name) => matches(last, name));
  if (isAimed && !ordinaryNames.some((name) => matches(last, name))) return `${pattern} looks for keys`;
  return undefined;
}

function isGlob(part: string): boolean {
  return /[*?[]/.test(part);
}

const sensitiveNames = ["id_rsa", "id_ed25519", "id_ecdsa", "server.pem", "key.pem"];
/** A pattern that finds one of these as well is not after keys. */
const ordinaryNames = [
  "index.ts",
  "README.md",
  "package.json",
  "data.csv",
  "Makefile",
  "main.c",
  "app.py",
  "notes",
];

/** Simple patterns only; a bracket counts as any one character. */
function matches(pattern: string, name: string): boolean {
  const steps = pattern.replace(/\[!?\^?\]?[^\]]*\]/g, "?");
  let reached = new Set([0]);
  for (const step of steps) {
    const next = new Set<number>();
    for (const at of reached) {
      if (step === "*") for (let end = at; end <= name.length; end += 1) next.add(end);
      else if (at < name.length && (step === "?" || step === name[at])) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(name.length);
}
