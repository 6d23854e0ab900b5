/** One setting of a git configuration: `section.subsection.key`, section and key in lower case. */
export interface GitSetting {
  readonly section: string;
  readonly subsection: string;
  readonly key: string;
}

/** Reads a git configuration the way git does, keys only; undefined where a line cannot be understood. */
export function readGitConfig(text: string): readonly GitSetting[] | undefined {
  const settings: GitSetting[] = [];
  let section = "";
  let subsection = "";
  for (const line of logicalLines(text)) {
    let rest = line.trim();
    const header = /^\[\s*([A-Za-z0-9.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]/.exec(rest);
    if (header !== null) {
      const [whole, name = "", quoted] = header;
      const dot = name.indexOf(".");
      section = (dot === -1 ? name : name.slice(0, dot)).toLowerCase();
      subsection = quoted ?? (dot === -1 ? "" : name.slice(dot + 1));
      rest = rest.slice(whole.length).trim();
    }
    if (rest === "" || rest.startsWith("#") || rest.startsWith(";")) continue;
    const key = /^[A-Za-z][A-Za-z0-9-]*(?=\s*(?:=|$|[#;]))/.exec(rest)?.[0];
    if (key === undefined || section === "") return undefined;
    settings.push({ section, subsection, key: key.toLowerCase() });
  }
  return settings;
}

/** Lines, with those that end in a backslash joined to the next. */
function logicalLines(text: string): string[] {
  const lines: string[] = [];
  let open = "";
  for (const line of text.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    // A comment does not go on in the next line, whatever it ends in.
    const isComment = open === "" && /^\s*[#;]/.test(line);
    const backslashes = line.length - line.replace(/\\+$/, "").length;
    if (!isComment && backslashes % 2 === 1) {
      open += line.slice(0, -1);
      continue;
    }
    lines.push(open + line);
    open = "";
  }
  if (open !== "") lines.push(open);
  return lines;
}
