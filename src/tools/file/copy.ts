import { declareTool } from "../../tool/define-tool.ts";

export default declareTool({
  name: "file_copy",
  description:
    "Copy a file, or a folder with all that is in it. The destination is the new path itself. What is there already is refused unless overwrite is set.",
  params: {
    source: { type: "string", format: "path", description: "What to copy, relative to the workspace" },
    destination: { type: "string", format: "path", description: "Its new path, relative to the workspace" },
    overwrite: { type: "boolean", default: false, description: "Replace what is at the destination" },
  },
  traits: { changesFilesOnly: true },
  searchHint: "duplicate cp",
  permission: ({ source, destination, overwrite }) => [
    { action: "read", target: source, isLinkItself: true, treesOf: [source] },
    {
      action: "write",
      target: destination,
      isLinkItself: true,
      treesOf: overwrite ? [source, destination] : [source],
    },
  ],
  async run({ source, destination, overwrite }, { files }) {
    await files.copy(source, destination, { overwrite });
    return { source, destination };
  },
  toText: ({ source, destination }) => `Copied ${source} to ${destination}.`,
});
