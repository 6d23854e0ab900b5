import { quoteControls } from "../../../../shared/text/quote-controls.ts";
import { aText, objectOf } from "../../../../tool/builtin/schema-parts.ts";
import { declareTool } from "../../../../tool/define-tool.ts";

export default declareTool({
  name: "file_move",
  description:
    "Move or rename a file or folder. The destination is the full new path, not a folder to move into. Fails if it already exists, unless overwrite is set.",
  params: {
    source: { type: "string", format: "path", description: "Path to move, relative to the workspace" },
    destination: { type: "string", format: "path", description: "The new path, relative to the workspace" },
    overwrite: { type: "boolean", default: false, description: "Replace whatever is at the destination" },
  },
  traits: { changesFilesOnly: true, needs: ["write"] },
  output: objectOf({ source: aText, destination: aText }),
  searchHint: "rename mv relocate",
  permission: ({ source, destination, overwrite }) => [
    { action: "read", target: source, isLinkItself: true, treesOf: [source] },
    { action: "write", target: source, isLinkItself: true, treesOf: [source] },
    {
      action: "write",
      target: destination,
      isLinkItself: true,
      treesOf: overwrite ? [source, destination] : [source],
    },
  ],
  async run({ source, destination, overwrite }, { files }) {
    await files.move(source, destination, { overwrite });
    return { source, destination };
  },
  toText: ({ source, destination }) => `Moved ${quoteControls(source)} to ${quoteControls(destination)}.`,
});
