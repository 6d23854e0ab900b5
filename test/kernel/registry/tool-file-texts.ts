/** Texts of tool files in the ways people write them; each tool answers with `answer`. */

const contract = new URL("../../../src/tool/index.ts", import.meta.url).href;

export function definedToolText(name: string, answer = ""): string {
  return `import { defineTool } from ${JSON.stringify(contract)};
export default defineTool({
  name: ${JSON.stringify(name)},
  description: "Answers" as string,
  params: {},
  run: (): string => ${JSON.stringify(answer)},
});
`;
}

export function classicToolText(fields = "", answer = ""): string {
  return `{
  ${fields}
  description: "Answers",
  inputSchema: { type: "object", properties: {} },
  handler: async () => ({ content: [{ type: "text", text: ${JSON.stringify(answer)} }] }),
}`;
}
