import { expect, test } from "vitest";
import { openTestSession } from "../../../support/open-test-session.ts";

/** What deny rules on commands decide, in a session that allows everything else. */
async function decisionsBy(rule: string, commands: readonly string[]): Promise<Record<string, string>> {
  const { session } = await openTestSession({ permissions: { mode: "auto", deny: [rule] } });
  const decided = await Promise.all(
    commands.map(
      async (command) => [command, (await session.explain("Bash", { command })).decision] as const,
    ),
  );
  return Object.fromEntries(decided);
}

/** Every way to write some letters as options: bundled or apart, in any order, by any of their names. */
function spellings(options: readonly (readonly string[])[]): readonly string[] {
  const [first, second] = options;
  if (first === undefined) return [""];
  if (second === undefined) return first;
  const apart = first.flatMap((one) => second.flatMap((other) => [`${one} ${other}`, `${other} ${one}`]));
  const letters = [first, second].map((names) =>
    names.filter((name) => /^-\w$/.test(name)).map((name) => name[1]!),
  );
  const bundled = letters[0]!.flatMap((one) =>
    letters[1]!.flatMap((other) => [`-${one}${other}`, `-${other}${one}`]),
  );
  return [...apart, ...bundled];
}

const forced = spellings([
  ["-r", "-R", "--recursive"],
  ["-f", "--force"],
]);

test("a deny on rm -rf denies every spelling of it, wherever its options are", async () => {
  const commands = forced.flatMap((options) => [
    `rm ${options} x`,
    `rm x ${options}`,
    `rm -v ${options} -- x`,
  ]);
  const decided = await decisionsBy("Bash(rm -rf *)", commands);
  expect(Object.entries(decided).filter(([, decision]) => decision !== "deny")).toEqual([]);
  expect(commands.length).toBeGreaterThan(40);
});

test("a rule on a command denies neither half of it, and asks where an option is not known", async () => {
  expect(
    await decisionsBy("Bash(rm -rf *)", [
      "rm -r x",
      "rm --force x",
      "rm x",
      "rm --recurs --for x",
      "rm -rz x",
    ]),
  ).toEqual({
    "rm -r x": "allow",
    "rm --force x": "allow",
    "rm x": "allow",
    "rm --recurs --for x": "ask",
    "rm -rz x": "ask",
  });
});

test.each([
  [
    "Bash(sed -i *)",
    [
      "sed --in-place s/a/b/ f",
      "sed -e s/a/b/ -i f",
      "sed -n -i.bak p f",
      "sed -ni p f",
      "sed -E --in-place=.b p f",
    ],
  ],
  [
    "Bash(sort -o *)",
    ["sort a -o b", "sort --output=b a", "sort -uob a", "sort --output b a", "sort -o b a"],
  ],
  ["Bash(cp --archive *)", ["cp -a x y", "cp x y -a", "cp -va x y"]],
  ["Bash(mkdir -p a/b)", ["mkdir --parents a/b", "mkdir a/b -p"]],
  ["Bash(git diff --cached *)", ["git diff --stat --cached"]],
])("%s denies %j", async (rule, commands) => {
  const decided = await decisionsBy(rule, commands);
  expect(Object.entries(decided).filter(([, decision]) => decision !== "deny")).toEqual([]);
});

test.each([
  ["Bash(git push --force *)", "git push -f origin", "ask"],
  ["Bash(git push -f *)", "git push --force-with-lease origin", "ask"],
  ["Bash(git push --force *)", "git push -u origin main", "allow"],
  ["Bash(git commit --no-verify *)", "git commit -n -m x", "ask"],
  ["Bash(sed -i *)", "sed -n 1p f", "allow"],
  ["Bash(sort -o *)", "sort a", "allow"],
  ["Bash(mkdir -p a/b)", "mkdir -pv a/b", "allow"],
])("%s on %s: %s", async (rule, command, decision) => {
  expect((await decisionsBy(rule, [command]))[command]).toBe(decision);
});

test("an allow rule covers only the spelling it names", async () => {
  const { session } = await openTestSession({ permissions: { mode: "ask", allow: ["Bash(rm -rf build)"] } });
  const decisionOn = async (command: string) => (await session.explain("Bash", { command })).decision;
  expect(await decisionOn("rm -rf build")).toBe("allow");
  for (const options of forced.filter((each) => each !== "-rf")) {
    expect([options, await decisionOn(`rm ${options} build`)]).toEqual([options, "ask"]);
  }
});
