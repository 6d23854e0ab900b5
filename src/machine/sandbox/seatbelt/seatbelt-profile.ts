import { isException } from "../../../shared/glob/name-test.ts";
import { relativeInside } from "../../../shared/relative-inside.ts";
import { codeInRoots } from "../protected/code-places.ts";
import { movableBy } from "../protected/protected-places.ts";
import type { SandboxBounds } from "../sandbox.ts";
import type { UserPrograms } from "../user-programs.ts";

export interface SeatbeltBounds {
  readonly roots: readonly string[];
  /** Every command may read these, and none may write them. */
  readonly readable: readonly string[];
  readonly home: string;
  readonly hidden: readonly string[];
  readonly protectedNames: readonly string[];
  readonly codePaths: readonly string[];
  readonly sensitiveNames: readonly string[];
  readonly programs: UserPrograms;
  /** Absolute paths of files with sensitive names that are not secrets. */
  readonly publicFiles?: readonly string[];
}

/** A macOS sandbox profile, in which the last matching rule decides. Names are protected even if they do not exist. */
export function seatbeltProfile(box: SandboxBounds, bounds: SeatbeltBounds): string {
  const { readable = [], writable = [], hidden: kept = [], readOnly = [], absent = [] } = box;
  const around = box.repository === undefined ? [] : [box.repository];
  const { roots, readable: alwaysReadable, home, hidden, programs } = bounds;
  const mayWrite = box.profile !== "read-only";
  const rules = [
    "(version 1)",
    "(deny default)",
    "(allow process-exec process-fork)",
    "(allow signal process-info* (target same-sandbox))",
    "(allow sysctl-read)",
    "(allow file-read-metadata)",
    `(allow file-read* ${subpaths(systemFolders)} (literal "/"))`,
    `(allow file-read* file-write* ${subpaths(devices)})`,
    '(allow file-ioctl (regex #"^/dev/tty"))',
    "(allow pseudo-tty)",
    "(allow ipc-posix-sem)",
    mayWrite ? `(allow file-read* ${subpaths([...programs.shown, `${home}/.gitconfig`])})` : "",
    rule("(allow file-read*", [...roots, ...alwaysReadable, ...around, ...readable, ...writable]),
    mayWrite ? rule("(allow file-write*", temporaryFolders) : "",
    // Must come before the roots, which may be inside a readable path or, like it, in a temporary folder.
    rule("(deny file-write*", alwaysReadable),
    mayWrite ? rule("(allow file-write*", roots) : "",
    mayWrite
      ? `(deny file-write* ${protectedIn(bounds)})`
      : denySensitive({ ...bounds, roots: [...roots, ...around] }),
    mayWrite ? "" : rule("(allow file-read-data", bounds.publicFiles ?? []),
    mayWrite ? denyCode(bounds) : "",
    mayWrite ? rule("(deny file-read-data", programs.masked) : "",
    rule("(allow file-read-data", readable),
    rule("(allow file-write*", writable),
    rule("(deny file-write*", [...readOnly, ...absent]),
    rule("(deny file-read* file-write*", [...hidden, ...kept]),
    mayWrite ? denyMoves([...readOnly, ...absent, ...hidden, ...kept], box, bounds) : "",
    box.profile === "network" ? networkRules : "",
  ];
  return rules.filter((line) => line !== "").join("\n");
}

const systemFolders = [
  ...["/usr", "/bin", "/sbin", "/System", "/Library/Apple", "/Library/Developer", "/Library/Preferences"],
  ...["/opt/homebrew", "/private/etc/localtime", "/private/etc/passwd", "/private/etc/group"],
  ...["/private/etc/ssl", "/private/var/db/timezone", "/private/var/select", "/dev"],
];

const devices = ["/dev/null", "/dev/zero", "/dev/tty", "/dev/fd", "/dev/dtracehelper"];

