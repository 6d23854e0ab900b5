import { quoteControls } from "../../../../shared/text/quote-controls.ts";
import { aText, objectOf } from "../../../../tool/builtin/schema-parts.ts";
import { declareTool } from "../../../../tool/define-tool.ts";

export default declareTool({
  name: "file_delete",
  description:
    "Delete a file, a link or a folder. A folder that is not empty needs recursive. Deleted content is kept for undo.",
  params: {
    path: { type: "string", format: "path", description: "Path to delete, relative to the workspace" },
    recursive: { type: "boolean", default: false, description: "Also delete everything in the folder" },
  },
  traits: { changesFilesOnly: true, needs: ["write"], destructive: true },
  output: objectOf({ path: aText }),
  searchHint: "remove rm unlink",
  permission: ({ path, recursive }) => ({
    action: "write",
    target: path,
    isLinkItself: true,
    ...(recursive && { treesOf: [path] }),
  }),
  async run({ path, recursive }, { files }) {
    await files.remove(path, { recursive });
    return { path };
  },
  toText: ({ path }) => `Deleted ${quoteControls(path)}.`,
});
