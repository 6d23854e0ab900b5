import { declareTool } from "../../tool/define-tool.ts";

export default declareTool({
  name: "file_mkdir",
  description:
    "Make a folder. With recursive, missing folders above it are made too and one that exists is fine.",
  params: {
    path: { type: "string", format: "path", description: "Path of the folder, relative to the workspace" },
    recursive: { type: "boolean", default: true, description: "Also make missing parents" },
  },
  traits: { changesFilesOnly: true },
  searchHint: "create directory folder",
  permission: ({ path }) => ({ action: "write", target: path }),
  async run({ path, recursive }, { files }) {
    await files.makeDirectory(path, { recursive });
    return { path };
  },
  // It may have been there before.
  toText: ({ path }) => `The folder ${path} is there.`,
});