// Seatbelt cannot provide a private /tmp; the user's own temporary folder is in /private/var/folders.
const temporaryFolders = ["/private/tmp", "/private/var/folders"];

const networkRules = [
  "(allow network*)",
  "(allow system-socket)",
  '(allow file-read* (literal "/private/etc/resolv.conf") (literal "/private/etc/hosts") (literal "/private/var/run/resolv.conf"))',
  '(allow mach-lookup (global-name "com.apple.dnssd.service") (global-name "com.apple.SecurityServer") (global-name "com.apple.trustd.agent") (global-name "com.apple.networkd"))',
].join("\n");

function rule(head: string, paths: readonly string[]): string {
  return paths.length === 0 ? "" : `${head} ${subpaths(paths)})`;
}

function subpaths(paths: readonly string[]): string {
  return paths.map((path) => `(subpath ${quote(path)})`).join(" ");
}

function denyCode({ roots, codePaths }: SeatbeltBounds): string {
  return rule(
    "(deny file-write*",
    codeInRoots(codePaths, roots).map(({ path }) => path),
  );
}

/** A folder above a denied place could be moved away, and made anew without it. */
function denyMoves(
  paths: readonly string[],
  box: SandboxBounds,
  { roots, codePaths }: SeatbeltBounds,
): string {
  const isMovable = movableBy(box, roots);
  const folders = codeInRoots([...paths, ...codePaths], roots).flatMap((each) => each.folders);
  const literals = [...new Set(folders.filter((folder) => !isMovable(folder)))].map(
    (folder) => `(literal ${quote(folder)})`,
  );
  return literals.length === 0 ? "" : `(deny file-write* ${literals.join(" ")})`;
}

/** Protected names at any depth below a root, and every name with a dot before it in the home folder. In `.git`, only what can make git run programs, so that commits work. */
function protectedIn({ roots, home, protectedNames }: SeatbeltBounds): string {
  const names = protectedNames.filter((name) => name !== ".git").map(namePattern);
  const settings = "(hooks|config|config\\.worktree|commondir|worktrees)";
  const isHomeInside = roots.some((root) => relativeInside(root, home) !== undefined);
  return [
    regexes(roots, [...names, `\\.git/${settings}`, `\\.git/modules/.*/${settings}`]),
    gitEntries(roots),
    ...(isHomeInside ? [`(regex ${quote(`^${literally(home)}/\\.`)})`] : []),
  ].join(" ");
}

/** The `.git` entry itself: replacing or rewriting it would lead git to a repository with other settings. */
function gitEntries(roots: readonly string[]): string {
  return roots.map((root) => `(regex ${quote(`^${literally(root)}/${namePattern(".git")}$`)})`).join(" ");
}

/** The exceptions hold only outside of sensitive folders. */
function denySensitive({ roots, sensitiveNames }: SeatbeltBounds): string {
  const names = sensitiveNames.filter((name) => !isException(name)).map(namePattern);
  const excepted = sensitiveNames.filter(isException).map((name) => literally(name.slice(1)));
  const denial = `(deny file-read-data ${regexes(roots, names)})`;
  if (excepted.length === 0) return denial;
  const files = regexes(roots, excepted, "$");
  const folders = regexes(roots, names, "/");
  return `${denial}\n(allow file-read-data (require-all (require-any ${files}) (require-not (require-any ${folders}))))`;
}

function regexes(roots: readonly string[], names: readonly string[], end = "(/|$)"): string {
  return roots
    .map((root) => `(regex ${quote(`^${literally(root)}/(.*/)?(${names.join("|")})${end}`)})`)
    .join(" ");
}

/** Matches both cases, because Mac disks usually ignore case. */
function namePattern(name: string): string {
  return [...name].map((character) => (character === "*" ? "[^/]*" : eitherCase(character))).join("");
}

function eitherCase(character: string): string {
  const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
  return lower === upper ? literally(character) : `[${lower}${upper}]`;
}

function literally(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
