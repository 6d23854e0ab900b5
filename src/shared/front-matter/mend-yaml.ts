type YamlTest = (text: string) => boolean;

/**
 * Repairs almost-YAML as written for other tools: an unquoted text with a colon, as in `description: Use it: for PDFs`,
 * is quoted. An unreadable list or map is emptied, because that field may not be needed. Anything else stays invalid.
 */
export function mendYaml(lines: readonly string[], isYaml: YamlTest): readonly string[] {
  const printable = lines.map((line) => line.replace(unprintable, ""));
  return groupFields(printable).flatMap((field) =>
    isYaml(field.join("\n")) ? field : mendField(field, isYaml),
  );
}

const unprintable = /[^\t\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Each field with its continuation lines. */
function groupFields(lines: readonly string[]): string[][] {
  const fields: string[][] = [[]];
  for (const line of lines) {
    if (/^[^\s#\]}-]/.test(line)) fields.push([]);
    fields.at(-1)!.push(line);
  }
  return fields;
}

function mendField(field: readonly string[], isYaml: YamlTest): readonly string[] {
  const [first = "", ...below] = field;
  const [, key, value] = /^([\w.-]+:\s+)(\S.*)$/.exec(first) ?? [];
  if (key === undefined || value === undefined) return field;
  if (/^[[{]/.test(value)) {
    // A closing bracket is often not indented.
    const indented = [first, ...below.map((line) => `  ${line}`)];
    return isYaml(indented.join("\n")) ? indented : [`${key}{}`, ...below.map(() => "")];
  }
  if (/^["'|>&*!%@`#]/.test(value)) return field;
  const texts = [value, ...below].map(withoutComment);
  const mayBeOther = (text: string) => /^\S|^\s+[\w.-]+:(?:\s|$)/.test(text);
  return texts.slice(1).some(mayBeOther) ? field : quote(key, texts);
}

/** Keeps the number of lines. */
function quote(key: string, texts: readonly string[]): readonly string[] {
  const last = texts.findLastIndex((text) => text.trim() !== "");
  return texts.map((text, index) => {
    const escaped = text.trim().replace(/[\\"]/g, "\\$&");
    return `${index === 0 ? `${key}"` : "  "}${escaped}${index === last ? '"' : ""}`;
  });
}

function withoutComment(line: string): string {
  const at = line.search(/(?:^|\s)#/);
  return at === -1 ? line : line.slice(0, at);
}
