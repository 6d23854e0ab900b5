import {
  createLineNumbers,
  loadSourceParser,
  type ParsedSource,
  type ParseSource,
} from "../../capabilities/code/parse-source.ts";
import { answerTasks } from "../../machine/child/index.ts";
import { findUses } from "./find-uses.ts";
import { moves } from "./moves/moves.ts";
import type { EntryExports, SourceAnswer, SourceTask, SourceUses, UsesTask } from "./open-source-reader.ts";
import { viewSource } from "./source-view.ts";

/** The main program of the process that parses a project's files. */
answerTasks(readSource);

/** Answers one task, in the process that may crash on it. */
async function readSource(task: SourceTask): Promise<SourceAnswer> {
  const parser = await loadSourceParser();
  if (parser === undefined) return { failure: "not-installed" };
  try {
    return task.kind === "exports"
      ? { exports: readExports(task, parser) }
      : { uses: readUses(task, parser) };
  } catch {
    return { failure: "unparsable" };
  }
}

function readExports({ path, text }: { path: string; text: string }, parse: ParseSource): EntryExports {
  const { module } = parse(path, text);
  const entries = module.staticExports.flatMap((each) => each.entries);
  return Object.fromEntries(
    entries.map(({ exportName, isType }) => [exportName.name ?? "default", isType ? "type" : "value"]),
  );
}

/** The result for another language, in which only words are searched. */
const notParsed: Pick<ParsedSource, "body" | "errors"> = { body: [], errors: [] };

function readUses({ system, ...task }: UsesTask, parse: ParseSource): SourceUses {
  const { path, text } = task;
  const move = moves[system];
  const lineOf = createLineNumbers(text);
  const { body, errors } = path.endsWith(".go") ? notParsed : parse(path, text);
  const { modules, found } = findUses(viewSource(body), { ...task, move });
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
