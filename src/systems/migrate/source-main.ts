import {
  createLineNumbers,
  isNode,
  loadSourceParser,
  nameIn,
  nodesIn,
  type ParsedSource,
  type ParseSource,
} from "../../capabilities/code/parse-source.ts";
import { answerTasks } from "../../machine/child/index.ts";
import { findUses } from "./find-uses.ts";
import { moves } from "./moves/moves.ts";
import type { EntryExports, FoundAlias, SourceAnswer, SourceTask, SourceUses } from "./open-source-reader.ts";
import { membersOf, textOf, valueAt, viewSource } from "./source-view.ts";

/** The main program of the process that parses a project's files. */
answerTasks(readSource);

/** Answers one task, in the process that may crash on it. */
async function readSource(task: SourceTask): Promise<SourceAnswer> {
  const parser = await loadSourceParser();
  if (parser === undefined) return { failure: "not-installed" };
  try {
    switch (task.kind) {
      case "exports":
        return { exports: readExports(task, parser) };
      case "aliases":
        return { aliases: readAliases(task, parser) };
      case "uses":
        return { uses: readUses(task, parser) };
    }
  } catch {
    return { failure: "unparsable" };
  }
}

function readExports({ path, text }: { path: string; text: string }, parse: ParseSource): EntryExports {
  const { module } = parse(path, text);
  const entries = module.staticExports.flatMap((each) => each.entries);
  return {
    names: Object.fromEntries(
      entries.map(({ exportName, isType }) => [exportName.name ?? "default", isType ? "type" : "value"]),
    ),
  };
}

/** A tsconfig.json may have comments and trailing commas, as an object in JavaScript may. */
function readAliases(
  { text, packages }: Extract<SourceTask, { kind: "aliases" }>,
  parse: ParseSource,
): FoundAlias[] {
  const before = "(";
  const [statement] = parse("tsconfig.js", `${before}${text}\n)`).body;
  const expression = isNode(statement?.expression) ? statement.expression : undefined;
  const settings = expression?.type === "ParenthesizedExpression" ? expression.expression : expression;
  const paths = valueAt(valueAt(isNode(settings) ? settings : undefined, "compilerOptions"), "paths");
  const lineOf = createLineNumbers(text);
  return membersOf(paths).flatMap((property): FoundAlias[] => {
    const targets = isNode(property.value) ? nodesIn(property.value.elements) : [];
    const isOfSystem = targets.some((target) => {
      const place = textOf(target) ?? "";
      return packages.some((name) => place === name || place.includes(`node_modules/${name}`));
    });
    const name = nameIn(property.key);
    return isOfSystem && name !== undefined ? [{ name, line: lineOf(property.start - before.length) }] : [];
  });
}

/** The result for another language, in which only words are searched. */
const notParsed: Pick<ParsedSource, "body" | "errors"> = { body: [], errors: [] };

function readUses(
  { path, text, system, exports, aliases }: Extract<SourceTask, { kind: "uses" }>,
  parse: ParseSource,
): SourceUses {
  const move = moves[system];
  const lineOf = createLineNumbers(text);
  const { body, errors } = path.endsWith(".go") ? notParsed : parse(path, text);
  const { modules, found } = findUses(viewSource(body), { path, text, move, exports, aliases });
  const [error] = errors;
  return {
    imports: modules.map(({ from, kind, isTypeOnly, literal, bindings }) => ({
      from,
      to: move.entry,
      kind,
      isTypeOnly,
      names: bindings.map(({ name }) => name),
      line: lineOf(literal.start),
      start: literal.start,
      end: literal.end,
    })),
    findings: found
      .map(({ node, ...finding }) => ({ ...finding, line: lineOf(node.start) }))
      .toSorted((one, other) => one.line - other.line),
    problem: error && { line: lineOf(error.offset), message: error.message },
  };
}
