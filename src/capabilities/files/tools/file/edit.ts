import { defined } from "../../../../shared/options/defined.ts";
import { declareTool } from "../../../../tool/define-tool.ts";
import { describeEdit, throwWithCellTool } from "../describe-edit.ts";
import { editedFile } from "../file-outputs.ts";
import { encodingParam, readAndWrite } from "../text-params.ts";

export default declareTool({
  name: "file_edit",
  description:
    "Replace text in a file. The old text must occur exactly once: include enough surrounding lines to make it unique, or set replace_all. Returns a diff and the file's new hash, so there is no need to read the file again.",
  params: {
    path: { type: "string", format: "path", description: "Path of the file, relative to the workspace" },
    old_string: {
      type: "string",
      description: "The exact text to replace, without line numbers",
    },
    new_string: { type: "string", description: "The text to replace it with" },
    replace_all: { type: "boolean", default: false, description: "Replace every occurrence" },
    encoding: encodingParam,
  },
  prompt: `Copy the old text from the file exactly, with its indentation, and with enough lines around the change that it occurs only once.
An edit that is refused changed nothing: compare with the lines in the answer instead of trying variations.`,
  traits: { changesFilesOnly: true, needs: ["write"], deferrable: false },
  output: editedFile,
  searchHint: "change modify replace text file",
  permission: ({ path }) => readAndWrite(path),
  async run({ path, encoding, ...edit }, { files, wording }) {
    const { old_string: oldText, new_string: newText, replace_all: replaceAll } = edit;
    const group = { path, edits: [{ oldText, newText, replaceAll }], ...defined({ encoding }) };
    try {
      const [edited] = await files.editTexts([group]);
      return edited!;
    } catch (error) {
      throwWithCellTool(error, wording);
    }
  },
  toText: describeEdit,
});
