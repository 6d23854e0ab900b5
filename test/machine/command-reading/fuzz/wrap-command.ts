// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how bash writes an expansion
import type { Random } from "./random.ts";
import type { Mutator } from "./rewrite-words.ts";

/** Puts something around a command that leaves it running, or in a place where it would run. */
export const wrapMutators: readonly Mutator[] = [
  (command, random) => `${random.pick(harmless)}${random.pick(joints)}${command}`,
  (command, random) => `${command}${random.pick(joints)}${random.pick(harmless)}`,
  (command, random) => `${command}\n${random.pick(harmless)}`,
  (command, random) => `${command} ${random.pick(["# done", "# $(ls)", "\\\n", ";", "&", "\n", "# 'a"])}`,
  (command, random) => random.pick(["\n", " ", "\t", "# note\n", "\\\n", "# it's\n", ": ;\n"]) + command,
  (command, random) => `${random.pick(openings)} ${command}`,
  (command, random) => fillIn(random.pick(compounds), command),
  (command, random) => fillIn(random.pick(compounds), command),
  (command, random) => fillIn(random.pick(substitutions), command),
  (command, random) => fillIn(random.pick(substitutions), command),
  (command, random) => fillIn(random.pick(documents), command),
  inBackquotes,
];

const harmless = ["ls", "true", "echo hi", "cat a.txt", "pwd", ":", "git status", "fresh=1", "[ -f a.txt ]"];
const joints = [" && ", " || ", "; ", " & ", " | ", " |& ", "\n", "&&", ";", "|", " &&\n", "\n\n"];
const openings = [
  "command",
  "command -p",
  "env",
  "env LC_ALL=C",
  "env -i",
  "timeout 5",
  "timeout -k 1 5",
  "nice",
  "nice -n 5",
  "time",
  "time -p",
  "\\time",
  "!",
  "! !",
  "builtin",
  "LANG=C",
  "LC_ALL=C TZ=UTC",
  "exec",
  "coproc",
  "nohup",
  "sudo",
  "> /dev/null",
  "2>&1",
  "< a.txt",
];

const compounds = [
  "(§\n)",
  "( ( §\n) )",
  "{ §\n}",
  "{ §\n} > /dev/null 2>&1",
  "{ §\n} < a.txt | cat",
  "if true; then §\nfi",
  "if §\nthen ls; fi",
  "if false; then ls; elif true; then §\nelse pwd; fi",
  "if false; then ls; else §\nfi",
  "for i in 1 2; do §\ndone",
  "for i in *.txt; do §\ndone",
  "for ((i=0; i<2; i++)); do §\ndone",
  "while true; do §\nbreak; done",
  "until §\ndo ls; done",
  "while read -r line; do §\ndone < a.txt",
  "case a in a) §\n;; esac",
  "case a in b) ls;; *) §\nesac",
  "case a in a) ls;;& *) §\n;; esac",
  "select i in 1; do §\ndone",
  "work() { §\n}; work",
  "work() ( §\n); work",
  "function work { §\n}\nwork",
  "work() { inner() { §\n}; inner; }; work",
  "{ §\n} &\nwait",
  "(§\n) & wait",
  "coproc { §\n}",
  "true && { §\n}",
  "! { §\n}",
  "time { §\n}",
];

const substitutions = [
  'echo "$(§\n)"',
  "echo $(§\n)",
  "x=$(§\n)",
  'echo "$(echo "$(§\n)")"',
  "cat <(§\n)",
  "ls > >(§\n)",
  "diff <(ls) <(§\n)",
  "cat <<< $(§\n)",
  'cat <<< "$(§\n)"',
  "echo ${x:-$(§\n)}",
  'echo "${x:=$(§\n)}"',
  "echo ${x/$(§\n)/b}",
  "echo ${x:$(§\n)}",
  "echo $(( $(§\n) + 1 ))",
  '[ -n "$(§\n)" ] && ls',
  "[[ -n $(§\n) ]] && ls",
  "case $(§\n) in a) ls;; esac",
  "case a in $(§\n)) ls;; esac",
  "for i in $(§\n); do echo $i; done",
  "list=($(§\n))",
  "list[$(§\n)]=1",
  "LC_ALL=$(§\n) ls",
  'ls "a$(§\n)b"',
  "ls {a,$(§\n)}",
  "cat < $(§\n)",
  "cat < <(§\n)",
  "ls 2> /dev/null$(§\n)",
  "printf '%s' \"$(§\n)\"",
  "echo $[ $(§\n) ]",
  'echo $"a $(§\n)"',
  "work() { echo $(§\n); }; work",
];

const documents = [
  "cat <<END\n$(§\n)\nEND",
  "cat <<-END\n\t$(§\n)\n\tEND",
  "cat <<A <<B\nplain\nA\n$(§\n)\nB",
  "cat <<END | wc -l\n$(§\n)\nEND",
  "cat <<'END'\nplain $(\nEND\n§",
  "bash <<'END'\n§\nEND",
  "cat <<END\n${x:-$(§\n)}\nEND",
];

/** As it stands: in a replacement text, dollar signs would mean something. */
function fillIn(frame: string, command: string): string {
  return frame.split("§").join(command);
}

function inBackquotes(command: string, random: Random): string {
  if (/[`\\]/.test(command)) return command;
  return random.pick([`echo \`${command}\n\``, `x=\`${command}\n\``, `cat <<END\n\`${command}\n\`\nEND`]);
}
