import { defineTool } from "../../tool/define-tool.ts";
import { describeEdit } from "../describe-edit.ts";

export default defineTool({
  name: "file_edit",
  description:
    "Replace a piece of text in a file. The old text must stand there exactly once, so give enough lines around it, or replace all. You get a diff and the file's new hash, so there is no need to read it again.",
  params: {
    path: { type: "string", format: "path", description: "Path of the file, relative to the workspace" },
    old_string: {
      type: "string",
      description: "The text to replace, as it stands in the file, without line numbers",
    },
    new_string: { type: "string", description: "The text to put in its place" },
    replace_all: { type: "boolean", default: false, description: "Replace every occurrence" },
  },
  traits: { changesFilesOnly: true },
  searchHint: "change modify replace text file",
  permission: ({ path }) => [
    { action: "read", target: path },
    { action: "write", target: path },
  ],
  async run({ path, old_string: oldText, new_string: newText, replace_all: replaceAll }, { files }) {
    const [edited] = await files.editTexts([{ path, edits: [{ oldText, newText, replaceAll }] }]);
    return edited!;
  },
  toText: describeEdit,
});
