import { isPlainObject } from "../../shared/json.ts";
import type { Problem } from "./checker.ts";
import type { CheckerOptions } from "./diagnostics-options.ts";

type PrintedFormat = Exclude<CheckerOptions["format"], "language-server">;

/** Reads the problems that a checker printed. Throws if the text is not in the format. */
export function readProblems(text: string, format: PrintedFormat): Problem[] {
  return readers[format](text).slice(0, maxProblems);
}

const maxProblems = 10_000;

const readers: Record<PrintedFormat, (text: string) => Problem[]> = {
  tsc: (text) => readLines(text, readTscLine),
  unix: (text) => readLines(text, readUnixLine),
  "eslint-json": readEslint,
  "biome-json": readBiome,
};

/** Lines that begin with a space continue the message before them. */
function readLines(text: string, readLine: (line: string) => Problem | undefined): Problem[] {
  const problems: Problem[] = [];
  for (const whole of text.split("\n")) {
    const line = whole.slice(0, maxLine).trimEnd();
    const problem = readLine(line);
    const last = problems.at(-1);
    if (problem !== undefined) problems.push(problem);
    else if (last !== undefined && line.startsWith(" ") && last.message.length < maxLine)
      problems[problems.length - 1] = { ...last, message: `${last.message} ${line.trim()}` };
  }
  return problems;
}

const maxLine = 2000;

/** `src/a.ts(3,5): error TS2322: Type …` */
function readTscLine(line: string): Problem | undefined {
  const [place = "", path, row, column] = /^([^ ].*?)\((\d+),(\d+)\): /.exec(line) ?? [];
  if (path === undefined) return undefined;
  const [head = "", severity, code] =
    /^(error|warning|message) (TS\d+): /.exec(line.slice(place.length)) ?? [];
  if (code === undefined) return undefined;
  const message = line.slice(place.length + head.length);
  return { path, line: Number(row), column: Number(column), severity: severityOf(severity), code, message };
}

/** `src/a.c:3:5: warning: …`, with or without column and severity. */
function readUnixLine(line: string): Problem | undefined {
  const [place = "", path, row, column] = /^([^ :][^:]*):(\d+)(?::(\d+))?:? /.exec(line) ?? [];
  if (path === undefined) return undefined;
  const rest = line.slice(place.length).trim();
  const [head = "", word] = /^(fatal error|error|warning|note|info)\b:? ?/i.exec(rest) ?? [];
  return {
    path,
    line: Number(row),
    column: column === undefined ? undefined : Number(column),
    severity: severityOf(word?.toLowerCase()),
    message: rest.slice(head.length),
  };
}

function readEslint(text: string): Problem[] {
  const files: unknown = JSON.parse(text);
  if (!Array.isArray(files)) throw new Error("it is not a list of files");
  return files.flatMap((file: unknown) => {
    const { filePath, messages } = isPlainObject(file) ? file : {};
    if (typeof filePath !== "string" || !Array.isArray(messages)) return [];
    return messages.filter(isPlainObject).map(({ line, column, severity, ruleId, message }) => ({
      ...placeOf({ path: filePath, line, column }),
      severity: severity === 2 ? ("error" as const) : ("warning" as const),
      code: typeof ruleId === "string" ? ruleId : undefined,
      message: String(message),
    }));
  });
}

function readBiome(text: string): Problem[] {
  const report: unknown = JSON.parse(text);
  const { diagnostics } = isPlainObject(report) ? report : {};
  if (!Array.isArray(diagnostics)) throw new Error("it has no diagnostics");
  return diagnostics.filter(isPlainObject).flatMap(({ severity, message, category, location }) => {
    const { path, start } = isPlainObject(location) ? location : {};
    if (typeof path !== "string") return [];
    const { line, column } = isPlainObject(start) ? start : {};
    return {
      ...placeOf({ path, line, column }),
      severity: severityOf(severity),
      code: typeof category === "string" ? category : undefined,
      message: String(message),
    };
  });
}

function placeOf({ path, line, column }: { path: string; line: unknown; column: unknown }) {
  return {
    path,
    line: typeof line === "number" ? line : 1,
    column: typeof column === "number" ? column : undefined,
  };
}

/** A problem without a severity counts as an error. */
function severityOf(word: unknown): Problem["severity"] {
  if (word === "warning") return "warning";
  return informing.has(word) ? "info" : "error";
}

const informing: ReadonlySet<unknown> = new Set(["info", "information", "note", "message", "hint"]);
