import { join } from "node:path";
import { expect, test } from "vitest";
import { openToolFolder, openTools, toolFile } from "./open-tool-folder.ts";

test("N1: a name is internal, group and action in lower case with underscores, and a file of another name is refused", async () => {
  const { session, runtime } = await openToolFolder({
    "mail/send_all.js": toolFile(),
    "Mail/send.js": toolFile(),
    "mail/sendOne.js": toolFile(),
    "mail/send-two.js": toolFile(),
  });
  const names = session.tools().map(({ name }) => name);
  expect(names).toContain("internal_mail_send_all");
  for (const name of names) expect(name).toMatch(/^internal_[a-z]+(_[a-z]+)+$/);
  expect(runtime.problems().map(({ subject, message }) => `${subject}: ${message}`)).toEqual([
    expect.stringContaining("Mail: rename Mail to mail"),
    expect.stringContaining("mail/send-two.js: rename send-two to send_two"),
    expect.stringContaining("mail/sendOne.js: rename sendOne to send_one"),
  ]);
});

test("N2: the folder is the group and the file the action; a file that declares the full name works, with a warning", async () => {
  const { session, runtime } = await openToolFolder({
    "mail/send.js": toolFile('name: "send",', "sent"),
    "mail/read.js": toolFile('name: "internal_mail_read",', "read"),
  });
  expect((await session.call("internal_mail_send")).text).toBe("sent");
  expect((await session.call("internal_mail_read")).text).toBe("read");
  expect(runtime.problems()).toMatchObject([
    {
      subject: join("mail", "read.js"),
      severity: "warning",
      message: expect.stringContaining('change it to "read"'),
    },
  ]);
});

test("N17: folders are read through to the bottom, index and dot files are skipped, and a file in no folder has no group", async () => {
  const { session, runtime } = await openToolFolder({
    "ping.js": toolFile("", "pong"),
    "index.js": toolFile(),
    "mail/index.js": toolFile(),
    "mail/.hidden.js": toolFile(),
    ".git/config.js": toolFile(),
    "mail/send.js": toolFile("", "sent"),
    "mail/draft/save.js": toolFile("", "saved"),
    "mail/notes.txt": "no tool",
  });
  const loaded = runtime.tools.list().filter(({ layer }) => layer === "folder");
  expect(loaded.map(({ name }) => name)).toEqual(["mail_draft_save", "mail_send", "ping"]);
  expect((await session.call("internal_ping")).text).toBe("pong");
  expect((await session.call("internal_mail_send")).text).toBe("sent");
  expect((await session.call("internal_mail_draft_save")).text).toBe("saved");
  expect(runtime.problems()).toEqual([]);
});

test("N18: the groups are a map from each group to the full names of its tools", async () => {
  const tools = await openTools({
    "ping.js": toolFile(),
    "mail/send.js": toolFile(),
    "mail/read.js": toolFile(),
    "file/touch.js": toolFile(),
  });
  const groups = await tools.groups();
  expect(groups).toMatchObject({
    mail: ["internal_mail_read", "internal_mail_send"],
    code: expect.arrayContaining(["internal_code_search"]),
    system: expect.arrayContaining(["internal_system_execute"]),
  });
  expect(groups.file).toEqual(expect.arrayContaining(["internal_file_read", "internal_file_touch"]));
  expect(Object.values(groups).flat()).not.toContain("internal_ping");
});

test("N19: a CommonJS file whose module.exports is the tool is loaded", async () => {
  const { session } = await openToolFolder({
    "mail/send.js": `const path = require("node:path");\nconst tool = ${toolFile("", "from CommonJS").slice("module.exports = ".length)}\nmodule.exports = tool;`,
  });
  expect((await session.call("internal_mail_send")).text).toBe("from CommonJS");
});

test("N21: loading logs how many files were found, each tool and how many could be loaded, in the words of the document", async () => {
  const lines: string[] = [];
  const ignore = () => {};
  const logger = { debug: ignore, warn: ignore, error: ignore, info: (line: string) => lines.push(line) };
  await openToolFolder(
    { "mail/read.js": toolFile(), "mail/send.js": toolFile(), "mail/broken.js": "module.exports = {" },
    { logger },
  );
  expect(lines).toEqual([
    "[InternalToolLoader] 发现 3 个工具文件",
    "[InternalToolLoader] 已加载工具: internal_mail_read",
    "[InternalToolLoader] 已加载工具: internal_mail_send",
    "[InternalToolLoader] 成功加载 2 个内部工具",
  ]);
});
