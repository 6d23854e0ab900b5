import type { Entry } from "./entries.ts";
import type { Declaration } from "./parse-module.ts";

/** Where the reports are kept. */
export const reportFolder = "docs/api";

/**
 * What an entry offers, for people: each name with its declaration, in the order of the alphabet. What is at home in an
 * entry before it is only named.
 */
export function writeReport({ name, exported }: Entry, before: readonly Entry[]): string {
  const homes = [...exported].map(([exportedName, declaration]) => ({
    exportedName,
    declaration,
    home: before.find((entry) => [...entry.exported.values()].includes(declaration)),
  }));
  homes.sort((one, other) => (one.exportedName < other.exportedName ? -1 : 1));
  const own = homes.filter(({ home }) => home === undefined);
  const shared = Map.groupBy(
    homes.filter(({ home }) => home !== undefined),
    ({ home }) => home!.name,
  );
  return [
    `# ${name}\n\n${exported.size} names. Written by \`npm run api\` from the emitted declarations.\n`,
    ...[...shared].map(
      ([home, names]) =>
        `From [${home}](${fileName(home)}):\n\n${names.map(({ exportedName }) => `- ${exportedName}\n`).join("")}`,
    ),
    ...own.map(
      ({ exportedName, declaration }) => `## ${exportedName}\n\n\`\`\`ts\n${textOf(declaration)}\n\`\`\`\n`,
    ),
  ].join("\n");
}

export function fileName(entry: string): string {
  return `${entry.replaceAll("/", "-")}.md`;
}

function textOf({ texts }: Declaration): string {
  return texts
    .map((text) =>
      text
        .replace(/^(?:export )?(?:declare )?(?=\w)/m, "")
        .replaceAll(/import\("\.[^"]*"\)\./g, "")
        .replaceAll(/^ +/gm, (indentation) => indentation.replaceAll("    ", "  "))
        .replaceAll(/ +$/gm, ""),
    )
    .join("\n");
}
