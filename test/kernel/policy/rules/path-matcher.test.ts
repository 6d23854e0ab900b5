import { mkdir, realpath, symlink } from "node:fs/promises";
import { join, posix } from "node:path";
import picomatch from "picomatch";
import { expect, test } from "vitest";
import { homeFolders, pathMatcher, splitPatterns } from "../../../../src/kernel/policy/rules/path-matcher.ts";
import { RuleError, type RulePath } from "../../../../src/kernel/policy/rules/rule.ts";
import { fc, fuzzRuns } from "../../../support/fuzz.ts";
import { temporaryFolder } from "../../../support/open-test-session.ts";

const inside = (relative: string): RulePath => ({ relative, absolute: posix.join("/project", relative) });

test.each([
  ["drafts", ["drafts", "drafts/a", "drafts/.a/b", "a/drafts", "a/b/drafts/c"], ["drafts2", "."]],
  ["drafts/", ["drafts", "drafts/a", "a/drafts/b"], ["drafts2"]],
  ["/drafts", ["drafts", "drafts/a"], ["a/drafts", "drafts2"]],
  ["./drafts", ["drafts", "drafts/a"], ["a/drafts"]],
  ["/src/**", ["src", "src/a/b"], ["a/src/b", "srcs"]],
  ["/*.ts", ["a.ts"], ["a/b.ts"]],
  ["*.ts", ["a.ts", "a/b.ts", "a/.b/c.ts"], ["a.tsx", "a.ts/b"]],
  [".env", [".env", "a/.env", "a/b/.env"], [".env.local", "env"]],
  [".env*", [".env", "a/.env.local"], ["env"]],
  ["a/**, b/**", ["a", "a/x", "b/x/y"], ["c", "a, b", "x/b"]],
  ["*.ts,/docs", ["a/b.ts", "docs/x"], ["a/docs", "a.js"]],
  ["a,b.txt", ["a", "x/b.txt", "a,b.txt", "x/a,b.txt"], ["b"]],
  ["a\\,b", ["a,b", "x/a,b/c"], ["a", "b"]],
  ["{a,b}, c", ["a", "b/x", "c"], ["{a", "b}"]],
  ["drafts/**", ["drafts", "drafts/a/b"], ["drafts2", "."]],
  ["drafts/*", ["drafts/a", "drafts/.a"], ["drafts", "drafts/a/b"]],
  ["drafts/*/**", ["drafts/a/b", "drafts/a/b/c"], ["drafts", "drafts/a"]],
  ["drafts/**/*.md", ["drafts/a.md", "drafts/x/y/a.md"], ["drafts/a.md/b", "a.md"]],
  ["**", ["a", "a/b", ".a"], ["."]],
  ["*", ["a", ".a", "a/b"], ["."]],
  ["/*", ["a", ".a"], ["a/b", "."]],
  ["**/*.key", ["a.key", "x/.key", "x\ny/z.key"], ["a.keys"]],
  ["**/secret", ["secret", "a/secret", "a/secret/b"], ["secrets"]],
  [".*", [".a"], ["a", "."]],
  [".", [".", "a", "a/b"], []],
  ["a?c", ["abc", "a.c"], ["ac", "a/c"]],
  ["[a-c].ts", ["b.ts", "[a-c].ts"], ["d.ts", "B.ts"]],
  ["[^a].ts", ["b.ts"], ["a.ts", "/.ts"]],
  ["app/[id]/page.ts", ["app/[id]/page.ts", "app/i/page.ts"], ["app/id/page.ts"]],
  ["app/[...slug]/[id].ts", ["app/[...slug]/[id].ts", "app/s/[id].ts"], ["app/slug/id.ts"]],
  ["{a,b/c}", ["a", "a/x", "b/c", "b/c/x"], ["b", "c"]],
  ["{a,b}/*.{ts,js}", ["a/x.ts", "b/x.js"], ["x.ts", "a/b/x.ts"]],
  ["/{*,a}*", ["b", "ab"], ["b/c", "a/b"]],
  ["a/**/{.,}*", ["a", "a/b", "a/.b/c"], ["b", "."]],
  ["{a}", ["{a}", "{a}/b"], ["a"]],
  ["{{a,b}{c,d}}", ["{ac}", "{bd}"], ["ac"]],
  ["\\(a\\)/\\{b,c\\}", ["(a)/{b,c}", "(a)/{b,c}/d"], ["a/b"]],
  ["a+b", ["a+b"], ["aab"]],
  ["Drafts", ["Drafts"], ["drafts"]],
])("%j is about %j and not about %j", (pattern, paths, others) => {
  const matches = pathMatcher(pattern, "permissions.deny");
  expect(paths.filter((path) => !matches(inside(path)))).toEqual([]);
  expect(others.filter((path) => matches(inside(path)))).toEqual([]);
});

