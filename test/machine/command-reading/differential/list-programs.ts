import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { isKnownProgram } from "../../../../src/machine/command-reading/tables/index.ts";
import { runTraced, type TracedSurroundings } from "./run-traced.ts";

const unzip = promisify(gunzip);

/** A program that is tried, with what its own documentation says of its options. */
export interface TriedProgram {
  /** As it is called: `tar`, or `git log`. */
  readonly call: string;
  /** With their dashes. */
  readonly options: readonly string[];
  /** Words that the documentation gives as values of options, and those that it gives for one of them. */
  readonly values: readonly string[];
  readonly valuesOf: Readonly<Record<string, readonly string[]>>;
  /** Bash's own, which may change the shell. */
  readonly isBuiltin: boolean;
}

const folders = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"];

/**
 * Every program here that could be let through at all, and bash's own commands. Only which names are known is asked of
 * the tables; what there is to give to a program is read from what it prints and from its manual page.
 */
export async function listPrograms(
  surroundings: TracedSurroundings,
  select: (calls: readonly string[]) => readonly string[] = (calls) => calls,
): Promise<TriedProgram[]> {
  const installed = (await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])))).flat();
  const [builtins, gitCommands] = await runTraced(
    ["compgen -b", "git --list-cmds=main,nohelpers"],
    surroundings,
  );
  const inBash = linesOf(builtins!.output);
  const names = [...new Set([...installed, ...inBash])].filter(isKnownProgram).toSorted();
  const calls = select(
    names.flatMap((name) =>
      name === "git" ? linesOf(gitCommands!.output).map((each) => `git ${each}`) : [name],
    ),
  );
  const helped = await runTraced(
    calls.map((call) =>
      inBash.includes(call) ? `help ${call}` : call.startsWith("git ") ? `${call} -h` : `${call} --help`,
    ),
    surroundings,
  );
  return Promise.all(
    calls.map(async (call, index) => ({
      call,
      isBuiltin: inBash.includes(call),
      ...(await readDocumentation(call, helped[index]!.output)),
    })),
  );
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => /^[\w.[:-]+$/.test(line));
}

/** Also of formats that are explained in a manual page that its own one names. */
async function readDocumentation(
  call: string,
  help: string,
): Promise<Omit<TriedProgram, "call" | "isBuiltin">> {
  const manual = await readManual(call.replace(" ", "-"));
  const read = readHelp(`${help}\n${manual}`);
  const others = new Set([...manual.matchAll(/\b([a-z]+-[a-z-]+)\(\d\)/g)].map(([, name]) => name!));
  const pages = await Promise.all([...others].slice(0, maxOtherPages).map(readManual));
  return { ...read, values: [...new Set([...read.values, ...formatsIn(pages.join("\n"))])] };
}

const maxOtherPages = 12;

function formatsIn(text: string): string[] {
  return [
    ...new Set([...text.matchAll(/(?<=[\s'"(:])%[A-Za-z][A-Za-z?]?(?=[\s'",)])/g)].map(([format]) => format)),
  ];
}

/** Where manual pages are not installed, what the program prints has to do. */
async function readManual(name: string): Promise<string> {
  for (const section of [1, 8]) {
    const path = join("/usr/share/man", `man${section}`, `${basename(name)}.${section}.gz`);
    const packed = await readFile(path).catch(() => undefined);
    if (packed !== undefined) return withoutRoff((await unzip(packed)).toString("latin1"));
  }
  return "";
}

function withoutRoff(text: string): string {
  return text
    .replaceAll("\\-", "-")
    .replace(/\\f(?:\(..|\[\w*\]|.)|\\[&%|^]|\\s[+-]?\d|\\m\[\w*\]/g, "")
    .replaceAll("\\(aq", "'");
}

/** Every word with a dash counts as an option, and every word of a list or after `=` as a value. */
function readHelp(text: string): Pick<TriedProgram, "options" | "values" | "valuesOf"> {
  const options = [...text.matchAll(/(?<![\w-])(--?[A-Za-z0-9?#][\w-]*)/g)].map(([, option]) => option!);
  const values = [
    ...text.matchAll(/(?:[=|({,]|\bor )(<?[a-z%][\w:%?-]{0,15}>?)(?=[|)}\],\s])|(%[A-Za-z]\S?)/g),
  ];
  return {
    options: [...new Set(options.map((option) => option.replace(/-+$/, "")))].filter(
      (option) => option.length > 1,
    ),
    values: [...new Set(values.map(([, value, format]) => value ?? format!))],
    valuesOf: readValuesOf(text),
  };
}

/** From `--option=(one|other)`, `--option={one,other}`, `--option=one`, `--option=<what>`, `--option <what>`. */
function readValuesOf(text: string): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  const form =
    /(?<![\w-])(--?[A-Za-z0-9][\w-]*)(?:\[?=(?:[({]([^)}\n]*)[)}]|([^\s,;()[\]]+))| (<[^>\n]*>|[A-Z]{3,}))/g;
  for (const [, option, several, one, placeholder] of text.matchAll(form)) {
    const values = (several ?? one ?? placeholder!)
      .split(/[|,]/)
      .map((value) => value.replace(/[."']+$|^["']/g, ""))
      .filter((value) => value !== "" && value.length < maxValueLength);
    found[option!] = [...new Set([...(found[option!] ?? []), ...values])];
  }
  return found;
}

const maxValueLength = 40;
