import { expect, test } from "vitest";
import { z } from "zod";
import { translateIssue } from "../../../src/kernel/dialects/tool-form.ts";
import { defineTool } from "../../../src/tool/define-tool.ts";

const params = {
  path: { name: "file_path" },
  edits: { name: "changes" },
  limit: { default: 5 },
  secret: null,
};

test("a problem that a schema library finds is told at the dialect's place", async () => {
  const tool = defineTool({
    name: "note",
    description: "Take a note.",
    input: z.object({ path: z.string().refine((path) => path.endsWith(".md"), "only Markdown") }),
    run: () => "",
  });
  const validation = await tool.validateInput({ path: "a.txt" });
  expect(validation.ok).toBe(false);
  const [issue] = validation.ok ? [] : validation.issues;
  expect(translateIssue(issue!, params)).toMatchObject({
    path: "$.file_path",
    message: expect.stringMatching(/^\$\.file_path: only Markdown/),
  });
});

test("the place inside a renamed parameter is kept", () => {
  expect(translateIssue(issueAt("$.edits[0].path"), params)).toEqual(issueAt("$.changes[0].path"));
});

test("a field of a list's entries is told by the dialect's name", () => {
  const nested = { edits: { items: { old_string: { name: "find" } } } };
  expect(translateIssue(issueAt("$.edits[12].old_string"), nested)).toEqual(issueAt("$.edits[12].find"));
});

test.each(["$", "$.paths", "$.limit", "$.secret", "$.nested.path"])("%s is not renamed", (path) => {
  expect(translateIssue(issueAt(path), params)).toEqual(issueAt(path));
});

function issueAt(path: string) {
  return { path, expected: "text", received: "1", message: `${path} must be text; received 1` };
}
