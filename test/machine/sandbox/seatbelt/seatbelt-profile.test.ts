import { expect, test } from "vitest";
import {
  type SeatbeltBounds,
  seatbeltProfile,
} from "../../../../src/machine/sandbox/seatbelt/seatbelt-profile.ts";

const bounds: SeatbeltBounds = {
  roots: ["/Volumes/disk/my project", '/Volumes/disk/odd "name\\'],
  readable: [],
  home: "/Volumes/disk",
  hidden: ["/Volumes/disk/.local/state/toolwright"],
  protectedNames: [".git", ".vscode", "git~*"],
  codePaths: ["/Volumes/disk/my project/our/tools", "/Volumes/disk/elsewhere"],
  sensitiveNames: [".env*", "!.env.example", "*.pem"],
  programs: { shown: ["/Volumes/disk/.nvm/v1"], masked: ["/Volumes/disk/.cargo/credentials"] },
};

const linesOf = (profile: "read-only" | "workspace-write" | "network", more = {}) =>
  seatbeltProfile({ profile, directory: "/Volumes/disk/my project", ...more }, bounds).split("\n");

test("everything is denied first, and paths are quoted so that they stay paths", () => {
  const lines = linesOf("read-only");
  expect(lines.slice(0, 2)).toEqual(["(version 1)", "(deny default)"]);
  expect(lines).toContain(
    '(allow file-read* (subpath "/Volumes/disk/my project") (subpath "/Volumes/disk/odd \\"name\\\\"))',
  );
});

test("a command that may only read gets no rule to write, nor the user's programs", () => {
  const text = linesOf("read-only").join("\n");
  expect(text.match(/\(allow [^)]*file-write\*.*/g)).toEqual([expect.stringContaining("/dev/null")]);
  expect(text).not.toContain(".nvm");
  expect(text).not.toContain("network");
});

test("protected places are denied after the workspace is allowed, and lifted by a person after that", () => {
  const lines = linesOf("workspace-write", { writable: ["/Volumes/disk/my project/.vscode"] });
  const at = (start: string, part: string) =>
    lines.findIndex((line) => line.startsWith(start) && line.includes(part));
  const allowed = at("(allow file-write*", '"/Volumes/disk/my project")');
  const denied = at("(deny file-write*", "[vV][sS]");
  const lifted = at("(allow file-write*", "/.vscode");
  const hidden = at("(deny file-read* file-write*", "toolwright");
  expect([allowed, denied, lifted, hidden].every((index) => index > 0)).toBe(true);
  expect([allowed, denied, lifted, hidden]).toEqual([allowed, denied, lifted, hidden].sort((a, b) => a - b));
});

test("places that are loaded as code, and those that rules are about, cannot be moved away with the folder around them", () => {
  const inside = "/Volumes/disk/my project";
  const box = { hidden: [`${inside}/p/q/sec`], readOnly: [`${inside}/p/one.txt`] };
  expect(linesOf("workspace-write")).toContain(`(deny file-write* (subpath "${inside}/our/tools"))`);
  const moves = `(deny file-write* (literal "${inside}/p") (literal "${inside}/p/q") (literal "${inside}/our"))`;
  expect(linesOf("workspace-write", box)).toContain(moves);
  expect(linesOf("read-only", box)).not.toContain(moves);
  expect(linesOf("workspace-write", { ...box, writable: [`${inside}/p`] }).join()).not.toContain(
    `(literal "${inside}/p")`,
  );
});

test("every dot entry of a home folder in a root is denied, and none of another", () => {
  const denied = (home: string) =>
    seatbeltProfile(
      { profile: "workspace-write", directory: "/" },
      { ...bounds, home, roots: ["/Volumes/disk"] },
    );
  expect(denied("/Volumes/disk/me")).toContain('(regex "^/Volumes/disk/me/\\\\.")');
  expect(denied("/Volumes/other/me")).not.toContain("/Volumes/other/me/\\\\.");
});

test("the patterns match protected and sensitive names at any depth, and no others", () => {
  const matcher = (line: string) => {
    const patterns = [...line.matchAll(/\(regex "((?:[^"\\]|\\.)*)"\)/g)].map(
      ([, pattern = ""]) => new RegExp(pattern.replace(/\\(["\\])/g, "$1")),
    );
    expect(patterns.length).toBeGreaterThanOrEqual(2);
    return (path: string) => patterns.some((pattern) => pattern.test(path));
  };
  const isProtected = matcher(
    linesOf("workspace-write").find((line) => line.startsWith("(deny file-write*"))!,
  );
  for (const path of [
    ".vscode",
    ".VSCode/tasks.json",
    "a/b/.vscode/x",
    ".git/hooks/x",
    ".git/config",
    "git~1",
    "sub/.git/config",
    ".git",
    ".git/modules/a/b/hooks/x",
  ]) {
    expect([path, isProtected(`/Volumes/disk/my project/${path}`)]).toEqual([path, true]);
  }
  for (const path of [
    "vscode",
    ".vscodes",
    ".git/objects/x",
    ".git/index",
    ".git/config.lock/x",
    "xgit/config",
    "sub/.git",
  ]) {
    expect([path, isProtected(`/Volumes/disk/my project/${path}`)]).toEqual([path, false]);
  }
  expect(isProtected('/Volumes/disk/odd "name\\/.vscode')).toBe(true);
  expect(isProtected("/Volumes/disk/other/.vscode")).toBe(false);
  const isSensitive = matcher(linesOf("read-only").find((line) => line.startsWith("(deny file-read-data"))!);
  expect(isSensitive("/Volumes/disk/my project/a/.env.local")).toBe(true);
  expect(isSensitive("/Volumes/disk/my project/env")).toBe(false);
  const excepting = linesOf("read-only").find((line) =>
    line.startsWith("(allow file-read-data (require-all"),
  )!;
  const [files = "", folders = ""] = excepting.split("(require-not");
  const isLifted = (path: string) => matcher(files)(path) && !matcher(folders)(path);
  for (const [path, expected] of [
    [".env.example", true],
    ["a/.env.example", true],
    [".env.example/x", false],
    [".env.examples", false],
    [".env/.env.example", false],
    ["a.pem/.env.example", false],
    [".env", false],
  ] as const)
    expect([path, isLifted(`/Volumes/disk/my project/${path}`)]).toEqual([path, expected]);
});

test("only the profile for it has the network", () => {
  expect(linesOf("network").join("\n")).toContain("(allow network*)");
  expect(linesOf("workspace-write").join("\n")).not.toContain("(allow network");
});

test("places that every command may read are not written, whatever the profile, unless a root lies in them", () => {
  const readable = ["/private/tmp/repository/.git", "/private/tmp/tree"];
  const within = { ...bounds, roots: ["/private/tmp/tree/sub"], readable };
  for (const profile of ["read-only", "workspace-write", "network"] as const) {
    const lines = seatbeltProfile({ profile, directory: "/private/tmp/tree/sub" }, within).split("\n");
    const at = (start: string, path: string) =>
      lines.findIndex((line) => line.startsWith(start) && line.includes(`(subpath "${path}")`));
    expect(at("(allow file-read*", "/private/tmp/repository/.git")).toBeGreaterThan(0);
    const denied = at("(deny file-write*", "/private/tmp/repository/.git");
    expect(denied).toBeGreaterThan(at("(allow file-write*", "/private/tmp"));
    if (profile !== "read-only") {
      expect(at("(allow file-write*", "/private/tmp/tree/sub")).toBeGreaterThan(denied);
    }
  }
});
