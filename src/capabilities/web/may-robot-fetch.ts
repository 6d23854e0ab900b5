/** Whether a site's robots.txt (RFC 9309) lets a program of this name fetch a path. */
export function mayRobotFetch(robots: string, path: string, name: string): boolean {
  const groups = readGroups(robots);
  const own = groups.filter(({ agents }) => agents.includes(name));
  const meant = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes("*"));
  const matching = meant.flatMap(({ rules }) => rules).filter(({ pattern }) => matches(pattern, path));
  // The longest rule wins; of two equally long ones, the one that allows.
  matching.sort(
    (left, right) => right.pattern.length - left.pattern.length || Number(right.allows) - Number(left.allows),
  );
  return matching[0]?.allows ?? true;
}

interface Group {
  readonly agents: string[];
  readonly rules: { readonly pattern: string; readonly allows: boolean }[];
}

function readGroups(robots: string): Group[] {
  const groups: Group[] = [];
  for (const line of robots.slice(0, maxCharacters).split(/\r\n?|\n/)) {
    const [, field = "", value = ""] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? [];
    const key = field.toLowerCase();
    const last = groups.at(-1);
    if (key === "user-agent") {
      const agent = value.trim().toLowerCase();
      if (last !== undefined && last.rules.length === 0) last.agents.push(agent);
      else groups.push({ agents: [agent], rules: [] });
    } else if (last !== undefined && (key === "allow" || key === "disallow")) {
      const pattern = value.trim();
      // An empty rule matches nothing.
      if (pattern !== "") last.rules.push({ pattern, allows: key === "allow" });
    }
  }
  return groups;
}

const maxCharacters = 500_000;

/** `*` stands for any characters, a final `$` for the end. */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith("$");
  const [first = "", ...rest] = (isWhole ? pattern.slice(0, -1) : pattern).split("*");
  if (!path.startsWith(first)) return false;
  let from = first.length;
  for (const [index, piece] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const found = isLast && isWhole ? path.length - piece.length : path.indexOf(piece, from);
    if (found < from || !path.startsWith(piece, found)) return false;
    from = found + piece.length;
  }
  return !isWhole || from === path.length;
}
