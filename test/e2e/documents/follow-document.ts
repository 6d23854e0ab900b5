import { join } from "node:path";
import { expect } from "vitest";
import { readConfigFile } from "../../../src/faces/cli/config/config-file.ts";
import { parseCommandLine } from "../../../src/faces/cli/run-command-line.ts";
import { verbs } from "../../../src/faces/cli/verbs.ts";
import type { DocumentReader } from "./document-reader.ts";
import type { MarkdownBlock } from "./markdown-blocks.ts";

/** Does what a document says, in order and in one workspace: later blocks see what earlier ones did. */
export async function followDocument(
  { name, blocks }: { readonly name: string; readonly blocks: readonly MarkdownBlock[] },
  reader: DocumentReader,
): Promise<void> {
  let printed: string | undefined;
  for (const block of blocks) {
    const where = `${name}:${block.line}`;
    if (block.reason !== undefined) checkCommands(block, where);
    else if (block.language === "text") {
      expect(reader.comparable(printed ?? "nothing ran before"), where).toBe(reader.comparable(block.text));
      printed = undefined;
    } else printed = await followBlock(block, reader, where);
  }
}

/** Does what the block says and gives what that printed. */
async function followBlock(
  { language, file, text }: MarkdownBlock,
  reader: DocumentReader,
  where: string,
): Promise<string | undefined> {
  if (file !== undefined) {
    await reader.write(file, text);
    if (file === "toolwright.json") await readConfigFile(join(reader.project, file));
    return undefined;
  }
  switch (language) {
    case "ts":
      await reader.write("example.ts", text);
      return reader.run("node", ["example.ts"], where);
    case "sh":
      return reader.run("bash", ["-euc", text], where);
    default:
      throw new Error(
        `${where}: nobody knows how to try ${language || "a block without a language"}; if it cannot be tried, say why: "not run: …"`,
      );
  }
}

/** Of what cannot be run, the commands have to be known at least. */
function checkCommands({ language, text }: MarkdownBlock, where: string): void {
  if (language !== "sh") return;
  for (const [, line = ""] of text.matchAll(/^toolwright (.*?)(?: +#.*)?$/gm)) {
    const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
    // Flags alone open an interactive session.
    const { verb = "talk" } = parseCommandLine(words);
    expect(verbs.has(verb), `${where}: toolwright ${verb} is not known`).toBe(true);
  }
}
