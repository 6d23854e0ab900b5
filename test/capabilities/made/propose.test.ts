import { readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { hashOf, idOf, type MadeTool } from "../../../src/capabilities/made/made-tool.ts";
import type { Session } from "../../../src/index.ts";
import { needs } from "../../support/needs.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";
import { until } from "../../support/until.ts";
import { calling } from "../agents/open-agent.ts";
import { familyModel } from "../agents/sub-agents/family-model.ts";

/** The cheapest tool there is: a script starts in a twentieth of the time of a module. */
const sayTool = (word: string) => ({
  name: `say_${word}`,
  description: "Say a word.",
  input: { type: "object" as const, properties: {} },
  language: "shell" as const,
  code: `echo -n ${word}`,
  permissions: [],
  examples: [{ input: {}, output: word }],
});

const pathOf = (tool: MadeTool, hash = hashOf(tool)) => `.toolwright/tools/${idOf(tool.name, hash)}.json`;

const testInside = await needs("bubblewrap");

testInside(
  "a proposed version is approved only by a rule that spells it out, and a rule that denies it leaves nothing behind",
  async () => {
    const [wide, exact, denied] = [sayTool("wide"), sayTool("exact"), sayTool("denied")];
    const otherHash = hashOf({ ...wide, code: "echo" });
    const allow = [
      ...["*", "tool_*", "tool_create", "Edit", "@write", "*(**)", "tool_*(.toolwright/**)"],
      ...["tool_create(.toolwright)", "tool_create(.toolwright/tools)", "tool_create(.toolwright/tools/*)"],
      ...[
        "tool_create(.toolwright/tools/say_wide@*.json)",
        "Edit(.toolwright/tools/**)",
        "@write(.toolwright/**)",
      ],
      `tool_create(${pathOf(wide).replace(/...\.json$/, "???.json")})`,
      `tool_create(${pathOf(wide).split("/").at(-1)})`,
      `tool_create(${pathOf(wide, otherHash)})`,
      `tool_create(${pathOf(exact)}, ${pathOf(denied)})`,
    ];
    const deny = [`tool_create(${pathOf(denied)})`];
    const { runtime, session } = await openTestSession({
      dialect: "canonical",
      permissions: { mode: "auto", allow, deny },
    });
    expect(await session.call("tool_create", wide)).toMatchObject({ data: { status: "proposed" } });
    expect(await session.call("tool_create", exact)).toMatchObject({ data: { status: "active" } });
    expect(await session.call("tool_create", denied)).toMatchObject({ status: "denied" });
    expect(await runtime.madeTools.list()).toMatchObject([
      { name: "say_exact", by: expect.stringMatching(/^rule tool_create\(/) },
      { name: "say_wide", status: "proposed" },
    ]);
  },
);

testInside(
  "twenty tools are proposed in a session, by whichever of its agents, and resuming it allows no more",
  async () => {
    const options = {
      workspace: await temporaryFolder(),
      store: `sqlite:${await temporaryFolder()}/store`,
      dialect: "canonical",
    } as const;
    const { runtime, session } = await openTestSession(options, { id: "maker" });
    const create = (number: number) => calling("tool_create", sayTool(`n${number}`));
    const { model } = familyModel({
      CHILD: [create(0), create(1), { text: "Made." }],
      PARENT: [calling("agent_run", { prompt: "CHILD, make them" }), create(2), { text: "Done." }],
    });
    await runtime.agent({ model, session }).run("PARENT, go");
    const propose = async (maker: Session, number: number) =>
      (await maker.call("tool_create", sayTool(`n${number}`))).error?.code ?? "proposed";
    for (let number = 3; number < 19; number += 1) expect(await propose(session, number)).toBe("proposed");
    await runtime.close();

    const again = await openTestSession(options, { id: "maker" });
    const atOnce = await Promise.all([19, 20, 21].map((number) => propose(again.session, number)));
    expect(atOnce.sort()).toEqual(["budget-exceeded", "budget-exceeded", "proposed"]);
    expect(await again.runtime.madeTools.list()).toHaveLength(20);
  },
);

testInside(
  "a call is refused alike whether it notices itself that the tool's approval is gone, or the process has noticed before",
  async () => {
    const { runtime, session, workspace } = await openTestSession({
      dialect: "canonical",
      onApproval: () => "allow",
    });
    await session.call("tool_create", sayTool("gone"));
    const elsewhere = await openTestSession({ workspace, dialect: "canonical" });
    const file = join(workspace, ".toolwright", "tools", "say_gone.json");
    const approved = await readFile(file, "utf8");
    const isOffered = () => runtime.tools.list().some(({ name }) => name === "say_gone");
    const refused = {
      status: "denied",
      error: {
        code: "permission-denied",
        message: "say_gone has changed since it was approved, or is revoked",
      },
    };
    const takeAway = [
      () => writeFile(file, approved.replace("echo", "printf")),
      () => unlink(file),
      () => elsewhere.runtime.madeTools.revoke("tool:say_gone"),
    ];
    for (const take of takeAway) {
      await until(isOffered);
      await take();
      // The first notices it, unless the watching of files was faster; the second finds a list without the tool.
      expect(await session.call("say_gone", {})).toMatchObject(refused);
      expect(isOffered()).toBe(false);
      expect(await session.call("say_gone", {})).toMatchObject(refused);
      await writeFile(file, approved);
    }
    expect(await session.call("say_never", {})).toMatchObject({ error: { code: "unknown-tool" } });
  },
);

testInside(
  "a tool whose file was changed comes back in a running process once the file is as it was approved",
  async () => {
    const { runtime, session, workspace } = await openTestSession({
      dialect: "canonical",
      onApproval: () => "allow",
    });
    await session.call("tool_create", sayTool("back"));
    expect(await session.call("say_back", {})).toMatchObject({ status: "done", text: "back" });
    const file = join(workspace, ".toolwright", "tools", "say_back.json");
    const approved = await readFile(file, "utf8");
    const isOffered = () => runtime.tools.list().some(({ name }) => name === "say_back");
    for (const broken of [approved.replace("echo", "printf"), "{"]) {
      await writeFile(file, broken);
      expect(await session.call("say_back", {})).not.toMatchObject({ status: "done" });
      expect(isOffered()).toBe(false);
      await writeFile(file, approved);
      await until(isOffered);
      expect(await session.call("say_back", {})).toMatchObject({ status: "done", text: "back" });
    }
  },
);
