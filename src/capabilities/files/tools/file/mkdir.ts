import { quoteControls } from "../../../../shared/text/quote-controls.ts";
import { aText, objectOf } from "../../../../tool/builtin/schema-parts.ts";
import { declareTool } from "../../../../tool/define-tool.ts";

export default declareTool({
  name: "file_mkdir",
  description:
    "Create a folder. With recursive, missing parent folders are created too, and an existing folder is not an error.",
  params: {
    path: { type: "string", format: "path", description: "Path of the folder, relative to the workspace" },
    recursive: { type: "boolean", default: true, description: "Also create missing parent folders" },
  },
  traits: { changesFilesOnly: true, needs: ["write"] },
  output: objectOf({ path: aText }),
  searchHint: "create directory folder",
  permission: ({ path }) => ({ action: "write", target: path }),
  async run({ path, recursive }, { files }) {
    await files.makeDirectory(path, { recursive });
    return { path };
  },
  // The folder may have existed before.
  toText: ({ path }) => `The folder ${quoteControls(path)} exists.`,
});
