import { expect, test } from "vitest";
import { type SeatbeltBounds, seatbeltProfile } from "../../../src/runtime/sandbox/seatbelt-profile.ts";

const bounds: SeatbeltBounds = {
  roots: ["/Users/me/my project", '/Users/me/odd "name\\'],
  home: "/Users/me",
  hidden: ["/Users/me/.local/state/toolwright"],
  protectedNames: [".git", ".vscode", "git~*"],
  sensitiveNames: [".env*", "*.pem"],
  programs: { shown: ["/Users/me/.nvm/v1"], masked: ["/Users/me/.cargo/credentials"] },
};

const linesOf = (profile: "read-only" | "workspace-write" | "network", more = {}) =>
  seatbeltProfile({ profile, directory: "/Users/me/my project", ...more }, bounds).split("\n");

test("everything is denied first, and paths are quoted so that they stay paths", () => {
  const lines = linesOf("read-only");
  expect(lines.slice(0, 2)).toEqual(["(version 1)", "(deny default)"]);
  expect(lines).toContain(
    '(allow file-read* (subpath "/Users/me/my project") (subpath "/Users/me/odd \\"name\\\\"))',
  );
});

test("a command that may only read gets no rule to write, nor the user's programs", () => {
  const text = linesOf("read-only").join("\n");
  expect(text.match(/\(allow [^)]*file-write\*.*/g)).toEqual([expect.stringContaining("/dev/null")]);
  expect(text).not.toContain(".nvm");
  expect(text).not.toContain("network");
});

test("what is protected is denied after the workspace is allowed, and what a person let it do after that", () => {
  const lines = linesOf("workspace-write", { writable: ["/Users/me/my project/.vscode"] });
  const at = (start: string, part: string) =>
    lines.findIndex((line) => line.startsWith(start) && line.includes(part));
  const allowed = at("(allow file-write*", '"/Users/me/my project")');
  const denied = at("(deny file-write*", "[vV][sS]");
  const lifted = at("(allow file-write*", "/.vscode");
  const hidden = at("(deny file-read* file-write*", "toolwright");
  expect([allowed, denied, lifted, hidden].every((index) => index > 0)).toBe(true);
  expect([allowed, denied, lifted, hidden]).toEqual([allowed, denied, lifted, hidden].sort((a, b) => a - b));
});

test("the patterns match protected and sensitive names at any depth, and no others", () => {
  const matcher = (line: string) => {
    const patterns = [...line.matchAll(/\(regex "((?:[^"\\]|\\.)*)"\)/g)].map(
      ([, pattern = ""]) => new RegExp(pattern.replace(/\\(["\\])/g, "$1")),
    );
    expect(patterns).toHaveLength(2);
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
    ".git/modules/a/b/hooks/x",
  ]) {
    expect([path, isProtected(`/Users/me/my project/${path}`)]).toEqual([path, true]);
  }
  for (const path of [
    "vscode",
    ".vscodes",
    ".git/objects/x",
    ".git/index",
    ".git/config.lock/x",
    "xgit/config",
  ]) {
    expect([path, isProtected(`/Users/me/my project/${path}`)]).toEqual([path, false]);
  }
  expect(isProtected('/Users/me/odd "name\\/.vscode')).toBe(true);
  expect(isProtected("/Users/me/other/.vscode")).toBe(false);
  const isSensitive = matcher(linesOf("read-only").find((line) => line.startsWith("(deny file-read-data"))!);
  expect(isSensitive("/Users/me/my project/a/.env.local")).toBe(true);
  expect(isSensitive("/Users/me/my project/env")).toBe(false);
});

test("only the profile for it has the network", () => {
  expect(linesOf("network").join("\n")).toContain("(allow network*)");
  expect(linesOf("workspace-write").join("\n")).not.toContain("(allow network");
});
