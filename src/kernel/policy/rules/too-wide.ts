import { trimEndOf } from "../../../shared/text/trim-end-of.ts";
import type { CommandPattern } from "./command-pattern.ts";
import { programName } from "./could-match.ts";
import { RuleError } from "./rule.ts";

/** Refuses a rule that would allow almost anything, or that could never allow the command or path that it names. */
export function refuseTooWide(
  { fixed, hasStars }: CommandPattern,
  { text, where }: { text: string; where: string },
): void {
  const words = plainWords(fixed);
  const [program = ""] = words;
  if (wrapperNames.has(program) && words.slice(1).some(isOperand) && !looksUp(words)) {
    throw new RuleError(
      `${where}: ${JSON.stringify(text)} can match nothing: ${program} is left out when an allow rule is matched; write the command that it runs`,
    );
  }
  if (hasStars && isTooWide(words)) {
    throw new RuleError(
      `${where}: ${JSON.stringify(text)} would allow almost anything; write the whole command, or more of its words`,
    );
  }
}

/** Why a rule that is accepted allows more than its words seem to say; undefined if it does not. */
export function findWide({ fixed, hasStars }: CommandPattern): string | undefined {
  if (!hasStars) return undefined;
  const words = plainWords(fixed);
  const reached = runners.find(({ words: path }) => path.length > words.length && isPrefixOf(words, path));
  if (reached === undefined) return undefined;
  return `it also covers \`${reached.words.join(" ")}\`, which runs any program`;
}

function isTooWide(words: readonly string[]): boolean {
  const [program] = words;
  if (program === undefined || never.has(program) || wrapperNames.has(program)) return !looksUp(words);
  const runner = runners
    .filter(({ words: path }) => isPrefixOf(path, words))
    .toSorted((one, other) => other.words.length - one.words.length)[0];
  if (runner === undefined) return words.length === 1 && needsMore.has(program);
  const after = words.slice(runner.words.length).filter((word) => !runner.harmless?.includes(word));
  // Options before the name of what runs can change what runs.
  return !after.slice(0, runner.operands).every(isOperand) || after.length < runner.operands;
}

/** Whether a command runs what its other words or a file name, so that no rule should let it run unasked. */
export function runsOtherPrograms(argv: readonly string[]): boolean {
  const words = plainWords(argv);
  const [program] = words;
  if (program === undefined || never.has(program) || wrapperNames.has(program)) return true;
  if (interpreters.has(program) || isOwnFile(argv[0] ?? "")) return true;
  return [...runners, ...subcommands].some(({ words: path }) => isPrefixOf(path, words));
}

/**
 * A program that is named by its path, except in folders where only an administrator writes: its file may be another by
 * then.
 */
function isOwnFile(program: string): boolean {
  return program.includes("/") && (program.includes("/..") || !systemPrograms.test(program));
}

const systemPrograms = /^\/(?:usr|bin|sbin|opt|nix|snap)\//;

/** `python3.12` and `/usr/bin/python3` are `python`. */
function plainWords([program, ...rest]: readonly string[]): readonly string[] {
  if (program === undefined) return [];
  const name = programName(program);
  return [
    /^(?:python|node|ruby|perl|php|lua|pip)[\d.]+$/.exec(name) ? trimEndOf(name, "0123456789.") : name,
    ...rest,
  ];
}

function isPrefixOf(beginning: readonly string[], words: readonly string[]): boolean {
  return beginning.every((word, index) => words[index] === word);
}

function isOperand(word: string): boolean {
  return !word.startsWith("-");
}

/** `command -v name` only looks a program up. */
function looksUp([program, option]: readonly string[]): boolean {
  return program === "command" && (option === "-v" || option === "-V");
}

/**
 * Wrappers, whose words are removed before a rule is matched. The wrapper table says how; it is too large to load for a
 * rule.
 */
const wrapperNames: ReadonlySet<string> = new Set(
  `time timeout nice command env xargs sudo doas nohup setsid stdbuf ionice chrt taskset exec builtin busybox toybox
  watch flock strace ltrace unbuffer caffeinate proxychains torsocks fakeroot chroot`.split(/\s+/),
);

/** Programs that run every command that follows them. */
const never: ReadonlySet<string> = new Set("su script parallel eval source . osascript".split(" "));

/** Programs that run the program that the next words name, and how many words name it. */
const runners: readonly Runner[] = [
  ..."bash sh dash zsh fish ksh csh tcsh python node nodejs deno bun perl ruby php lua awk gawk mawk sed find"
    .split(" ")
    .map((name) => ({ words: [name], operands: 1 })),
  ..."npx pnpx bunx uvx pipx make docker podman kubectl"
    .split(" ")
    .map((name) => ({ words: [name], operands: 1, harmless: ["-y", "--yes", "--no-install"] })),
  ...[
    ...["npm exec", "npm x", "pnpm exec", "pnpm dlx", "yarn exec", "yarn dlx"],
    ...["bun x", "bun run", "deno run", "deno eval", "go run"],
    ...["python -m", "uv run", "uv tool run", "pipx run"],
    ...["docker run", "docker compose run", "podman run", "kubectl run"],
  ].map((path) => ({ words: path.split(" "), operands: 1 })),
  ...["ssh", "docker exec", "docker compose exec", "podman exec", "kubectl exec"].map((path) => ({
    words: path.split(" "),
    operands: 2,
  })),
];

/**
 * Further programs that run the content of a file. A user who writes a rule for one has thought of it; Toolwright
 * suggests none.
 */
const interpreters: ReadonlySet<string> = new Set(
  `tsx ts-node java groovy scala kotlin swift julia R Rscript tclsh wish expect elixir erl runghc pwsh powershell nu xonsh
  gdb lldb psql mysql mariadb sqlite3 vim vi nvim ed emacs screen tmux at batch crontab entr ansible ansible-playbook gmake
  just task rake`.split(/\s+/),
);
const subcommands = [
  ...["git bisect run", "git submodule foreach", "bundle exec", "poetry run"],
  ...["composer exec", "composer run", "cargo run", "dotnet run", "cmake --build"],
].map((path) => ({ words: path.split(" ") }));

interface Runner {
  readonly words: readonly string[];
  readonly operands: number;
  /** Options that do not change what runs. */
  readonly harmless?: readonly string[];
}

const needsMore: ReadonlySet<string> = new Set("git rm npm yarn pnpm cargo go pip uv curl wget".split(" "));
