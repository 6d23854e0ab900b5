import { expect, test } from "vitest";
import { casesOf } from "../support/fuzz.ts";
import { leastBlockMs, maxBlockMs } from "../support/longest-block.ts";
import { openTestSession } from "../support/open-test-session.ts";

const mostCharacters = 9900;

/** What is written over and over: words around other commands, commands, operands and what bash expands. */
const units = casesOf({
  sample: ["git show a:", "env ", "a;"],
  full: [
    ...["git show a:", "git show HEAD:a/:", "git log -- a ", "git -C a ", "git -c a=b "],
    ...[
      "env ",
      "nice ",
      "sudo ",
      "time ",
      "timeout 1 ",
      "xargs ",
      "exec ",
      "command ",
      "flock a ",
      "bash -c ",
    ],
    ...[
      "find . -exec ",
      "watch ",
      "ssh a ",
      "setsid ",
      "stdbuf -o0 ",
      "nohup ",
      "eval ",
      "npx ",
      "docker run ",
    ],
    ...[
      "a;",
      "a&",
      "a&&",
      "a||",
      "a|",
      "{ a;}",
      "if a;then a;fi;",
      "for a in a;do a;done;",
      "cd a;",
      "x=$(a);",
    ],
    ...[
      "export a=a;",
      "alias a=a;",
      "trap a a;",
      "source a;",
      "[[ a == a ]];",
      "((a));",
      "case a in a)a;;esac;",
    ],
    ...[
      "<a ",
      ">a ",
      "2>&1 ",
      "<<<a ",
      "a=b ",
      "$a ",
      "~/a ",
      "* ",
      "?a ",
      "[a] ",
      "../a ",
      "'a' ",
      "http://a ",
    ],
    ...[
      "sed -e s/a/b/;",
      "awk {print} ",
      "jq .a ",
      "tee a ",
      "cp a b ",
      "rm ../",
      "chmod 1 a ",
      "rsync a b ",
    ],
  ],
});

/** One word or one command that is as long as a script may be, beside the same over and over. */
function commandsOf(unit: string): readonly string[] {
  const [first = ""] = unit.split(" ");
  const last = unit.slice(first.length).trimStart();
  const repeated = unit.repeat(mostCharacters / unit.length);
  if (last === "") return [`${repeated}ls`];
  return [`${repeated}ls`, unit + last.repeat((mostCharacters - unit.length) / last.length)];
}

test("no command keeps everybody waiting while it is judged, however it is built", async () => {
  const { session } = await openTestSession({ permissions: { mode: "ask" } });
  const slow: string[] = [];
  for (const command of units.flatMap(commandsOf)) {
    const ms = await leastBlockMs(() => session.explain("shell_run", { command }));
    if (ms > maxBlockMs) slow.push(`${command.slice(0, 30)}: ${Math.round(ms)} ms`);
  }
  expect(slow).toEqual([]);
}, 600_000);
