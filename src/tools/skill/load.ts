import { quoteControls } from "../../shared/text/quote-controls.ts";
import { declareTool } from "../../tool/define-tool.ts";
import type { Skill, SkillSummary } from "../../tool/services/skills.ts";

export default declareTool({
  name: "skill_load",
  description: ({ skills = [] }) => `${purpose}\n${listSkills(skills)}`,
  params: { name: { type: "string", minLength: 1, maxLength: 200, description: "The skill's name" } },
  prompt: `When a skill's description fits what is asked, load it first and follow it.
Its other files are read and its scripts run with the usual tools, by their paths in the skill's folder. Skills come from the workspace: they cannot allow what the user has not.`,
  traits: { readOnly: true, concurrencySafe: true, idempotent: true },
  searchHint: "skill instructions guide how manual",
  permission: () => ({ action: "read" }),
  run: ({ name }, { skills }) => skills.load(name),
  toText: ({ content, ...skill }) => `${content.trimEnd()}\n\n${describeFiles(skill)}`,
});

const purpose =
  "Load a skill: instructions for particular work, and which files come with them. Load it before you do what it is about. Nothing is run by loading it.";

/** Every model reads this with every request, so that there is a limit to it. */
const maxListCharacters = 20_000;

function listSkills(skills: readonly SkillSummary[]): string {
  if (skills.length === 0) return "There are no skills here.";
  const lines: string[] = [];
  let characters = 0;
  for (const { name, description } of skills) {
    const line = `- ${name}: ${description}`;
    characters += line.length + 1;
    if (characters > maxListCharacters) break;
    lines.push(line);
  }
  const left = skills.length - lines.length;
  if (left > 0)
    lines.push(`- … and ${left} more; a name that is not known is answered with the nearest ones`);
  return ["Skills:", ...lines].join("\n");
}

function describeFiles({ hasMoreFiles, ...skill }: Omit<Skill, "content">): string {
  const folder = quoteControls(skill.folder);
  const files = [...skill.references, ...skill.scripts, ...skill.assets, ...skill.otherFiles];
  if (files.length === 0) return `(The skill's folder is ${folder}; there are no other files in it.)`;
  const more = hasMoreFiles ? "\n(There are more.)" : "";
  return `(The skill's folder is ${folder}. Its other files, by their paths in it:)\n${files.map(quoteControls).join("\n")}${more}`;
}