test("two slashes begin a path on the disk, a tilde one in the home folder, and any other is in the workspace", () => {
  const read = (pattern: string) => pathMatcher(pattern, "permissions.deny", { homes: ["/people/me"] });
  const outside = (absolute: string): RulePath => ({ relative: undefined, absolute });
  const etc = read("//etc/*.conf");
  expect(etc(outside("/etc/a.conf"))).toBe(true);
  expect(etc({ relative: "etc/a.conf", absolute: "/project/etc/a.conf" })).toBe(false);
  expect([read("//")(outside("/")), read("//")(inside("a"))]).toEqual([true, true]);
  expect(read("//*")(outside("/"))).toBe(false);
  for (const pattern of ["**", "/etc", "etc"]) expect(read(pattern)(outside("/etc"))).toBe(false);
  for (const pattern of ["~/.ssh", "~/.ssh/**", "~", "~/", "~/.*", "src/**, ~/.ssh/**"]) {
    expect([pattern, read(pattern)(outside("/people/me/.ssh"))]).toEqual([pattern, true]);
  }
  expect(read("~/.ssh/**")(outside("/people/me/.ssh/id"))).toBe(true);
  expect(read("~/.ssh/**")(outside("/people/other/.ssh/id"))).toBe(false);
  expect(read("~/a b/*.txt")(outside("/people/me/a b/c.txt"))).toBe(true);
  expect(read("~file")(inside("a/~file"))).toBe(true);
});

test("a home folder that is a link is meant under both of its names", async () => {
  const folder = await realpath(await temporaryFolder());
  await mkdir(join(folder, "real"));
  await symlink(join(folder, "real"), join(folder, "home"));
  const matches = pathMatcher("~/notes", "permissions.deny", {
    homes: await homeFolders(join(folder, "home")),
  });
  for (const home of ["home", "real"]) {
    expect(matches({ relative: undefined, absolute: join(folder, home, "notes/a") })).toBe(true);
  }
});

