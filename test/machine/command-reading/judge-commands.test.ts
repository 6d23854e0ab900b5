import { expect, test } from "vitest";
import { categoryOf } from "../../../src/machine/command-reading/judge-command.ts";
import { judgeLine, openWorld } from "./judge-line.ts";

async function effectsOf(line: string, files: Readonly<Record<string, string>> = {}) {
  const world = await openWorld({ "src/index.ts": "", ...files });
  const { judgement } = await judgeLine(line, world);
  const relative = (path: string) =>
    path === world.directory ? "." : path.replace(`${world.directory}/`, "");
  return judgement.commands.map(({ effects, ...finding }) => ({
    ...finding,
    effects: { ...effects, reads: effects.reads.map(relative), writes: effects.writes.map(relative) },
  }));
}

test.each([
  ["cat a.txt ./b.txt", ["a.txt", "b.txt"]],
  ["cat ../a.txt", ["../a.txt"]],
  ["cat /etc/hosts", ["/etc/hosts"]],
  ["grep foo a.txt", ["a.txt"]],
  ["grep -r foo", ["."]],
  ["grep foo", []],
  ["grep -f patterns.txt a.txt", ["patterns.txt", "a.txt"]],
  ["grep --file=patterns.txt a.txt", ["patterns.txt", "a.txt"]],
  ["rg foo", ["."]],
  ["ls", ["."]],
  ["ls src", ["src"]],
  ["find src -newer a.txt", ["src", "a.txt"]],
  ["cat < a.txt", ["a.txt"]],
  ["cat src/*.ts", ["src/*.ts"]],
  ["echo *", ["*"]],
  ["diff a.txt /dev/null", ["a.txt"]],
  ["jq --slurpfile a b.json . c.json", ["b.json", "c.json"]],
  ["test -f a.txt", ["a.txt"]],
  ["git show HEAD:src/index.ts", ["src/index.ts", "."]],
  ["sed -n 1p a.txt -", ["a.txt"]],
])("%s reads the paths it names", async (line, reads) => {
  const [command] = await effectsOf(line);
  expect(command!.effects).toMatchObject({ reads, writes: [], opaque: false });
});

test("a path counts from the directory the command runs in", async () => {
  const commands = await effectsOf("cd src && cat index.ts");
  expect(commands.at(-1)!.effects.reads).toEqual(["src/index.ts"]);
});

test.each([
  ["mkdir -p a/b", ["a/b"]],
  ["touch a b", ["a", "b"]],
  ["cp a.txt b.txt", ["b.txt"]],
  ["cp a.txt src", ["src", "src/a.txt"]],
  ["cp -t src a.txt x/b.txt", ["src", "src/a.txt", "src/b.txt"]],
  ["mv a.txt b.txt", ["a.txt", "b.txt"]],
  ["mv .mcp.json src/", [".mcp.json", "src", "src/.mcp.json"]],
  ["chmod +x a.sh", ["a.sh"]],
  ["ls > out.txt", ["out.txt"]],
  ["ls 2>> out.txt", ["out.txt"]],
  ["ls | tee -a out.txt", ["out.txt"]],
  ["sort -o out.txt in.txt", ["out.txt"]],
  ["sed -i s/a/b/ f.txt", ["f.txt"]],
  ["uniq in.txt out.txt", ["out.txt"]],
  ["truncate -s 0 a.log", ["a.log"]],
])("%s writes the paths that are told, and no others", async (line, writes) => {
  const effects = (await effectsOf(line)).at(-1)!.effects;
  expect(effects).toMatchObject({ writes, deletes: false, opaque: false, runs: [], hosts: [] });
});

test.each(["rm a.txt", "rm -rf a.txt", "unlink a.txt", "rmdir a.txt"])("%s deletes", async (line) => {
  const [command] = await effectsOf(line);
  expect(command!.effects).toMatchObject({ writes: ["a.txt"], deletes: true, opaque: false });
});

test.each([
  "rm -rf $x",
  "rm *",
  "cp -r evil/. .",
  "cp a $x",
  "chmod 4755 a",
  "chmod u+s a",
  "mkdir $(pwd)/x",
  "ln -s a b",
])("%s may do more than can be told", async (line) => {
  expect((await effectsOf(line))[0]!.effects.opaque).toBe(true);
});

