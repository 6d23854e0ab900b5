import { answerTasks } from "../../machine/child/index.ts";
import { collectImports } from "./collect-imports.ts";
import { collectSymbols } from "./collect-symbols.ts";
import type { CodeAnswer, CodeTask } from "./open-code-parser.ts";
import { createLineNumbers, loadSourceParser } from "./parse-source.ts";

/** The main program of the process that parses code. */
answerTasks(parseCode);

/** Parses one file; in one with a syntax error, the part before it. */
async function parseCode({ path, text }: CodeTask): Promise<CodeAnswer> {
  const parse = await loadSourceParser();
  if (parse === undefined) return { failure: "not-installed" };
  try {
    const { body, module, errors } = parse(path, text);
    const lineOf = createLineNumbers(text);
    const symbols = collectSymbols(body, { lineOf, module });
    const imports = collectImports(body, { lineOf, module, text });
    const problems = errors.map(({ message, offset }) => ({ line: lineOf(offset), message }));
    const parsed = {
      symbols: symbols.slice(0, maxEntries),
      imports: imports.slice(0, maxEntries),
      problems: problems.slice(0, maxProblems),
      isCut: symbols.length > maxEntries || imports.length > maxEntries,
    };
    return { parsed };
  } catch {
    return { failure: "unknown" };
  }
}

const maxEntries = 1000;
const maxProblems = 20;
