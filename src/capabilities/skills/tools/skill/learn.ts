import { quoteControls } from "../../../../shared/text/quote-controls.ts";
import { aText, objectOf, texts } from "../../../../tool/builtin/schema-parts.ts";
import { declareTool } from "../../../../tool/define-tool.ts";

export default declareTool({
  name: "skill_learn",
  description:
    "Write down how a particular kind of work is done in this project, as a skill that later sessions can load: a SKILL.md, and files that it refers to.",
  params: {
    name: {
      type: "string",
      pattern: "^[a-z0-9][a-z0-9-]*$",
      maxLength: 64,
      description: "In lower case with dashes, such as release-notes",
    },
    description: {
      type: "string",
      minLength: 1,
      maxLength: 500,
      pattern: "^[^\\n\\r]+$",
      description: "One line: its purpose, and when to load it",
    },
    content: {
      type: "string",
      minLength: 1,
      maxLength: 50_000,
      description: "The instructions, in Markdown",
    },
    references: {
      type: "array",
      default: [],
      maxItems: 20,
      description: "Files that the instructions refer to as references/<name>",
      items: {
        type: "object",
        properties: {
          name: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$", maxLength: 100 },
          content: { type: "string", maxLength: 50_000 },
        },
      },
    },
  },
  prompt:
    "Use it when the user has explained, or you have found out, how something is to be done here and it will be needed again. Write what you would have wanted to know at the start. Put in no secrets, and nothing that only this task needs.",
  traits: { changesFilesOnly: true, needs: ["write"] },
  output: objectOf({ name: aText, files: texts }),
  searchHint: "remember procedure instructions how-to teach write skill",
  permission: ({ name, references }) =>
    filesOf(name, references).map((target) => ({ action: "write", target }) as const),
  async run({ name, description, content, references }, { files }) {
    const matter = `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n`;
    await files.writeText(skillPath(name), `${matter}${content.trimEnd()}\n`);
    for (const each of references) await files.writeText(referencePath(name, each.name), each.content);
    return { name, files: filesOf(name, references) };
  },
  toText: ({ name, files }) => `Learned the skill ${name}: ${files.map(quoteControls).join(", ")}`,
});

function filesOf(name: string, references: readonly { readonly name: string }[]): readonly string[] {
  return [skillPath(name), ...references.map((each) => referencePath(name, each.name))];
}

function skillPath(name: string): string {
  return `.skills/${name}/SKILL.md`;
}

function referencePath(skill: string, name: string): string {
  return `.skills/${skill}/references/${name}`;
}
