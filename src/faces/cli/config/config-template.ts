import { declaredOptions } from "../../../capabilities.ts";

/** A configuration that changes nothing yet and shows everything that it could. */
export function configTemplate(schemaFile: string): string {
  const parts = [...declaredOptions.all].flatMap(([name, { file }]) => {
    const shown = file?.initial ?? file?.example;
    if (file === undefined || shown === undefined) return [];
    const mark = file.initial === undefined ? "// " : "";
    const lines = `${JSON.stringify(name)}: ${writeValue(shown)},`.split("\n");
    return `  // ${file.schema.description}.\n${lines.map((line) => `  ${mark}${line}`).join("\n")}\n`;
  });
  return `// Options of Toolwright for this project. Paths are relative to this file.
// After a change, \`toolwright trust\` shows what the file sets and lets it count.
{
  "$schema": ${JSON.stringify(schemaFile)},

${parts.join("\n")}}
`;
}

/** On one line if there is room for it. */
function writeValue(value: unknown): string {
  const short = JSON.stringify(value, null, 1).replace(/\n\s*/g, " ");
  return short.length <= 80 ? short : JSON.stringify(value, null, 2).replaceAll("\n", "\n  ");
}
