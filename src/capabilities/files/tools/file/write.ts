import { defined } from "../../../../shared/options/defined.ts";
import { countOf } from "../../../../shared/text/count-of.ts";
import { quoteControls } from "../../../../shared/text/quote-controls.ts";
import { declareTool } from "../../../../tool/define-tool.ts";
import { writtenFile } from "../file-outputs.ts";
import { encodingParam } from "../text-params.ts";

export default declareTool({
  name: "file_write",
  description:
    "Create a text file or replace its whole content; missing folders are created. Fails if the file changed since you read it. To change part of a file, edit it instead.",
  params: {
    path: { type: "string", format: "path", description: "Path of the file, relative to the workspace" },
    content: { type: "string", description: "The whole new content" },
    encoding: encodingParam,
  },
  prompt: `Use it for new files and complete rewrites; to change a part, edit the file. Give the whole content: what you leave out is gone.`,
  traits: { changesFilesOnly: true, needs: ["write"], deferrable: false },
  output: writtenFile,
  searchHint: "create save overwrite new file",
  permission: ({ path }) => ({ action: "write", target: path }),
  run: ({ path, content, encoding }, { files }) => files.writeText(path, content, defined({ encoding })),
  toText({ path, created, sizeBytes, wasUnread, diff }) {
    const lines = [
      `${created ? "Created" : "Wrote"} ${quoteControls(path)} (${countOf(sizeBytes, "byte")}).`,
    ];
    if (wasUnread)
      lines.push("It existed but had not been read in this session; its old content is kept for undo.");
    if (diff !== undefined) lines.push(diff);
    return lines.join("\n");
  },
});