test.each([
  ["curl -s https://example.org/a?b", ["example.org"]],
  ["curl example.org/a", ["example.org"]],
  ["curl https://user:secret@example.org:8080/", ["example.org:8080"]],
  ["curl $x", ["*"]],
  ["ssh somebody@example.org ls", ["example.org", "ls"]],
  ["git fetch", ["*"]],
  ["npm install", ["*"]],
  ["cat < /dev/tcp/example.org/80", ["example.org"]],
])("%s reaches other machines", async (line, hosts) => {
  const [command] = await effectsOf(line);
  expect(command!.effects).toMatchObject({ hosts, opaque: true });
});

test("an unknown command is told as a command line that runs", async () => {
  const [command] = await effectsOf("make -j4 'all of it'");
  expect(command).toMatchObject({
    name: "make",
    args: ["-j4", "all of it"],
    category: "general",
    reason: "make is not known to be harmless",
    effects: { runs: ["make -j4 all of it"], opaque: true },
  });
});

test("arguments are told to the letter where all of them are known, without what wraps them", async () => {
  const [wrapped] = await effectsOf("timeout 5 npm run 'my script'");
  expect(wrapped!.argv).toEqual(["npm", "run", "my script"]);
  const [unknown] = await effectsOf('npm run "$x"');
  expect(unknown!.argv).toBeUndefined();
});

test("a command in a word is told with the place it stands in", async () => {
  const commands = await effectsOf("echo $(make)");
  const inner = commands.findIndex(({ name }) => name === "make");
  expect(commands[commands[inner]!.inside!]!.name).toBe("echo");
});

test.each([
  ["grep foo a.txt", "search"],
  ["find . -name a | head", "search"],
  ["locate a.txt", "search"],
  ["cat a.txt | grep foo", "read"],
  ["cat a.txt && ls", "read"],
  ["ls -la | sort", "list"],
  ["ps aux", "list"],
  ["rm -rf build", "silent"],
  ["mkdir a && touch a/b", "silent"],
  ["mkdir a && ls a", "general"],
  ["ls > out.txt", "write"],
  ["echo hello > out.txt", "write"],
  ["ls | tee out.txt", "write"],
  ["echo hello", "general"],
  ["echo start; grep foo a.txt; echo end", "search"],
  ["cd src && ls", "list"],
  ["test -f a.txt && cat a.txt", "read"],
  ["npm test", "general"],
  ["cat a.txt | make", "general"],
  ["sudo cat a.txt", "read"],
  ['cat "$file"', "read"],
  ["find . -delete | cat", "general"],
  ["find . -exec python3 x.py ';'", "general"],
  ["rg --pre sh foo", "general"],
  ["awk 'BEGIN { system(1) }' a.txt", "general"],
  ["sed e a.txt", "general"],
  ["ls > $X", "general"],
  ["> $X", "general"],
])("%s is for %s", async (line, category) => {
  const world = await openWorld();
  expect((await judgeLine(line, world)).judgement.category).toBe(category);
});

test("neutral commands leave the category to the others", () => {
  expect(categoryOf(["neutral", "list", "neutral"])).toBe("list");
  expect(categoryOf(["neutral"])).toBe("general");
  expect(categoryOf([])).toBe("general");
  expect(categoryOf(["search", "write"])).toBe("write");
  expect(categoryOf(["write", "general"])).toBe("general");
});

test("a program of the workspace that is found under a known name asks", async () => {
  const world = await openWorld();
  const shadowed = { ...world, programPath: async (name: string) => `${world.directory}/bin/${name}` };
  expect((await judgeLine("ls", shadowed)).isAllowed).toBe(false);
  const wrapping = {
    ...world,
    programPath: async (name: string) => (name === "timeout" ? `${world.directory}/bin/timeout` : undefined),
  };
  expect((await judgeLine("timeout 5 ls", wrapping)).isAllowed).toBe(false);
  const system = { ...world, programPath: async (name: string) => `/usr/bin/${name}` };
  expect((await judgeLine("ls", system)).isAllowed).toBe(true);
  expect((await judgeLine("timeout 5 ls", system)).isAllowed).toBe(true);
});
