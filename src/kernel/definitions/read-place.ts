import { DocumentError } from "../../shared/front-matter/document-error.ts";
import { cleanLine } from "../../shared/text/one-line.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { Floor } from "../policy/index.ts";
import { isPlainName, plainNameRule } from "./definition-fields.ts";
import type {
  Definition,
  DefinitionKind,
  DefinitionPlace,
  DefinitionProblem,
  DefinitionSources,
  OpenReading,
} from "./definition-kind.ts";

/** The definition at a place, or why it cannot be used. */
export type DefinitionReading<Item> =
  | { readonly status: "read"; readonly item: Item }
  | ({ readonly status: "unusable" } & DefinitionProblem);

/** Reads only files that are inside the workspace and need no approval. */
export async function readPlace<Item extends Definition>(
  place: DefinitionPlace,
  { workspace, openReading, kind }: DefinitionSources & { kind: DefinitionKind<Item> },
): Promise<DefinitionReading<Item>> {
  const { name, path, file } = place;
  if (!isPlainName(name)) return unusable(path, `its name ${plainNameRule}`);
  try {
    const floor = workspace.floorOf(await workspace.resolve(file), "read");
    if (floor !== undefined) return unusable(file, `${floor.reason}; ${adviceOn(floor)}`);
    const { text } = await openReading(workspace).readText(file, { maxBytes: kind.maxBytes });
    return { status: "read", item: await kind.read(text, place) };
  } catch (error) {
    if (error instanceof DocumentError) return unusable(`${file}:${error.line}`, error.message);
    if (!(error instanceof ToolError)) throw error;
    return unusable(file, error.code === "too-large" ? `${error.message}; make it shorter` : error.message);
  }
}

/** Stands for reading where no capability reads files. */
export const cannotRead: OpenReading = () => {
  throw new ToolError("unavailable", "this runtime does not support reading files");
};

export function unusable(path: string, message: string): DefinitionReading<never> {
  return {
    status: "unusable",
    path: cleanLine(path, maxCharacters),
    message: cleanLine(message, maxCharacters),
  };
}

const maxCharacters = 500;

function adviceOn({ isBoundary = false }: Floor): string {
  return isBoundary ? "replace it with a file inside the workspace" : "rename it";
}
