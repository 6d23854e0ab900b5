import { type ProgramDefinition, programsLike } from "../program.ts";
import type { Wrapper } from "../wrapper.ts";

type Definition = Omit<Wrapper, "program" | "manner"> &
  Pick<ProgramDefinition, "harmless" | "asks" | "hasNumericOptions">;

const program = programsLike({ category: "neutral", operands: "checked" });

function wrapper(names: string, manner: Wrapper["manner"], definition: Definition = {}) {
  const { operandsBefore, takesAssignments, exceptWith, forgets, ...own } = definition;
  const given = { operandsBefore, takesAssignments, exceptWith, forgets };
  const made: Wrapper = { program: program(names, own), manner, ...given };
  return made.program.names.map((name) => [name, made] as const);
}

const scheduling = { asks: "changes how the system schedules processes" };

/** Programs that run the program named in their arguments. */
export const wrappers: ReadonlyMap<string, Wrapper> = new Map([
  ...wrapper("time", "through", { harmless: "-p" }),
  ...wrapper("timeout", "through", {
    harmless: "-k= --kill-after= -s= --signal= -v --verbose --preserve-status --foreground",
    operandsBefore: 1,
  }),
  ...wrapper("nice", "through", { harmless: "-n= --adjustment=", hasNumericOptions: true }),
  ...wrapper("command", "through", { harmless: "-p -v -V", exceptWith: ["-v", "-V"] }),
  ...wrapper("env", "through", {
    harmless: "-i --ignore-environment -u= --unset=",
    asks: { "runs a string as a command": "-S= --split-string=", "changes the directory": "-C= --chdir=" },
    takesAssignments: true,
    forgets: { all: ["-i", "--ignore-environment"], one: ["-u", "--unset"] },
    exceptWith: ["--version", "--help"],
  }),
  ...wrapper("xargs", "feeds", {
    harmless:
      "-0 --null -n= --max-args= -L= --max-lines? -P= --max-procs= -r --no-run-if-empty -t --verbose -x --exit -s= --max-chars= -d= --delimiter= -I=",
    asks: { "reads arguments from a file": "-a= --arg-file=" },
  }),
  ...wrapper(
    "sudo",
    { asks: "runs with another user's rights" },
    {
      harmless:
        "-n -k -E -H -S -b -i -s -A -P -u= --user= -g= --group= -p= --prompt= -C= -D= --chdir= -R= -T= -U= -r= -t= -h= --login --shell",
      takesAssignments: true,
    },
  ),
  ...wrapper("doas", { asks: "runs with another user's rights" }, { harmless: "-n -s -u= -C=" }),
  ...wrapper(
    "nohup setsid",
    { asks: "keeps running after the call" },
    { harmless: "-c --ctty -f --fork -w --wait" },
  ),
  ...wrapper(
    "stdbuf",
    { asks: "loads a library into the program" },
    { harmless: "-i= -o= -e= --input= --output= --error=" },
  ),
  ...wrapper("ionice", scheduling, {
    harmless: "-c= --class= -n= --classdata= -t --ignore",
    asks: { "changes a running process": "-p= --pid=" },
  }),
  ...wrapper("chrt taskset", scheduling, { operandsBefore: 1 }),
  ...wrapper("exec", { asks: "replaces the shell with a program" }, { harmless: "-c -l -a=" }),
  ...wrapper("builtin", { asks: "changes how a name is looked up" }),
  ...wrapper("busybox toybox", { asks: "contains many programs of its own" }),
  ...wrapper(
    "watch",
    { asks: "runs a string as a command" },
    { harmless: "-n= --interval= -d -t -e -g -c -b -x" },
  ),
  ...wrapper(
    "flock",
    { asks: "writes a lock file" },
    { harmless: "-s -x -n -w= -u -o -e", operandsBefore: 1 },
  ),
  ...wrapper("strace ltrace", { asks: "traces a program" }, { harmless: "-f -c -e= -p= -o= -s= -t -tt -T" }),
  ...wrapper("unbuffer caffeinate proxychains torsocks fakeroot", { asks: "changes how a program runs" }),
  ...wrapper("chroot", { asks: "runs in another root directory" }, { operandsBefore: 1 }),
]);
