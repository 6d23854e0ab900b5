import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { calling } from "../../../../capabilities/agents/open-agent.ts";
import { openTestTalk } from "../open-test-talk.ts";

test("/rewind shows the messages and what would go back, and puts the message into the editor again", async () => {
  const { talk, say, answers, choices, filled, shown, workspace, seen } = await openTestTalk(
    (_request, step) =>
      [
        { text: "hello" },
        calling("file_write", { path: "a.txt", content: "1" }),
        { text: "written" },
        calling("file_write", { path: "b.txt", content: "2" }),
        { text: "written too" },
      ][step - 1],
  );
  expect(await say("/rewind")).toBe("there is no message to go back to");
  await say("first");
  await say("second");
  answers.push("second", "Conversation and files");
  expect(await say("/rewind")).toContain("restored 1 file\nback before: second");
  expect(choices).toEqual([
    { title: "Back to before which message?", labels: ["second", "first"] },
    {
      title: "What goes back?",
      labels: ["Conversation and files", "Only the conversation", "Only the files"],
    },
  ]);
  expect(filled()).toBe("second");
  await expect(readFile(join(workspace, "a.txt"))).rejects.toThrow("ENOENT");

  // A file that was changed by hand since: only the conversation can go back.
  await say("third");
  await writeFile(join(workspace, "b.txt"), "by hand");
  answers.push("third", undefined);
  expect(await say("/rewind")).toMatch(/^the files cannot go back: .*b\.txt/);
  expect(choices.at(-1)!.labels).toEqual(["Only the conversation"]);
  expect(await say("/rewind 999")).toBe("there is no message 999 to go back to");

  // A fork goes on in a new session, which shows the conversation as it stands.
  const { id } = talk.session;
  answers.push("third");
  shown.length = 0;
  await say("/fork");
  await seen("❯ first");
  expect(talk.session.id).not.toBe(id);
  expect(filled()).toBe("third");
  expect(shown.join("\n")).not.toContain("second");
  answers.push("All of it");
  await say("/fork");
  expect((await talk.session.messages()).map(({ text }) => text)).toEqual(["first"]);

  // Opened again, the session shows what is left of the conversation.
  shown.length = 0;
  await talk.open({ id });
  await seen("❯ third");
  expect(shown.filter((line) => line.startsWith("❯"))).toEqual(["❯ first", "❯ third"]);
});
