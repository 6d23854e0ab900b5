import { readEntries } from "./entries.ts";

/** `toolwright/types`: every type that the other entries mention, and that is at home in none of them. */
export async function writeTypesEntry(project: string): Promise<string> {
  const { entries, declarations } = await readEntries(project, (name) => name !== "toolwright/types");
  // What authors of tools import is at home in the entries for all.
  const homes = entries.filter(({ name }) => name !== "toolwright/tool");
  const atHome = new Set(homes.flatMap(({ exported }) => [...exported.values()]));
  const mentioned = await declarations.reach(entries.flatMap(({ exported }) => [...exported.values()]));
  const others = [...mentioned].filter((each) => each.isType && !atHome.has(each));
  const lines = [...Map.groupBy(others, ({ file }) => file)].map(([file, declared]) => {
    const names = declared.map(({ name }) => name).sort();
    return `export type { ${names.join(", ")} } from "./${file.replace(/\.d\.ts$/, ".ts")}";\n`;
  });
  return lines.sort().join("");
}
