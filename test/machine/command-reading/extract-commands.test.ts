import { expect, test } from "vitest";
import { parsedCommand } from "../../../src/machine/command-reading/extract-commands.ts";
import { readScript } from "../../../src/machine/shell-syntax/read-script.ts";

async function extract(line: string) {
  return (await readScript(line)).commands.map(parsedCommand);
}

test.each([
  ["sudo -u root rm -rf build", "rm", ["-rf", "build"], ["sudo"]],
  ["env A=b nohup npm start", "npm", ["start"], ["env", "nohup"]],
  ["A=b npm start", "npm", ["start"], []],
  ["time nice -n 5 timeout -k 1 5 make all", "make", ["all"], ["nice", "timeout"]],
  ["find . | xargs -n 1 rm -f", "rm", ["-f"], ["xargs"]],
  ["sudo", "sudo", [], []],
  ["command -v git", "command", ["-v", "git"], []],
  ["env", "env", [], []],
])("the name in %s is that of what really runs", async (line, name, args, wrappers) => {
  expect((await extract(line)).at(-1)).toMatchObject({ name, args, wrappers });
});

test("every command is found, however deep it is nested", async () => {
  const line = 'if a; then for x in $(b); do (c | d) && e "$(f)"; done; fi; cat <(g) <<< "$(h)"';
  const names = (await extract(line)).map(({ name }) => name);
  expect(names.filter((name) => /^[a-h]$/.test(name ?? "")).sort()).toEqual([..."abcdefgh"]);
});

test("redirections, place in the pipeline and environment come along", async () => {
  const [first, second] = await extract('LANG=C sort < in.txt 2>&1 | tee -a "$OUT" > out.txt');
  expect(first).toMatchObject({
    name: "sort",
    environment: { LANG: "C" },
    redirects: [
      { operator: "<", target: "in.txt", isStatic: true },
      { operator: ">&", descriptor: 2, target: "1", isStatic: true },
    ],
    pipeline: { position: 0, length: 2 },
  });
  expect(second).toMatchObject({ name: "tee", args: ["-a", '"$OUT"'], pipeline: { position: 1, length: 2 } });
});

test("variables that env is given count as environment", async () => {
  const [command] = await extract("X=1 env LANG=C sort");
  expect(command).toMatchObject({ name: "sort", environment: { X: "1", LANG: "C" } });
});

test("a bare assignment has no name", async () => {
  const [command] = await extract("x=1");
  expect(command).toMatchObject({ args: [], environment: { x: "1" } });
  expect(command!.name).toBeUndefined();
});
