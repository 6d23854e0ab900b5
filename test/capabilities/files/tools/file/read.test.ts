import { expect, test } from "vitest";
import fileRead from "../../../../../src/capabilities/files/tools/file/read.ts";
import { temporaryWorkspace } from "../../temporary-workspace.ts";
import { runTool } from "./run-tool.ts";

test("file_read shows numbered lines and gives the plain content as data", async () => {
  const { files } = await temporaryWorkspace({ "a.txt": "one\r\n\ttwo\n" });
  const { text, data } = await runTool(fileRead, { path: "a.txt" }, { files });
  expect(text).toBe("     1\tone\n     2\t\ttwo");
  expect(data).toEqual({
    kind: "text",
    path: "a.txt",
    offset: 1,
    limit: 2000,
    lines: 2,
    totalLines: 2,
    truncated: false,
    content: "one\n\ttwo",
  });
});

test("file_read shows 2,000 lines unless told otherwise, and how to go on", async () => {
  const content = Array.from({ length: 2500 }, (_, index) => `line ${index + 1}`).join("\n");
  const { files } = await temporaryWorkspace({ "a.txt": content });
  const first = await runTool(fileRead, { path: "a.txt" }, { files });
  expect(first.text.split("\n").slice(-2)).toEqual([
    "  2000\tline 2000",
    "(Showing lines 1-2000 of 2500. Continue with offset=2001.)",
  ]);
  expect(first.data).toMatchObject({ lines: 2000, totalLines: 2500, truncated: true });

  const second = await runTool(fileRead, { path: "a.txt", offset: 2001 }, { files });
  expect(second.text.split("\n").at(-1)).toBe("  2500\tline 2500");
  expect(second.data).toMatchObject({ offset: 2001, lines: 500, truncated: false });
});

test("file_read says nothing of a total that it does not know", async () => {
  const { files } = await temporaryWorkspace({ "a.txt": "some words in a line\n".repeat(300_000) });
  const { text, data } = await runTool(fileRead, { path: "a.txt", offset: 5, limit: 2 }, { files });
  expect(text.split("\n").at(-1)).toBe("(Showing lines 5-6. Continue with offset=7.)");
  expect(data).not.toHaveProperty("totalLines");
});

test("file_read names the argument as the caller's dialect does", async () => {
  const { files } = await temporaryWorkspace({ "a.txt": "1\n2\n3" });
  const wording = {
    argument: (name: string, value: number | string | boolean) => `from_${name}: ${Number(value) - 1}`,
    tool: (name: string) => name,
    hasTool: () => true,
  };
  const { text } = await runTool(fileRead, { path: "a.txt", limit: 2 }, { files, wording });
  expect(text).toContain("Continue with from_offset: 2.");
});

test("file_read says that an empty file is empty", async () => {
  const { files } = await temporaryWorkspace({ "a.txt": "" });
  const { text, data } = await runTool(fileRead, { path: "a.txt" }, { files });
  expect(text).toBe("File exists but is empty");
  expect(data).toMatchObject({ content: "", lines: 0, totalLines: 0, truncated: false });
});

test("file_read says how many lines there are when the offset is past the end", async () => {
  const { files } = await temporaryWorkspace({ "a.txt": "1\n2\n3" });
  const { text } = await runTool(fileRead, { path: "a.txt", offset: 10 }, { files });
  expect(text).toBe("(a.txt has 3 lines, so there is nothing at offset=10.)");
});

test("file_read shows a single empty line as a line", async () => {
  const { files } = await temporaryWorkspace({ "a.txt": "\n" });
  expect((await runTool(fileRead, { path: "a.txt" }, { files })).text).toBe("     1\t");
});

test("file_read says how much of a long line was cut", async () => {
  const { files } = await temporaryWorkspace({ "a.txt": `${"x".repeat(2010)}\nshort` });
  const { text, data } = await runTool(fileRead, { path: "a.txt" }, { files });
  expect(text).toBe(
    `     1\t${"x".repeat(2000)}… (10 more characters in this line: offset=1, column=2001)\n     2\tshort`,
  );
  expect(data).toMatchObject({ truncated: true, cutLines: [{ line: 1, cutCharacters: 10 }] });
});

test("file_read answers for a PDF with its type and size", async () => {
  const { files } = await temporaryWorkspace({ "a.pdf": "%PDF-1.7\n\0" });
  const { text, data } = await runTool(fileRead, { path: "a.pdf" }, { files });
  expect(text).toContain("PDF document (application/pdf, 10 bytes)");
  expect(data).toEqual({ kind: "document", path: "a.pdf", mediaType: "application/pdf", sizeBytes: 10 });
});

test("file_read fails on other binary files, on missing files, and on directories, where it names the tool that lists them", async () => {
  const { files } = await temporaryWorkspace({ "a.bin": "a\0b", "sub/a.txt": "" });
  await expect(runTool(fileRead, { path: "a.bin" }, { files })).rejects.toMatchObject({
    code: "binary-file",
  });
  await expect(runTool(fileRead, { path: "sub" }, { files })).rejects.toMatchObject({
    code: "is-directory",
    hint: expect.stringMatching(/file_list.*ls/),
  });
  await expect(runTool(fileRead, { path: "missing" }, { files })).rejects.toMatchObject({
    code: "not-found",
  });
});

test("file_read refuses an offset or limit below 1", async () => {
  const { files } = await temporaryWorkspace({ "a.txt": "a" });
  await expect(runTool(fileRead, { path: "a.txt", offset: 0 }, { files })).rejects.toThrow("offset");
  await expect(runTool(fileRead, { path: "a.txt", limit: 0 }, { files })).rejects.toThrow("limit");
});

test("file_read asks to read its path, and changes nothing", () => {
  expect(fileRead.permission?.({ path: "a.txt", offset: 1, limit: 1, column: 1, raw: false })).toEqual({
    action: "read",
    target: "a.txt",
  });
  expect(fileRead.traits).toMatchObject({ readOnly: true, concurrencySafe: true, idempotent: true });
});
