import { fileURLToPath } from "node:url";
import { type Member, readInterfaces } from "./read-interfaces.ts";

/** The page about what a tool gets: made from the declarations of `toolwright/tool`. */
export async function contextPage(): Promise<string> {
  const { membersOf, aboutOf } = await readInterfaces(
    fileURLToPath(new URL("../../src/tool", import.meta.url)),
  );
  const services = membersOf("ToolServices");
  const isService = new Set(services.map(({ name }) => name));
  const own = membersOf("ToolContext").filter(({ name }) => !isService.has(name));
  const sections = services.map(({ name, type }) =>
    [`### ${name}`, "", ...paragraph(aboutOf(type)), ...tableOf(membersOf(type), `${name}.`)].join("\n"),
  );
  return `# What does a tool get?

<!-- Made by node scripts/options.ts from src/tool; change it there. -->

The second argument of a tool's \`run\`. Everything here is checked: a tool cannot do through it what its call was not
allowed to do. The types are declared in [docs/api](api).

${tableOf(own).join("\n")}

## Services

${sections.join("\n\n")}
`;
}

function paragraph(text: string): string[] {
  return text === "" ? [] : [text, ""];
}

function tableOf(members: readonly Member[], prefix = ""): string[] {
  const rows = members.map(({ name, isOptional, isMethod, type, about }) => {
    const written = isMethod
      ? `${prefix}${name}${type}`
      : `${prefix}${name}${isOptional ? "?" : ""}: ${type}`;
    return `| \`${written.replaceAll("|", "\\|")}\` | ${about.replaceAll("|", "\\|")} |`;
  });
  return ["| | |", "|---|---|", ...rows];
}
