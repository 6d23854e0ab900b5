import { isOneArgument, knownText } from "../known-words.ts";
import { defineProgram, type ProgramCheck, type ProgramDefinition } from "../program.ts";

/** A program that shows facts about the machine and takes at most plain words. */
function informational(names: string, more: Partial<ProgramDefinition> = {}) {
  return defineProgram({
    names: names.split(" "),
    category: "general",
    operands: "none",
    ...more,
    harmless: `${more.harmless ?? ""} --help --version`,
  });
}

const checkDate: ProgramCheck = ({ operands }, report) => {
  for (const word of operands) {
    if (!(knownText(word)?.startsWith("+") ?? word.source.startsWith('"+')))
      report.ask("date with an argument other than +FORMAT sets the clock");
    else if (!isOneArgument(word)) report.ask(`${word.source} may become several arguments`);
  }
};

/** Programs that show facts about the machine, its users, the time and installed programs. */
export const systemPrograms = [
  informational("date", {
    harmless: "-d= --date= -u --utc --universal -R --rfc-email --rfc-3339= -I? --iso-8601? --debug",
    reads: "-r= --reference= -f= --file=",
    asks: { "sets the clock": "-s= --set=" },
    operands: "checked",
    check: checkDate,
  }),
  informational("cal ncal", { harmless: "-1 -3 -y -m= -h -j", operands: "data" }),
  informational("uname", {
    harmless:
      "-a --all -s -n -r -v -m -p -i -o --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system",
  }),
  informational("arch whoami logname tty users groups hostid", { harmless: "-s" }),
  informational("who w", { harmless: "-a -b -d -H -q -r -u -h -s" }),
  informational("id", {
    harmless: "-a -g --group -G --groups -n --name -r --real -u --user -z --zero -Z",
    operands: "data",
    hasOnlyHarmlessOptions: true,
  }),
  informational("hostname", { harmless: "-s --short -I --all-ip-addresses" }),
  informational("getconf", {
    harmless: "-a -v=",
    operands: "data",
    check: ({ operands }, report) => {
      for (const word of operands.slice(1)) report.read(word);
    },
  }),
  informational("tput", {
    operands: "checked",
    check: ({ operands }, report) => {
      for (const word of operands)
        if (!/^(?:cols|lines|colors)$/.test(knownText(word) ?? ""))
          report.ask("tput may change the terminal");
    },
  }),
  informational("locale", { harmless: "-a --all-locales -m --charmaps -c -k", operands: "data" }),
  informational("which whereis", {
    harmless: "-a -s -b -m -S= --all",
    operands: "data",
    hasOnlyHarmlessOptions: true,
  }),
  informational("type", { harmless: "-a -f -p -P -t", operands: "data", hasOnlyHarmlessOptions: true }),
  informational("command", { harmless: "-v -V", operands: "data", hasOnlyHarmlessOptions: true }),
  informational("seq", {
    harmless: "-f= --format= -s= --separator= -w --equal-width",
    operands: "data",
    hasOnlyHarmlessOptions: true,
    hasNumericOptions: true,
  }),
  informational("factor", { operands: "data", hasOnlyHarmlessOptions: true, harmless: "-h --exponents" }),
  informational("expr", { operands: "data", hasNoOptions: true }),
  informational("numfmt", {
    harmless:
      "--from= --to= --from-unit= --to-unit= --suffix= --padding= --format= --field= -d= --delimiter= --grouping --header? --round= --invalid= -z",
    operands: "data",
    hasOnlyHarmlessOptions: true,
  }),
  informational("getopt", { asks: { "is not known to be harmless": "-a" } }),
  informational("printenv env", {
    operands: "checked",
    check: (_, report, { name }) => report.ask(`${name} shows the environment, which may hold secrets`),
  }),
  informational("nm readelf size", {
    harmless:
      "-a -A -C -D -g -u -S -s -h -l -d -e -r -n -p -t -T -W -x -f --demangle --wide --all --headers --section-headers --symbols --syms --dynamic --file-header --program-headers",
    operands: "reads",
    check: ({ operands }, report, { name }) => {
      if (operands.some((word) => (knownText(word) ?? word.source).startsWith("@")))
        report.ask(`${name} may read options from a file`);
    },
  }),
];
