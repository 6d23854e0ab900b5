import { isOneArgument, knownText } from "../known-words.ts";
import { type ProgramCheck, programsLike } from "../program.ts";

/** A program that shows facts about the machine and takes at most plain words. */
const informational = programsLike({ category: "general", harmless: "--help --version", operands: "none" });

const checkDate: ProgramCheck = ({ operands }, report) => {
  for (const word of operands) {
    if (!(knownText(word)?.startsWith("+") ?? word.source.startsWith('"+')))
      report.ask("date with an argument other than +FORMAT sets the clock");
    else if (!isOneArgument(word)) report.ask(`${word.source} may become several arguments`);
  }
};

/** Programs that look into object files. They replace each argument that starts with `@` by the words in that file. */
const objectPrograms = [
  informational("nm", {
    harmless:
      "-a|--debug-syms -A|-o|--print-file-name -C|--demangle? --no-demangle -D|--dynamic -g|--extern-only -u|--undefined-only --defined-only -S|--print-size -s|--print-armap -n|-v|--numeric-sort -p|--no-sort -r|--reverse-sort --size-sort -P|--portability -B --special-syms --synthetic --with-symbol-versions --without-symbol-versions -f=|--format= -t=|--radix= -h -V",
    asks: { "loads a library": "--plugin=", "opens files that the object names": "-l|--line-numbers" },
    hasArgumentFiles: true,
    operands: "reads",
  }),
  informational("readelf", {
    harmless:
      "-a|--all -h|--file-header -l|--program-headers|--segments -S|--section-headers|--sections -g|--section-groups -t|--section-details -e|--headers -s|--syms|--symbols --dyn-syms -n|--notes -r|--relocs -u|--unwind -d|--dynamic -V|--version-info -A|--arch-specific -c|--archive-index -D|--use-dynamic -I|--histogram -W|--wide -T|--silent-truncation -C|--demangle? -x=|--hex-dump= -p=|--string-dump= -R=|--relocated-dump= -z|--decompress -v -H",
    hasArgumentFiles: true,
    operands: "reads",
  }),
  informational("size", {
    harmless: "-A -B -G -d -o -x -t|--totals --common --format= --radix= -h -v -V",
    hasArgumentFiles: true,
    operands: "reads",
  }),
];

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
  informational("locale", {
    harmless: "-a --all-locales -c -k",
    asks: { "runs gzip to look into files": "-m --charmaps" },
    operands: "data",
  }),
  informational("which", { harmless: "-a -s --all", operands: "data", hasOnlyHarmlessOptions: true }),
  informational("whereis", { harmless: "-b -m -s", operands: "data" }),
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
  ...objectPrograms,
];
