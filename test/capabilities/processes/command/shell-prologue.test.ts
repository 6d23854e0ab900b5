import { expect, test } from "vitest";
import {
  keepsDirectory,
  wantsTrapPrologue,
} from "../../../../src/capabilities/processes/command/shell-prologue.ts";

test.each([
  "",
  "true",
  "npm test",
  "git log --oneline -5",
  "ls -la src/a.ts && cat ../b.ts | head -n 3; make -j4",
  "python3 -m pytest tests/test_cd.py",
])("the command %j keeps its directory", (command) => {
  expect(keepsDirectory(command)).toBe(true);
});

test.each([
  "cd",
  "cd /tmp",
  "ls;cd /tmp",
  "true&&cd /tmp",
  "time cd /tmp",
  "c\\d /tmp",
  "c''d /tmp",
  '"cd" /tmp',
  "$x /tmp",
  "`echo cd` /tmp",
  "{cd,/tmp}",
  "[c]d /tmp",
  "c?",
  "eval ls",
  "source x",
  ". x",
  "x=1 . x",
  "builtin cd /tmp",
  "command cd /tmp",
  "pushd /tmp",
  "popd",
  "trap x EXIT",
  "f() { ls; }; f",
  "ls\ncd /tmp",
  "ls\tcd",
  "~/x",
  "(ls)",
])("the command %j may change its directory", (command) => {
  expect(keepsDirectory(command)).toBe(false);
});

test("the prologue for traps is added for an EXIT trap only, and not where it would show", () => {
  expect(wantsTrapPrologue("trap 'rm x' EXIT")).toBe(true);
  expect(wantsTrapPrologue("trap 'rm x' INT TERM 0")).toBe(true);
  expect(wantsTrapPrologue("trap 'rm x' INT")).toBe(false);
  expect(wantsTrapPrologue("echo EXIT; entrap 0")).toBe(false);
  expect(wantsTrapPrologue("set -x; trap 'rm x' EXIT")).toBe(false);
  expect(wantsTrapPrologue("trap 'rm x' EXIT; trap y RETURN")).toBe(false);
});
