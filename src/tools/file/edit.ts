import { declareTool } from "../../tool/define-tool.ts";
import { describeEdit } from "../describe-edit.ts";

export default declareTool({
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
    encoding: {
      type: "string",
      required: false,
      description: "Encoding of a file that is neither UTF-8 nor marked otherwise, such as windows-1252",
    },
  },
  traits: { changesFilesOnly: true, deferrable: false },
  searchHint: "change modify replace text file",
  permission: ({ path }) => [
    { action: "read", target: path },
    { action: "write", target: path },
  ],
  async run({ path, encoding, ...edit }, { files }) {
    const { old_string: oldText, new_string: newText, replace_all: replaceAll } = edit;
    const group = {
      path,
      edits: [{ oldText, newText, replaceAll }],
      ...(encoding !== undefined && { encoding }),
    };
    const [edited] = await files.editTexts([group]);
    return edited!;
  },
  toText: describeEdit,
});
