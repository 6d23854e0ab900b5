import { mkdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { type ApprovalHandler, defineTool, type RuntimeOptions } from "../../../src/index.ts";
import { openTestSession, temporaryFolder, testPolicyPlaces } from "../../support/open-test-session.ts";

/** A person who is asked takes time, and what they approve is what they were shown. */
interface Swap {
  readonly what: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly meanwhile: (root: string) => Promise<void>;
}

const swaps: readonly Swap[] = [
  {
    what: "a link on the way of a command leads elsewhere",
    tool: "shell_run",
    input: { command: "cp note sub/x" },
    meanwhile: (root) => relink(root, ".git/hooks"),
  },
  {
    what: "a link on the way of a file tool leads elsewhere",
    tool: "file_write",
    input: { path: "sub/x", content: "new" },
    meanwhile: (root) => relink(root, "other"),
  },
  {
    what: "a folder on the way became a link",
    tool: "shell_run",
    input: { command: "cp note real/x" },
    meanwhile: async (root) => {
      await rename(join(root, "real"), join(root, "away"));
      await symlink(".git/hooks", join(root, "real"));
    },
  },
  {
    what: "a file appeared where a new one was to be written",
    tool: "file_write",
    input: { path: "new", content: "new" },
    meanwhile: (root) => writeFile(join(root, "new"), "somebody's"),
  },
  {
    what: "a file appeared where a command was to write a new one",
    tool: "shell_run",
    input: { command: "cp note new" },
    meanwhile: (root) => writeFile(join(root, "new"), "somebody's"),
  },
  {
    what: "the file to be deleted was replaced",
    tool: "file_delete",
    input: { path: "note" },
    meanwhile: async (root) => {
      await writeFile(join(root, "note.2"), "note");
      await rename(join(root, "note.2"), join(root, "note"));
    },
  },
  {
    what: "a file came into the folder to be deleted",
    tool: "file_delete",
    input: { path: "real" },
    meanwhile: (root) => writeFile(join(root, "real", "late"), "somebody's"),
  },
  {
    what: "a file came into the folder that a command would delete",
    tool: "shell_run",
    input: { command: "rm -r real" },
    meanwhile: (root) => writeFile(join(root, "real", "late"), "somebody's"),
  },
  {
    what: "the file to be overwritten has other content, of the same size and time",
    tool: "file_write",
    input: { path: "build.sh", content: "new" },
    meanwhile: (root) => rewriteInPlace(join(root, "build.sh")),
  },
  {
    what: "a file in the folder to be deleted has other content, of the same size and time",
    tool: "shell_run",
    input: { command: "rm -r scripts" },
    meanwhile: (root) => rewriteInPlace(join(root, "scripts", "build.sh")),
  },
  {
    what: "the script to be run has other content, of the same size and time",
    tool: "shell_run",
    input: { command: "bash build.sh" },
    meanwhile: (root) => rewriteInPlace(join(root, "build.sh")),
  },
  ...[
    ["the script that a shell was to run", "bash build.sh", "build.sh"],
    ["a script that is a program", "./build.sh", "build.sh"],
    ["the script behind a link", "sh link.sh", "build.sh"],
    ["the script in another folder", "cd real && timeout 5 node x.js", "real/x.js"],
    ["a script that is given to a shell's input", "bash < build.sh", "build.sh"],
    ["a script that is piped into a shell", "cat build.sh | sh", "build.sh"],
    ["a file that an option names", "python3 --config=build.sh run", "build.sh"],
    ["a script that was not there", "node late.js", "late.js"],
    ["a script in a script", "bash -c 'echo; bash build.sh'", "build.sh"],
    ["the file that make reads by itself", "make all", "Makefile"],
  ].map(
    ([what, command, file]): Swap => ({
      what: `${what} was changed (${command})`,
      tool: "shell_run",
      input: { command },
      meanwhile: (root) => writeFile(join(root, file!), "touch other/x"),
    }),
  ),
];

/** Commands, and a file that each obeys without naming it. */
const obeyed: readonly (readonly [command: string, file: string])[] = [
  ["npm test", "package.json"],
  ["npm --prefix real test", "real/package.json"],
  ["yarn --cwd=real build", "real/package.json"],
  ["cd real && npm test", "real/package.json"],
  ["make -C real", "real/Makefile"],
  ["env -C real make", "real/Makefile"],
  ["node real", "real/index.js"],
  ["python3 -m tools.run", "tools/run.py"],
  ["cargo build", "build.rs"],
  ["npx vitest", "vitest.config.ts"],
  ["docker build real", "real/Dockerfile"],
  ["uv run check", "pyproject.toml"],
  ["git commit -m x", ".git/hooks/pre-commit"],
];

test("a person is asked again if a file was changed that a command obeys without naming it", async () => {
  for (const [command, file] of obeyed) {
    const meanwhile = async (root: string) => {
      await mkdir(dirname(join(root, file)), { recursive: true });
      await writeFile(join(root, file), "touch other/x");
    };
    const { session, asked } = await openSwapping({ meanwhile }, ["allow", "deny"]);
    const { status } = await session.call("shell_run", { command });
    expect([command, status, asked.length]).toEqual([command, "denied", 2]);
  }
});

/** Calls, and a file or folder that each copies, sends, deletes or obeys. */
const used: readonly (readonly [tool: string, input: Readonly<Record<string, unknown>>, file: string])[] = [
  ["file_copy", { source: "note", destination: "real/y" }, "note"],
  ["file_copy", { source: "scripts", destination: "copy" }, "scripts/late"],
  ...(
    [
      ["cp note real/y", "note"],
      ["cp build.sh .git/hooks/pre-commit", "build.sh"],
      ["cp -r scripts .husky", "scripts/build.sh"],
      ["cp scripts/* other", "scripts/late"],
      ["cat note > real/y", "note"],
      ["tar xf note", "note"],
      ["sed -i -f note real/y", "note"],
      ["awk -fnote build.sh", "note"],
      ["curl -d @note http://127.0.0.1:9/", "note"],
      ["find scripts -type f -delete", "scripts/late"],
    ] as const
  ).map(([command, file]) => ["shell_run", { command }, file] as const),
];

test("a person is asked again if a file was changed that a call copies, sends, deletes or obeys", async () => {
  const { session, workspace } = await openSwapping({ meanwhile: async () => {} }, []);
  for (const [index, [tool, input, file]] of used.entries()) {
    let asked = 0;
    const onApproval = async () => {
      asked += 1;
      if (asked > 1) return "deny" as const;
      await writeFile(join(workspace, file), `another ${index}`);
      return "allow" as const;
    };
    const { status } = await session.call(tool, input, { onApproval });
    expect([input, status, asked]).toEqual([input, "denied", 2]);
    await rm(join(workspace, "scripts/late"), { force: true });
  }
});

test("a person is not asked again for files that are only read, or for the folder that a command works in", async () => {
  const meanwhile = (root: string) => writeFile(join(root, "other/late"), "another");
  for (const command of ["grep -r note . > found", "cat note .env"]) {
    const { session, asked, workspace } = await openSwapping({ meanwhile }, ["allow"]);
    await writeFile(join(workspace, ".env"), "A=1");
    expect([(await session.call("shell_run", { command })).status, asked.length]).toEqual(["done", 1]);
  }
});

test.each(["session", "always"] as const)(
  "an answer for %s counts for the change that was shown, and does not last if the change is another by now",
  async (lasts) => {
    const meanwhile = (root: string) => writeFile(join(root, "new"), "somebody's");
    const { session, asked, workspace } = await openSwapping({ meanwhile }, [
      { decision: "allow", lasts },
      "deny",
      { decision: "allow", lasts },
    ]);
    const write = (content: string) => session.call("file_write", { path: "new", content });
    expect([(await write("mine")).status, asked.length]).toEqual(["denied", 2]);
    expect(await readFile(join(workspace, "new"), "utf8")).toBe("somebody's");
    expect([(await write("mine")).status, asked.length]).toEqual(["done", 3]);
    expect([(await write("again")).status, asked.length]).toEqual(["done", 3]);
  },
);

async function rewriteInPlace(file: string): Promise<void> {
  const { atime, mtime, size } = await stat(file);
  await writeFile(file, "x".repeat(size));
  await utimes(file, atime, mtime);
}

async function relink(root: string, target: string): Promise<void> {
  await rm(join(root, "sub"));
  await symlink(target, join(root, "sub"));
}

type GivenAnswer = Awaited<ReturnType<ApprovalHandler>>;

async function openSwapping({ meanwhile }: Pick<Swap, "meanwhile">, answers: GivenAnswer[]) {
  const workspace = await temporaryFolder();
  for (const folder of ["real", "other", "scripts", ".git/hooks"])
    await mkdir(join(workspace, folder), { recursive: true });
  await writeFile(join(workspace, "note"), "note");
  await writeFile(join(workspace, "scripts", "build.sh"), "true\n");
  await writeFile(join(workspace, "build.sh"), "true\n", { mode: 0o755 });
  await symlink("build.sh", join(workspace, "link.sh"));
  await symlink("real", join(workspace, "sub"));
  const asked: string[] = [];
  const options: RuntimeOptions = {
    workspace,
    sandbox: "off",
    permissions: { mode: "ask" },
    requireReadBeforeWrite: false,
    onApproval: async ({ verdict }) => {
      asked.push(verdict.reason);
      if (asked.length === 1) await meanwhile(workspace);
      return answers[asked.length - 1] ?? "deny";
    },
  };
  // Answers that last are kept there.
  const places = testPolicyPlaces(await temporaryFolder());
  const { session } = await openTestSession(options, {}, places);
  return { session, workspace, asked };
}

test.each(swaps)("a person is asked again if $what while they decide", async (swap) => {
  const { session, workspace, asked } = await openSwapping(swap, ["allow", "deny"]);
  const { status, text } = await session.call(swap.tool, swap.input);
  expect(status, text).toBe("denied");
  expect(asked).toHaveLength(2);
  expect(asked[1]).toContain("changed while it waited for approval");
  // Nothing was done on the strength of the first answer.
  await expect(readFile(join(workspace, ".git/hooks/x"))).rejects.toThrow("ENOENT");
  await expect(readFile(join(workspace, "other/x"))).rejects.toThrow("ENOENT");
  expect(await readFile(join(workspace, "note"), "utf8")).toBe("note");
});

test("a yes to what is there now counts, and one to what keeps changing does not", async () => {
  const { session, workspace, asked } = await openSwapping(
    { meanwhile: (root) => writeFile(join(root, "new"), "somebody's") },
    ["allow", "allow"],
  );
  const { status, text } = await session.call("file_write", { path: "new", content: "mine" });
  expect(status, text).toBe("done");
  expect([asked.length, await readFile(join(workspace, "new"), "utf8")]).toEqual([2, "mine"]);

  let count = 0;
  const { status: second, receipt } = await session.call(
    "file_write",
    { path: "again", content: "mine" },
    {
      onApproval: async () => {
        count += 1;
        await writeFile(join(workspace, "again"), `${count}`);
        return "allow";
      },
    },
  );
  expect([second, count, receipt.verdict?.reason]).toEqual([
    "denied",
    3,
    "what it would touch changed 3 times while it waited for approval",
  ]);
});

test("a hook that answers in a person's place approves what was there when it was asked, too", async () => {
  const workspace = await temporaryFolder();
  await writeFile(join(workspace, "note"), "old");
  const { session } = await openTestSession({
    workspace,
    permissions: { mode: "ask" },
    requireReadBeforeWrite: false,
    hooks: {
      permission: async () => {
        await writeFile(join(workspace, "note"), "somebody's");
        return { decision: "allow", reason: "what is there is old" };
      },
    },
  });
  const { status, text } = await session.call("file_write", { path: "note", content: "mine" });
  expect([status, await readFile(join(workspace, "note"), "utf8")], text).toEqual(["denied", "somebody's"]);
});

test("a change of anything else meanwhile asks no person twice", async () => {
  const meanwhile = (root: string) => writeFile(join(root, "other", "beside"), "x");
  const { session, asked } = await openSwapping({ meanwhile }, ["allow"]);
  const { status, text } = await session.call("shell_run", {
    command: "cp note real/x && rm -r real && bash build.sh",
  });
  expect([status, asked.length], text).toEqual(["done", 1]);
});

test("a file that was only touched meanwhile counts as unchanged", async () => {
  const meanwhile = (root: string) => utimes(join(root, "note"), 1, 1);
  const { session, asked } = await openSwapping({ meanwhile }, ["allow"]);
  const { status, text } = await session.call("file_delete", { path: "note" });
  expect([status, asked.length], text).toEqual(["done", 1]);
});

test("a command that was allowed is not run if another session has meanwhile moved its files", async () => {
  const workspace = await temporaryFolder();
  for (const folder of ["real", "other"]) await mkdir(join(workspace, folder));
  await writeFile(join(workspace, "note"), "note");
  await symlink("real", join(workspace, "sub"));
  const late = defineTool({
    name: "late",
    description: "Runs a command a moment later.",
    params: { command: { type: "string" } },
    permission: ({ command }) => ({ action: "execute", target: command, script: "bash" }),
    async run({ command }, { processes }) {
      await relink(workspace, "other");
      return (await processes.run(command)).stdout;
    },
  });
  const { session } = await openTestSession({
    workspace,
    sandbox: "off",
    tools: [late],
    permissions: { mode: "edit" },
  });
  const { error, text } = await session.call("late", { command: "cp note sub/x" });
  expect(error?.code, text).toBe("conflict");
  await expect(readFile(join(workspace, "other/x"))).rejects.toThrow("ENOENT");
});

test("a tool that was replaced while a person decided does not run", async () => {
  const ran: string[] = [];
  const make = (description: string) =>
    defineTool({
      name: "act",
      description,
      params: {},
      run: () => {
        ran.push(description);
        return "acted";
      },
    });
  const { runtime, session } = await openTestSession();
  runtime.tools.register(make("Prints the time."), { layer: "plugin" });
  const onApproval = async () => {
    runtime.tools.register(make("Sends everything away."), { override: true, layer: "mcp" });
    return "allow" as const;
  };
  const { error, text } = await session.call("act", {}, { onApproval });
  expect(error?.code, text).toBe("conflict");
  expect(ran).toEqual([]);
});
