import { declareTool } from "../../../../tool/define-tool.ts";
import type { EditedFile } from "../../../../tool/services/files.ts";
import { describeEdit, throwWithCellTool } from "../describe-edit.ts";
import { editResults } from "../file-outputs.ts";
import { readAndWrite } from "../text-params.ts";

export default declareTool({
  name: "file_multi_edit",
  description:
    "Make several edits in one or more files, all or none. Edits to the same file are applied in order, each to the result of the one before.",
  params: {
    edits: {
      type: "array",
      minItems: 1,
      maxItems: 500,
      description: "The edits",
      items: {
        type: "object",
        properties: {
          path: {
            type: "string",
            format: "path",
            description: "Path of the file, relative to the workspace",
          },
          old_string: { type: "string", description: "The exact text to replace" },
          new_string: { type: "string", description: "The text to replace it with" },
          replace_all: { type: "boolean", default: false, description: "Replace every occurrence" },
        },
      },
    },
  },
  prompt: `Use it for changes that belong together: if one edit fails, none is made. An edit sees the result of the edits before it in the same file.`,
  traits: { changesFilesOnly: true, needs: ["write"] },
  output: editResults,
  searchHint: "batch change replace several files",
  permission: ({ edits }) => [...new Set(edits.map(({ path }) => path))].flatMap(readAndWrite),
  async run({ edits }, { files, wording }) {
    try {
      const groups = [...Map.groupBy(edits, ({ path }) => path)];
      const edited = await files.editTexts(
        groups.map(([path, group]) => ({ path, edits: group.map(toEdit) })),
      );
      return { results: edited.map((file) => ({ ...file, status: "ok" as const })) };
    } catch (error) {
      throwWithCellTool(error, wording);
    }
  },
  toText: ({ results }) => results.map((file: EditedFile) => describeEdit(file)).join("\n\n"),
});

interface OneEdit {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all: boolean;
}

function toEdit({ old_string: oldText, new_string: newText, replace_all: replaceAll }: OneEdit) {
  return { oldText, newText, replaceAll };
}