const characterItself = "for the character itself";
test.each([
  [
    "!src/**",
    `the ! at the start is not supported; list the paths you mean, or write \\! ${characterItself}`,
  ],
  ["./!src", `the ! at the start is not supported; list the paths you mean, or write \\! ${characterItself}`],
  ["+(a|b)", `( is not supported; write {a,b} for alternatives, or \\( ${characterItself}`],
  ["@(a|b)/c", `( is not supported; write {a,b} for alternatives, or \\( ${characterItself}`],
  ["!(a).ts", "the ! at the start is not supported; list the paths you mean"],
  ["a?(b)", `( is not supported; write {a,b} for alternatives, or \\( ${characterItself}`],
  ["*(a)", `( is not supported; write {a,b} for alternatives, or \\( ${characterItself}`],
  ["app/(group)/page.ts", `( is not supported; write {a,b} for alternatives, or \\( ${characterItself}`],
  ["a)b", `) is not supported; write {a,b} for alternatives, or \\) ${characterItself}`],
  ["a|b", `| is not supported; write {a,b} for alternatives, or \\| ${characterItself}`],
  ['"a b"', `the " is not supported; write \\" ${characterItself}`],
  ["log{1..3}", "the .. in braces is not supported; list the alternatives, as in {1,2,3}"],
  ["{a,b\\..c}", "the .. in braces is not supported; list the alternatives, as in {1,2,3}"],
  ["{a,b", `a { is not closed; write \\{ ${characterItself}`],
  ["[ab", `a [ is not closed; write \\[ ${characterItself}`],
  ["[!a]", "[!a] is not supported; write [^ to exclude characters"],
  ["[[:alpha:]]", "[[:alpha:] is not supported; list the characters, as in [a-z]"],
  ["a[b/c]d", "the / in [b/c] is not supported; brackets match one character of a name"],
  ["[{a,b}]", `a brace or comma in [{a,b}] is not supported; write \\{, \\} or \\, ${characterItself}`],
  ["{[a,b],c}", `a brace or comma in [a,b] is not supported; write \\{, \\} or \\, ${characterItself}`],
  ["[\\d]", `a \\ in [\\d] is not supported; write \\\\ once ${characterItself}`],
  ["[z-a]", "z-a in [z-a] is in the wrong order; write the lower character first"],
  ["a[+-9]b", "+-9 in [+-9] includes /, which no name can contain; write two ranges"],
  ["src\\drafts", "\\d is not supported; write / between folders, and [\\\\] for a backslash itself"],
  ["a\\\\b", "\\\\ is not supported; write / between folders, and [\\\\] for a backslash itself"],
  ["a\\/b", `a \\ at the end of a name is not supported; write [\\\\] ${characterItself}`],
  ["a\\", `a \\ at the end of a name is not supported; write [\\\\] ${characterItself}`],
  [
    "**.key",
    "** next to anything but / is not supported; write **/ for any folders and * within a name, as in **/*.ts",
  ],
  ["{src/**,test/**}", "** next to anything but / is not supported; write **/ for any folders"],
  ["a/***", "*** next to anything but / is not supported; write **/ for any folders"],
  ["[ab]+", `the + after a bracket or brace is not supported; write \\+ ${characterItself}`],
  ["{+a,b}", `the + after a bracket or brace is not supported; write \\+ ${characterItself}`],
  ["a\0b", "there is a NUL character, which no file name can contain"],
  [
    "{/etc,/opt}/x",
    "with its braces expanded, the path contains an empty, . or .. name; write separate rules",
  ],
  ["src/{a,}/b", "with its braces expanded, the path contains an empty, . or .. name; write separate rules"],
  ["{.,a}/b", "with its braces expanded, the path contains an empty, . or .. name; write separate rules"],
  ["{a,b}".repeat(10), "the braces expand to more than 1000 patterns"],
  ["[ab]".repeat(10), "the braces and brackets expand to more than 1000 patterns; write several rules"],
])("%j is refused, with what to write instead", (pattern, problem) => {
  const refused = `permissions.deny: in ${JSON.stringify(pattern)}, ${problem}`;
  expect(() => pathMatcher(pattern, "permissions.deny")).toThrow(RuleError);
  expect(() => pathMatcher(pattern, "permissions.deny")).toThrow(refused);
});

// Picomatch is the second opinion on single patterns, once it is told where they begin.
test("a rule is about everything that picomatch reads in it, and next to nothing else", () => {
  let compared = 0;
  fc.assert(
    fc.property(patterns, fc.array(paths, { minLength: 10, maxLength: 10 }), (pattern, others) => {
      const now = readRule(pattern);
      if (now === undefined) return;
      const before = picomatchRule(pattern);
      for (const path of [...likelyPaths(pattern), ...others]) {
        const both = { relative: path, absolute: path === "." ? "/" : `/${path}` };
        const [isMeant, wasMeant] = [now(both), before(both)];
        if (wasMeant) expect([pattern, path, isMeant]).toEqual([pattern, path, true]);
        else if (!isBetterRead(pattern, path))
          expect([pattern, path, isMeant]).toEqual([pattern, path, false]);
        if (wasMeant) compared += 1;
      }
    }),
    { numRuns: fuzzRuns({ sample: 500, full: 200_000 }) },
  );
  // Or else it would say nothing.
  expect(compared).toBeGreaterThan(1000);
});

