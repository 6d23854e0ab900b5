import { join } from "node:path";
import { expect, test } from "vitest";
import { sessionTools } from "../../../e2e/session-tools.ts";
import { openTestSession } from "../../../support/open-test-session.ts";
import { createCli } from "../run-cli.ts";

test("cancel ends a call in a session of another process by its id, or all of its calls", async () => {
  const cli = await createCli();
  const store = `sqlite:${join(cli.folder, "store.sqlite")}`;
  const { session } = await openTestSession(
    { workspace: cli.workspace, store, tools: sessionTools, permissions: { mode: "auto" } },
    { id: "one" },
  );
  const cancel = (...words: string[]) => cli(["cancel", ...words, "--session", "one", "--store", store]);
  expect(await cancel()).toMatchObject({ exitCode: 1, stderr: "nothing runs in session one\n" });
  const start = async (id: string) => {
    const running = Promise.withResolvers<void>();
    const call = session.call("hang", {}, { id, onProgress: () => running.resolve() });
    await running.promise;
    return { call };
  };
  const calls = [await start("a"), await start("b"), await start("c")];
  expect(await cancel("a")).toMatchObject({ exitCode: 0, stderr: "cancelled 1 call in session one\n" });
  expect(await calls[0]!.call).toMatchObject({ status: "cancelled" });
  expect((await cancel("--json")).stdout).toBe('{"session":"one","cancelled":2}\n');
  expect(await calls[2]!.call).toMatchObject({ status: "cancelled", error: { code: "cancelled" } });
  expect(session.isOpen).toBe(true);
});
