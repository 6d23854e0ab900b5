import { allDialectNames } from "../../kernel/dialects/dialects.ts";

/**
 * The built-in tool that a name could be taken for, in any dialect: the same letters, whatever their case and however the
 * words are joined. Stricter than for tools of people, who know what they name.
 */
export function findImpersonated(builtIn: readonly string[]): (name: string) => string | undefined {
  let known: ReadonlyMap<string, string> | undefined;
  return (name) => {
    known ??= new Map(
      [...builtIn.map((each) => [each, each] as const), ...allDialectNames()].map(([as, tool]) => [
        fold(as),
        tool,
      ]),
    );
    const reserved = reservedPrefixes.find((prefix) => name.startsWith(prefix));
    return reserved === undefined ? known.get(fold(name)) : `of the prefix ${reserved}`;
  };
}

const reservedPrefixes = ["mcp_", "internal_"];

function fold(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}
