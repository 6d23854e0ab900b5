import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { services } from "../../../src/capabilities.ts";
import { defineTool, type ToolContext } from "../../../src/index.ts";
import { findUnknownOption } from "../../../src/kernel/services/method-keys.ts";
import { createTestContext } from "../../../src/testing/index.ts";
import { projectFolder } from "../../architecture/project-files.ts";
import { openFileSession } from "../../support/open-file-session.ts";
import { openTestSession } from "../../support/open-test-session.ts";

// The rules for every service, tested with every method of every service, including future ones.

const names = Object.keys(services).filter((name) => name !== "questions") as (keyof typeof services &
  keyof ToolContext)[];

/**
 * What is known of the methods of each service, beside the tests of its capability: those that act, and are refused in a
 * preview; those that only read; and those that take options.
 */
interface ServiceMethods {
  readonly acting: readonly string[];
  readonly reading: readonly string[];
  readonly keyed: readonly string[];
}

const known = await readKnownMethods();

async function readKnownMethods(): Promise<readonly ServiceMethods[]> {
  const found: ServiceMethods[] = [];
  for await (const file of glob("test/capabilities/*/service-methods.json", { cwd: projectFolder }))
    found.push(JSON.parse(await readFile(join(projectFolder, file), "utf8")));
  return found;
}

function sorted(kind: keyof ServiceMethods): string[] {
  return known.flatMap((methods) => methods[kind]).sort();
}

test("a call that has ended begins nothing, whatever it asks for", async () => {
  let leaked: ToolContext | undefined;
  const leak = defineTool({
    name: "leak",
    description: "Gives its context away.",
    params: {},
    run: (_input, context) => {
      leaked = context;
    },
  });
  const { session } = await openTestSession({ tools: [leak], permissions: { mode: "auto" } });
  expect((await session.call("leak")).status).toBe("done");
  const tried = await tryAll(leaked!);
  expect(tried.length).toBeGreaterThan(35);
  expect(tried.filter(({ code }) => code !== "cancelled")).toEqual([]);
  await expect(leaked!.ask("Go on?")).rejects.toMatchObject({ code: "cancelled" });
});

test("a preview refuses every method that acts, except those that can be planned", async () => {
  let tried: readonly Tried[] = [];
  const look = defineTool({
    name: "look",
    description: "Tries all there is in a preview.",
    params: {},
    run: () => "unused",
    async dryRun(_input, context) {
      tried = await tryAll(context);
      return "tried";
    },
  });
  const { session } = await openTestSession({ tools: [look], permissions: { mode: "auto" } });
  expect(await session.dryRun("look")).toMatchObject({ status: "done", text: "tried" });
  // Every method must be in one of the two lists of its capability, so that a new one has to be classified.
  expect(namesOf(tried, (code) => code === "unsupported")).toEqual(sorted("acting"));
  expect(
    namesOf(tried, (code) => code !== "unsupported").filter((name) => !name.startsWith("files.")),
  ).toEqual(sorted("reading"));
});

function namesOf(tried: readonly Tried[], isMeant: (code: string) => boolean): string[] {
  return tried
    .filter(({ code }) => isMeant(code))
    .map(({ name, method }) => `${name}.${method}`)
    .sort();
}

test("options that a method does not know are refused, with the name that was meant", async () => {
  const told: string[] = [];
  const misspell = defineTool({
    name: "misspell",
    description: "Gives every method an option that it does not have.",
    params: {},
    async run(_input, context) {
      const view = (name: string) => context[name as "files"] as unknown as View;
      const ask = (...given: unknown[]) => context.ask(...(given as [string]));
      for (const name of Object.keys(services)) {
        const methods = name === "questions" ? ({ ask } as unknown as View) : view(name);
        for (const method of Object.keys(methods)) {
          for (const given of [[odd], ["x", odd], ["x", "x", odd]]) {
            const { message } = await methods[method]!(...given).then(() => ({ message: "" }), asError);
            if (message.startsWith(`${name}.${method}: zz`)) told.push(message.split(";")[0]!);
          }
        }
      }
      const lists: readonly (readonly [() => Promise<unknown>, string])[] = [
        [() => view("files").editTexts!([{ path: "x", edits: [{ ...odd }] }]), "files.editTexts: 0.edits.0."],
        [() => view("files").editTexts!([{ path: "x", edits: [] }, odd]), "files.editTexts: 1."],
        [() => view("todos").write!([{ title: "x", ...odd }]), "todos.write: 0."],
      ];
      for (const [give, where] of lists) {
        const { message } = await give().then(() => ({ message: "" }), asError);
        expect(message).toContain(`${where}zzzzzzzz is not an option; `);
      }
      await context.files.readText("x", { maxByte: 1 } as object).catch((error) => told.push(error.message));
      return "tried";
    },
  });
  const { session } = await openTestSession({
    tools: [misspell],
    permissions: { allow: ["misspell"] },
  });
  expect(await session.call("misspell")).toMatchObject({ status: "done" });
  expect(findUnknownOption(services.databases!.keys!, "update", ["x", [{ sql: "" }, odd]])).toContain(
    "1.zzzzzzzz is not",
  );
  expect(findUnknownOption(services.databases!.keys!, "query", ["x", { sql: "", ...odd }])).toContain(
    "zzzzzzzz is not",
  );
  expect(told.toSorted()).toEqual(
    [
      ...sorted("keyed").map((method) => `${method}: zzzzzzzz is not an option`),
      "files.readText: maxByte is not an option; did you mean maxBytes?",
    ].toSorted(),
  );
});

type View = Record<string, (...given: unknown[]) => Promise<unknown>>;
const odd = { zzzzzzzz: 1 };
const asError = (error: unknown) => error as Error;

test("the work of one service is seen by the others, even for paths that the tool had declared", async () => {
  const swap = defineTool({
    name: "swap",
    description: "Makes a link lead elsewhere, and reads what it leads to.",
    params: {},
    permission: () => [{ action: "read", target: "link.txt" }, { action: "execute" }],
    async run(_input, { files, processes }) {
      const { exitCode, stderr } = await processes.run("ln -sfn two.txt link.txt");
      if (exitCode !== 0) throw new Error(stderr);
      return (await files.readText("link.txt")).text;
    },
  });
  const { session } = await openFileSession(
    { "one.txt": "one", "two.txt": "two" },
    { tools: [swap], permissions: { mode: "auto" } },
  );
  await session.call("shell_run", { command: "ln -s one.txt link.txt" });
  expect((await session.call("swap")).text).toBe("two");
});

test("a service that is missing is told as unavailable, whatever is asked of it", async () => {
  const { context, close } = await createTestContext();
  for (const name of names) {
    const anything = context[name] as unknown as Record<string, () => Promise<unknown>>;
    await expect(anything.whatever!()).rejects.toMatchObject({ code: "unavailable" });
    // Awaiting or printing the view does not count as using it.
    expect(await context[name]).toBe(context[name]);
    expect(JSON.stringify({ service: context[name] })).toBe('{"service":{}}');
  }
  close();
});

interface Tried {
  readonly name: string;
  readonly method: string;
  readonly code: string;
}

async function tryAll(context: ToolContext): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (const name of names) {
    const view = context[name] as unknown as Record<string, () => Promise<unknown>>;
    for (const method of Object.keys(view)) tried.push({ name, method, code: await codeOf(view[method]!()) });
  }
  return tried;
}

function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "done",
    (error: { code?: string }) => error.code ?? "none",
  );
}
