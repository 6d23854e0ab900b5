/** The name of a git setting: `section.subsection.key`, with section and key in lower case. */
export interface GitSetting {
  readonly section: string;
  readonly subsection: string;
  readonly key: string;
  /** As written after the equals sign, quotes and all. */
  readonly value: string;
}

/** Parses the keys of a git configuration the way git does; undefined if git or we cannot parse it. */
export function readGitConfig(text: string): readonly GitSetting[] | undefined {
  const source = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const settings: GitSetting[] = [];
  let at = 0;
  let section: Omit<GitSetting, "key" | "value"> | undefined;
  while (at < source.length) {
    const character = source[at]!;
    if (/[ \t\n]/.test(character)) at += 1;
    else if (character === "#" || character === ";") at = endOfLine(source, at);
    else if (character === "[") {
      const header = readHeader(source, at);
      if (header === undefined) return undefined;
      ({ section, end: at } = header);
    } else {
      const key = readKey(source, at);
      const end = endOfValue(source, at + (key?.length ?? 0));
      if (key === undefined || end === undefined || section === undefined) return undefined;
      const value = source
        .slice(at + key.length, end)
        .replace(/^[ \t]*=/, "")
        .trim();
      settings.push({ ...section, key: key.toLowerCase(), value });
      at = end;
    }
  }
  return settings;
}

function endOfLine(source: string, at: number): number {
  const end = source.indexOf("\n", at);
  return end === -1 ? source.length : end;
}

/** `[section]`, `[section "sub"]`, and the old `[section.sub]`. */
function readHeader(
  source: string,
  at: number,
): { section: Omit<GitSetting, "key" | "value">; end: number } | undefined {
  const line = source.slice(at, endOfLine(source, at));
  const match = /^\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\]|\\.)*)")?\]/.exec(line);
  if (match === null) return undefined;
  const [whole, name = "", quoted] = match;
  const dot = name.indexOf(".");
  const section = (dot === -1 ? name : name.slice(0, dot)).toLowerCase();
  const subsection = quoted ?? (dot === -1 ? "" : name.slice(dot + 1));
  return { section: { section, subsection }, end: at + whole.length };
}

function readKey(source: string, at: number): string | undefined {
  return /^[A-Za-z][A-Za-z0-9-]*/.exec(source.slice(at, at + 200))?.[0];
}

/** The position after the value. A backslash continues it on the next line, except in a comment. */
function endOfValue(source: string, start: number): number | undefined {
  let at = start;
  while (source[at] === " " || source[at] === "\t") at += 1;
  if (at >= source.length || source[at] === "\n") return at;
  if (source[at] !== "=") return undefined;
  let isQuoted = false;
  for (at += 1; at < source.length; at += 1) {
    const character = source[at]!;
    if (character === "\n") return isQuoted ? undefined : at;
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === "#" || character === ";")) return endOfLine(source, at);
    else if (character === "\\") {
      at += 1;
      if (!/[ntb"\\\n]/.test(source[at] ?? "")) return undefined;
    }
  }
  return isQuoted ? undefined : at;
}
