import { join } from "node:path";
import { expect, test } from "vitest";
import { type Caller, defineTool } from "../../../../src/index.ts";
import { openTestSession, temporaryFolder } from "../../../support/open-test-session.ts";
import { until } from "../../../support/until.ts";
import { createCli, parseLines } from "../run-cli.ts";

const order = defineTool({
  name: "order",
  description: "Asks with a form.",
  params: {},
  traits: { readOnly: true, concurrencySafe: true },
  async run(_input, { ask }) {
    const fields = {
      name: { type: "string", title: "Name\u001b[2J" },
      age: { type: "integer", minimum: 0, default: 30 },
    } as const;
    return JSON.stringify(await ask({ text: "Who?\u001b[2J swordfish", fields }));
  },
});

test("questions that wait in one process are shown, answered and declined at another terminal, once", async () => {
  const cli = await createCli();
  const store = `sqlite:${join(cli.folder, "store.sqlite")}`;
  const { session, runtime } = await openTestSession(
    { workspace: cli.workspace, store, secrets: ["swordfish"], tools: [order], approvals: "queue" },
    { id: "one", dialect: "canonical" },
  );
  const at = (...words: string[]) => cli([...words, "--store", store]);
  const colour = { question: "Which colour?", choices: ["red", "blue"] };
  const calls = [session.call("user_ask", colour), session.call("order")] as const;
  await until(() => session.questions.list().length === 2);
  expect((await at("sessions")).stdout).toMatch(/one {2,}.*waiting \(pid \d+\)/);
  const { stdout } = await at("approvals");
  expect(stdout).toMatch(
    /^question:question_\w+ \(question in session one\)\nA tool asks:\n {2}\| Which colour\?\n/m,
  );
  expect(stdout).toContain('  | "name": string (Name');
  expect(stdout).toContain('  | "age": integer, optional, default 30\n');
  expect(stdout).not.toContain("\u001b");
  const listed = await at("approvals", "--json");
  expect(stdout + listed.stdout).not.toContain("swordfish");
  const items = parseLines(listed.stdout) as { id: string; tool?: string; question: { fields?: object } }[];
  const idOf = (isForm: boolean) =>
    items.find(({ question }) => (question.fields !== undefined) === isForm)?.id ?? "none";

  const refused = [
    [[idOf(false), "green"], 'the answer "green" is not one of red, blue'],
    [[idOf(true), '{"age":-1}'], "$.name is required"],
    [[idOf(true), "Ada"], "is not valid JSON"],
    [["question:question_none", "x"], "no question waits as question:question_none"],
  ] as const;
  for (const [words, problem] of refused) {
    const { exitCode, stderr } = await at("answer", ...words);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(problem) });
  }
  const secret = runtime.approvals.answer(idOf(true), { name: "hunter swordfish" });
  await expect(secret).rejects.toThrow("contains a secret");
  await expect(runtime.approvals.decide(idOf(true), "allow")).rejects.toThrow("toolwright answer");

  expect(await at("answer", idOf(false), "blue")).toMatchObject({ exitCode: 0 });
  expect(await calls[0]).toMatchObject({ status: "done", text: "blue" });
  expect(await at("answer", idOf(false), "red")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("no question waits as question:"),
  });
  expect(await at("answer", idOf(true), '{"name":"Ada"}')).toMatchObject({ exitCode: 0 });
  expect((await calls[1]).text).toBe('{"name":"Ada","age":30}');

  const declined = session.call("user_ask", colour);
  await until(async () => (await runtime.approvals.list()).length === 1);
  const [item] = await runtime.approvals.list();
  expect(await at("deny", item!.id, "ask Bob")).toMatchObject({ exitCode: 0 });
  expect(await declined).toMatchObject({
    error: { code: "declined", message: expect.stringMatching(/ declined to answer: ask Bob$/) },
  });
});

/** A session where nobody can be asked, and another runtime on the same store, where a person answers. */
async function openUnattended() {
  const workspace = await temporaryFolder();
  const options = { workspace, store: `sqlite:${join(await temporaryFolder(), "store.sqlite")}` };
  const { session } = await openTestSession(options, { dialect: "canonical" });
  const { runtime: person } = await openTestSession({ ...options, caller: { kind: "person", name: "ann" } });
  const ask = (question: string, caller?: Caller) =>
    session.call("user_ask", { question }, caller === undefined ? {} : { caller });
  return { options, session, person, ask };
}

test("a question that nobody could be asked says how to answer it, and asked again by the same client has the answer", async () => {
  const { session, person, ask } = await openUnattended();
  const hintOf = async (asking: ReturnType<typeof ask>) => {
    const { error } = await asking;
    expect(error?.code).toBe("nobody-to-ask");
    return error?.hint ?? "";
  };
  const hint = await hintOf(ask("Which port?"));
  expect(hint).toMatch(/`toolwright answer question:question_\w+ ANSWER --workspace \S+ --store sqlite:\S+`/);
  expect(await hintOf(ask("Which port?"))).toBe(hint);
  const [item, ...others] = await person.approvals.list();
  expect(others).toEqual([]);
  expect(item?.title).toContain("no process waits for it");
  const answers = [person.approvals.answer(item!.id, "80"), person.approvals.answer(item!.id, "81")];
  const outcomes = (await Promise.allSettled(answers)).map(({ status }) => status);
  expect(outcomes.sort()).toEqual(["fulfilled", "rejected"]);

  // Another client does not get it, nor does another question; whoever asked gets it once.
  await hintOf(ask("Which port?", { kind: "mcp", name: "editor" }));
  await hintOf(ask("Which host?"));
  expect((await ask("Which port?")).text).toMatch(/^8[01]$/);
  expect(await hintOf(ask("Which port?"))).not.toBe(hint);
  // What goes on with its default leaves nothing behind.
  const before = (await person.approvals.list()).length;
  await session.call("user_ask", { question: "Which name?", default: "x" });
  expect(await person.approvals.list()).toHaveLength(before);
});

test("the first answer to a question counts, from this process or another, and the question of a cancelled call takes none", async () => {
  const { options, person } = await openUnattended();
  const { session } = await openTestSession(options, { dialect: "canonical" });
  const told: AbortSignal[] = [];
  const onQuestion = (_question: unknown, signal: AbortSignal) => {
    told.push(signal);
    return new Promise<never>(() => {});
  };
  const asked = session.call("user_ask", { question: "Which port?" }, { onQuestion });
  await until(async () => (await person.approvals.list()).length === 1);
  const [{ id } = { id: "" }] = await person.approvals.list();
  await person.approvals.answer(id, "80");
  expect((await asked).text).toBe("80");
  expect(told[0]?.aborted).toBe(true);

  const over = new AbortController();
  const cancelled = session.call(
    "user_ask",
    { question: "Which host?" },
    { onQuestion, signal: over.signal },
  );
  await until(async () => (await person.approvals.list()).length === 1);
  const [late] = await person.approvals.list();
  over.abort();
  expect((await cancelled).status).toBe("cancelled");
  await expect(person.approvals.answer(late!.id, "a")).rejects.toMatchObject({ code: "not-found" });
  expect(await person.approvals.list()).toEqual([]);
});
