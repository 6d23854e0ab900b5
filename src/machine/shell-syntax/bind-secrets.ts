import type { SyntaxNode } from "unbash";
import { placeholdersIn } from "../../shared/secrets/secret-names.ts";
import { loadParser, type Parser, prescreenScript } from "./prescreen-script.ts";

/** A script in which variables stand in the place of secrets, and those variables. */
export interface BoundScript {
  readonly script: string;
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Puts a quoted variable in the place of each `{{secret:NAME}}`, as the quotes around it require, so that the value is one
 * argument whatever is in it, and never code. Throws an Error with a clause for the caller where that cannot be done.
 */
export async function bindSecrets(
  script: string,
  secrets: ReadonlyMap<string, string>,
): Promise<BoundScript> {
  const found = placeholdersIn(script).filter(({ name }) => secrets.has(name));
  if (found.length > maxPlaces) throw new Error(`the command names secrets more than ${maxPlaces} times`);
  const { mayParse, problems } = prescreenScript(script);
  if (!mayParse)
    throw new Error(`the quotes around the command's secrets cannot be found: ${problems[0]?.reason}`);
  const parser = await loadParser();
  const tree = parser.parse(script) as unknown as SyntaxNode & { errors?: readonly unknown[] };
  if ((tree.errors?.length ?? 0) > 0) throw new Error("the command cannot be parsed");
  let bound = "";
  let done = 0;
  for (const { name, pos, end } of found) {
    const reference = quoteFor(pathTo(tree, { pos, end, parser }) ?? [tree], { script, name });
    bound += script.slice(done, pos) + reference;
    done = end;
  }
  const names = [...new Set(found.map(({ name }) => name))];
  return {
    script: bound + script.slice(done),
    variables: Object.fromEntries(names.map((name) => [variableOf(name), secrets.get(name)!])),
  };
}

// The whole script is looked through for each.
const maxPlaces = 50;

function variableOf(name: string): string {
  return `TOOLWRIGHT_SECRET_${name}`;
}

interface Place {
  readonly pos: number;
  readonly end: number;
  readonly parser: Parser;
}

/** The nodes around a place, outermost first. The body of a here-document is outside of the command that it belongs to. */
function pathTo(node: SyntaxNode, place: Place): readonly SyntaxNode[] | undefined {
  let inner: readonly SyntaxNode[] | undefined;
  let isTorn = false;
  place.parser.forEachChild(node, (child) => {
    inner ??= pathTo(child, place);
    isTorn ||= child.type !== "Literal" && isCutBy(child, place);
  });
  // Not every part is visited itself: of a substitution, the script in it may be.
  const part = partsOf(node).find((each) => isAround(each, place));
  if (part !== undefined && inner?.[0] !== part)
    inner = [part, ...(inner ?? pathTo(part, place)?.slice(1) ?? [])];
  if (inner !== undefined) return [node, ...inner];
  return isAround(node, place) && !isTorn ? [node] : undefined;
}

function partsOf(node: SyntaxNode): readonly SyntaxNode[] {
  const { parts } = node as { readonly parts?: readonly SyntaxNode[] };
  return parts ?? [];
}

function isAround({ pos, end }: SyntaxNode, place: Place): boolean {
  return pos <= place.pos && end >= place.end;
}

/** It begins or ends in the middle of the place. */
function isCutBy(node: SyntaxNode, place: Place): boolean {
  return node.pos < place.end && node.end > place.pos && !isAround(node, place);
}

function quoteFor(path: readonly SyntaxNode[], { script, name }: { script: string; name: string }): string {
  const variable = `\${${variableOf(name)}}`;
  const refuse = (why: string): never => {
    throw new Error(`{{secret:${name}}} ${why}`);
  };
  for (const [index, node] of path.entries()) {
    const why = refusals.get(node.type);
    if (why !== undefined) refuse(why);
    if (node.type === "CommandExpansion" && script[node.pos] === "`")
      refuse("is in backquotes, where quotes mean something else; use $(…)");
    if ("text" in node && typeof node.text === "string" && script.slice(node.pos, node.end) !== node.text)
      refuse("is nested in a way that cannot be followed; use $(…) or assign it to a variable first");
    if (node.type === "Command" && node.name !== undefined && node.name === path[index + 1])
      refuse("cannot be the name of a program");
    if (node.type === "HereDoc" && node.delimiter?.quoted)
      refuse(
        "is in a here-document with a quoted delimiter, which bash does not expand; leave out the quotes",
      );
  }
  const types = path.map(({ type }) => type);
  const last = types.at(-1);
  if (last === "SingleQuoted") return `'"${variable}"'`;
  if (last === "AnsiCQuoted") return `'"${variable}"$'`;
  const around = types.findLast((type) => containers.has(type));
  if (around === "DoubleQuoted" || around === "LocaleString" || around === "HereDocBody") return variable;
  if (around === "Word" || around === "Assignment") return `"${variable}"`;
  return refuse("is in a place where it cannot be passed on; use it as a word of a command");
}

const containers: ReadonlySet<string> = new Set([
  ...["DoubleQuoted", "LocaleString", "HereDocBody", "Word", "Assignment"],
  ...["CommandExpansion", "ProcessSubstitution"],
]);

const refusals: ReadonlyMap<string, string> = new Map([
  ["Redirect", "cannot be the name of a file that is redirected"],
  ["HereDocDelimiter", "cannot be the delimiter of a here-document"],
  ["ArithmeticExpansion", "cannot be used in arithmetic"],
  ["ArithmeticCommand", "cannot be used in arithmetic"],
  ["ParameterExpansion", "cannot be used inside another variable; assign it to its own variable first"],
  ["BraceExpansion", "cannot be used in a brace expansion"],
]);