const patterns = fc
  .oneof(
    fc.string({ unit: fc.constantFrom(...`ab.*?[]^!-{},/\\()|+@"$~:#=x\n`), minLength: 1, maxLength: 10 }),
    fc.string({
      unit: fc.constantFrom(
        ...[
          "a",
          "b",
          ".",
          "*",
          "?",
          "/",
          "/",
          "**/",
          "/**",
          "[ab]",
          "[a-b]",
          "[^a]",
          "[.]",
          "[]a]",
          "\\*",
          "\\[",
        ],
        ...[
          "{a,b}",
          "{a,b/*}",
          "{*.a,b}",
          "{a/**/b,}",
          "{a{b,.}",
          "{",
          ",",
          "}",
          "\\{",
          "\\,",
          "\n",
          "[\\\\]",
          "a+",
        ],
      ),
      minLength: 1,
      maxLength: 10,
    }),
  )
  .filter((pattern) => pattern.trim() !== "")
  // The home folder and lists of patterns have tests of their own.
  .filter((pattern) => !/^\s*~(?:[/\s]|$)/.test(pattern) && splitPatterns(pattern)[0] === pattern.trim())
  // In a pattern without folders, picomatch takes the second one for part of an expression.
  .filter((pattern) => !/([+$^])\1/.test(pattern));

const names = fc
  .string({ unit: fc.constantFrom(...`aabb.-[]{}!*\\,^x+$(|\n`), minLength: 1, maxLength: 4 })
  .filter((name) => name !== "." && name !== "..");
const paths = fc.oneof(
  { weight: 9, arbitrary: fc.array(names, { minLength: 1, maxLength: 4 }).map((list) => list.join("/")) },
  { weight: 1, arbitrary: fc.constant(".") },
);

/** Paths that have something of the pattern: others hardly ever match. */
function likelyPaths(pattern: string): string[] {
  const chosen = pattern.replace(/\{([^,}]*),([^}]*)\}/g, (_, first: string) => first);
  const filled = (text: string) =>
    text
      .replace(/\[\^?\]?(.)[^\]]*\]/g, "$1")
      .replace(/\*+/g, "a")
      .replaceAll("?", "b")
      .replaceAll("\\", "");
  const similar = [
    pattern,
    pattern.replace(/[[\]{}\\]/g, ""),
    filled(pattern),
    filled(chosen),
    filled(chosen.replaceAll("**/", "")),
    filled(chosen.replaceAll("**", "a/b")),
  ];
  return [...similar, ...similar.map((path) => `${path}/a`), ...similar.map((path) => posix.dirname(path))]
    .map((path) => posix.normalize(path.trim()).replace(/^\/|\/+$/g, ""))
    .filter((path) => path === "." || !/^$|(?:^|\/)\.{1,2}(?:\/|$)/.test(path));
}

function readRule(pattern: string): ((path: RulePath) => boolean) | undefined {
  try {
    return pathMatcher(pattern, "permissions.deny");
  } catch (error) {
    expect(error).toBeInstanceOf(RuleError);
    return undefined;
  }
}

/** How rules were matched. */
function picomatchRule(pattern: string): (path: RulePath) => boolean {
  const given = pattern.trim();
  const normal = posix.normalize(given.replace(/^\/+/, "") || ".");
  const name = normal.replace(/\/+$/, "");
  const isAnywhere = given !== "." && !given.replace(/\/+$/, "").includes("/") && !given.startsWith("/");
  const isName = normal.endsWith("/") || !/[*?[]/.test(posix.basename(name));
  const glob = isName ? `${name}/**` : name;
  const globs = name === "." ? [".", "**"] : isAnywhere && name !== "**" ? [glob, `**/${glob}`] : [glob];
  const matches = picomatch(globs, { dot: true, flags: "s" });
  if (given.startsWith("//")) return ({ absolute }) => matches(absolute.slice(1) || ".");
  return ({ relative }) => relative !== undefined && matches(relative);
}

/** Where picomatch misses what is meant: we need not. */
function isBetterRead(pattern: string, path: string): boolean {
  return (
    // `*.*` and `a{.*,b}` are `a.` as well.
    /\.(?:\/|$)/.test(path) ||
    // `[...slug]` is the name of a folder.
    (pattern.includes("[") && path.includes("[")) ||
    // Braces without a comma are characters, also around a `**`.
    (/\{.*\/\*\*\//s.test(pattern) && path.includes("{"))
  );
}
