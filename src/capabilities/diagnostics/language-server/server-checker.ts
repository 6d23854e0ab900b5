import { extname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { CheckUse } from "../../../kernel/services/index.ts";
import { type Deadline, DeadlineReached, withDeadline } from "../../../shared/deadline.ts";
import { readIfSmall } from "../../../shared/files/read-small-file.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { createLock } from "../../../shared/lock.ts";
import { quoteWord } from "../../../shared/text/quote-controls.ts";
import {
  type Checker,
  type CheckerParts,
  type CheckFinding,
  findChecker,
  findingOfError,
  type Problem,
} from "../checker.ts";
import { createComparison } from "../compare-problems.ts";
import type { CheckerOptions } from "../diagnostics-options.ts";
import { type LanguageServer, openLanguageServer, type ServerDocument } from "./language-server.ts";

/** Keeps a language server running from the first change that it is asked about to the end of the session. */
export function createServerChecker(options: CheckerOptions, parts: CheckerParts): Checker {
  const { timeoutMs = defaultTimeoutMs, writable = false } = options;
  const { root } = parts;
  const inTurn = createLock();
  const compare = createComparison({ isWhole: false });
  let server: { readonly opened: LanguageServer; readonly bounds: string } | undefined;
  let starts = 0;
  let isClosed = false;

  /** The running server, judged by the present rules; a new one if it ended, or if its bounds have changed. */
  const current = async ({ gate }: CheckUse, deadline: Deadline): Promise<LanguageServer> => {
    const argv = await findChecker(options.command, root);
    const profile = writable ? "workspace-write" : "read-only";
    const bounds = await gate
      .runConfigured(argv.map(quoteWord).join(" "), root, profile)
      .catch(async (error: unknown) => {
        await server?.opened.close();
        throw error;
      });
    const key = JSON.stringify(bounds);
    if (server !== undefined && server.bounds === key && server.opened.isAlive) return server.opened;
    await server?.opened.close();
    server = undefined;
    starts += 1;
    if (isClosed) throw new Error("the session is closed");
    if (starts > maxStarts)
      throw new Error(`it ended ${maxStarts} times, so it is not started again in this session`);
    const [sandbox, environment] = await Promise.all([parts.sandbox(), parts.shell.environment()]);
    const opened = await openLanguageServer(argv, { sandbox, bounds, environment, root }, deadline);
    server = { opened, bounds: key };
    return opened;
  };

  const check = async (
    changed: readonly string[],
    use: CheckUse,
    deadline: Deadline,
  ): Promise<CheckFinding> => {
    try {
      const opened = await current(use, deadline);
      const documents = await readDocuments(changed, use);
      const found = await deadline.race(opened.check(documents));
      const problems = found.flatMap(({ uri, items }) =>
        items.map((item) => toProblem(fileURLToPath(uri), item)),
      );
      return compare(problems, new Set(changed));
    } catch (error) {
      // A server that is stuck stays stuck.
      if (error instanceof DeadlineReached) await server?.opened.close();
      return findingOfError(error);
    }
  };

  return {
    check: (changed, use) =>
      inTurn(() => withDeadline(timeoutMs, undefined, (deadline) => check(changed, use, deadline))),
    async close() {
      isClosed = true;
      await server?.opened.close();
    },
  };
}

const defaultTimeoutMs = 10_000;
const maxStarts = 3;

async function readDocuments(changed: readonly string[], { gate }: CheckUse): Promise<ServerDocument[]> {
  return Promise.all(
    changed.map(async (path) => {
      const isReadable = await gate.mayRead(await gate.locate(path)).catch(() => false);
      const text = isReadable ? await readIfSmall(path, { maxBytes: maxFileBytes }) : undefined;
      const ending = extname(path).slice(1).toLowerCase();
      return { uri: pathToFileURL(path).href, languageId: languages.get(ending) ?? ending, text };
    }),
  );
}

const maxFileBytes = 2 * 2 ** 20;

/** The names of the protocol, where they are not the ending. */
const languages: ReadonlyMap<string, string> = new Map([
  ...(["ts", "mts", "cts"] as const).map((ending) => [ending, "typescript"] as const),
  ...(["js", "mjs", "cjs"] as const).map((ending) => [ending, "javascript"] as const),
  ["tsx", "typescriptreact"],
  ["jsx", "javascriptreact"],
  ...(["py", "pyi"] as const).map((ending) => [ending, "python"] as const),
  ["rs", "rust"],
  ["rb", "ruby"],
  ["cs", "csharp"],
  ["kt", "kotlin"],
  ["h", "c"],
  ...(["cc", "cxx", "hpp"] as const).map((ending) => [ending, "cpp"] as const),
  ["sh", "shellscript"],
  ["md", "markdown"],
  ["yml", "yaml"],
]);

function toProblem(path: string, item: unknown): Problem {
  const { range, severity, code, message } = isPlainObject(item) ? item : {};
  const { start } = isPlainObject(range) ? range : {};
  const { line, character } = isPlainObject(start) ? start : {};
  return {
    path,
    line: typeof line === "number" ? line + 1 : 1,
    column: typeof character === "number" ? character + 1 : undefined,
    severity: severity === 2 ? "warning" : severity === 3 || severity === 4 ? "info" : "error",
    code: typeof code === "string" || typeof code === "number" ? String(code) : undefined,
    message: typeof message === "string" ? message : "",
  };
}
