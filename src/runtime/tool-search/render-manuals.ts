/**
 * The manuals of tools that have one, each once, for the system prompt. They stand in the order given: as long as tools
 * are only added at the end, so is the text, and what a provider has cached of it stays good.
 */
export function renderManuals(tools: Iterable<{ readonly name: string; readonly prompt?: string }>): string {
  const manuals = new Map<string, string>();
  for (const { name, prompt = "" } of tools) {
    const text = prompt.trim();
    if (text !== "" && !manuals.has(name)) manuals.set(name, text);
  }
  return [...manuals].map(([name, text]) => `## ${name}\n\n${text}`).join("\n\n");
}
