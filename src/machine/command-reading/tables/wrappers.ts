import { defineProgram, type ProgramDefinition } from "../program.ts";
import type { Wrapper } from "../wrapper.ts";

type WrapperDefinition = Omit<Wrapper, "program"> & Omit<ProgramDefinition, "operands" | "category">;

const definitions: readonly WrapperDefinition[] = [
  { names: ["time"], harmless: "-p", manner: "through" },
  {
    names: ["timeout"],
    harmless: "-k= --kill-after= -s= --signal= -v --verbose --preserve-status --foreground",
    operandsBefore: 1,
    manner: "through",
  },
  { names: ["nice"], harmless: "-n= --adjustment=", hasNumericOptions: true, manner: "through" },
  { names: ["command"], harmless: "-p -v -V", exceptWith: ["-v", "-V"], manner: "through" },
  {
    names: ["env"],
    harmless: "-i --ignore-environment -u= --unset=",
    asks: { "runs a string as a command": "-S= --split-string=", "changes the directory": "-C= --chdir=" },
    takesAssignments: true,
    forgets: { all: ["-i", "--ignore-environment"], one: ["-u", "--unset"] },
    exceptWith: ["--version", "--help"],
    manner: "through",
  },
  {
    names: ["xargs"],
    harmless:
      "-0 --null -n= --max-args= -L= --max-lines? -P= --max-procs= -r --no-run-if-empty -t --verbose -x --exit -s= --max-chars= -d= --delimiter= -I=",
    asks: { "reads arguments from a file": "-a= --arg-file=" },
    manner: "feeds",
  },
  {
    names: ["sudo"],
    harmless:
      "-n -k -E -H -S -b -i -s -A -P -u= --user= -g= --group= -p= --prompt= -C= -D= --chdir= -R= -T= -U= -r= -t= -h= --login --shell",
    takesAssignments: true,
    manner: { asks: "runs with another user's rights" },
  },
  { names: ["doas"], harmless: "-n -s -u= -C=", manner: { asks: "runs with another user's rights" } },
  {
    names: ["nohup", "setsid"],
    harmless: "-c --ctty -f --fork -w --wait",
    manner: { asks: "keeps running after the call" },
  },
  {
    names: ["stdbuf"],
    harmless: "-i= -o= -e= --input= --output= --error=",
    manner: { asks: "loads a library into the program" },
  },
  {
    names: ["ionice"],
    harmless: "-c= --class= -n= --classdata= -t --ignore",
    asks: { "changes a running process": "-p= --pid=" },
    manner: { asks: "changes how the system schedules processes" },
  },
  {
    names: ["chrt", "taskset"],
    operandsBefore: 1,
    manner: { asks: "changes how the system schedules processes" },
  },
  { names: ["exec"], harmless: "-c -l -a=", manner: { asks: "replaces the shell with a program" } },
  { names: ["builtin"], manner: { asks: "changes how a name is looked up" } },
  { names: ["busybox", "toybox"], manner: { asks: "contains many programs of its own" } },
  {
    names: ["watch"],
    harmless: "-n= --interval= -d -t -e -g -c -b -x",
    manner: { asks: "runs a string as a command" },
  },
  {
    names: ["flock"],
    harmless: "-s -x -n -w= -u -o -e",
    operandsBefore: 1,
    manner: { asks: "writes a lock file" },
  },
  {
    names: ["strace", "ltrace"],
    harmless: "-f -c -e= -p= -o= -s= -t -tt -T",
    manner: { asks: "traces a program" },
  },
  {
    names: ["unbuffer", "caffeinate", "proxychains", "torsocks", "fakeroot"],
    manner: { asks: "changes how a program runs" },
  },
  { names: ["chroot"], operandsBefore: 1, manner: { asks: "runs in another root directory" } },
];

/** Programs that run the program named in their arguments. */
export const wrappers: ReadonlyMap<string, Wrapper> = new Map(
  definitions.flatMap(({ operandsBefore, takesAssignments, exceptWith, forgets, manner, ...definition }) => {
    const program = defineProgram({ ...definition, category: "neutral", operands: "checked" });
    const wrapper: Wrapper = { program, manner, operandsBefore, takesAssignments, exceptWith, forgets };
    return definition.names.map((name) => [name, wrapper] as const);
  }),
);
