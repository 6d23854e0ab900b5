import { isAimedAtSecrets } from "../glob-problem.ts";
import { shownText } from "../known-words.ts";
import { checkFind } from "../languages/find-expression.ts";
import { hasOption, optionValues } from "../parse-arguments.ts";
import { type ParsedArguments, type ProgramCheck, programsLike } from "../program.ts";
import type { Report } from "../report.ts";

const grepOptions =
  "-E --extended-regexp -F --fixed-strings -G --basic-regexp -P --perl-regexp -i --ignore-case --no-ignore-case -y -v --invert-match -w --word-regexp -x --line-regexp -c --count --color? --colour? -L --files-without-match -l --files-with-matches -m= --max-count= -o --only-matching -q --quiet --silent -s --no-messages -b --byte-offset -H --with-filename -h --no-filename --label= -n --line-number -T --initial-tab -Z --null -z --null-data -A= --after-context= -B= --before-context= -C= --context= --group-separator= --no-group-separator -a --text --binary-files= -I -D= --devices= -d= --directories= --exclude= --exclude-dir= --include= -r --recursive -R --dereference-recursive --line-buffered -U --binary -e= --regexp= -V --version --help";

/** If only file names are printed, the next command of the pipeline may read those files. */
const listFoundFiles: ProgramCheck = (parsed, report) => {
  askAboutSecrets(parsed, report);
  if (!hasOption(parsed, ...namesOnly) || hasOption(parsed, ...makesNames)) return;
  const isNullSeparated = hasOption(parsed, "-Z", "--null", "-0");
  // Links are searched only if they are named, or with options that ask because of them.
  report.list({ isNullSeparated, prefix: "", folder: ".", names: [], hasNoLinks: true });
};

/** `-d recurse` searches whole folders as `-r` does, in any abbreviation of the word. */
const checkGrep: ProgramCheck = (parsed, report, context) => {
  if (
    !optionValues(parsed, "-d", "--directories").every((value) => ["read", "skip"].includes(shownText(value)))
  )
    report.ask(`${context.name} may search whole folders; name them after -r instead`, { onlyReads: true });
  return listFoundFiles(parsed, report, context);
};

const namesOnly = ["-l", "--files-with-matches", "-L", "--files-without-match", "--files"];
/** With these options, something other than real file names is printed. */
const makesNames = ["--label", "--path-separator", "--format"];

/** Searching a whole tree is fine; selecting just the files that may hold secrets needs approval. */
function askAboutSecrets({ options }: ParsedArguments, report: Report): void {
  for (const { name, values } of options) {
    if (!choosesFiles.has(name)) continue;
    for (const text of values.map(shownText))
      if (isAimedAtSecrets(text.replace(/[\\^$]/g, ""))) report.ask(`${name} ${text} looks for secrets`);
  }
}

const choosesFiles: ReadonlySet<string> = new Set(["--include", "-g", "--glob", "--iglob", "-G"]);

const listEveryName: ProgramCheck = (parsed, report) => {
  if (hasOption(parsed, ...makesNames)) return;
  const isNullSeparated = hasOption(parsed, "-0", "--print0");
  report.list({ isNullSeparated, prefix: "", folder: ".", names: [] });
};

const checkLocate: ProgramCheck = (_, report, { name }) =>
  report.ask(`${name} lists files anywhere on the machine`, { onlyReads: true });

const checkRipgrep: ProgramCheck = (parsed, report, context) => {
  if (hasOption(parsed, "--files", "--type-list") && !hasOption(parsed, "-e", "--regexp")) {
    // Then there is no pattern, so the first operand is a path too.
    const [first] = parsed.operands;
    if (first !== undefined) report.readOperand(first);
  }
  return listFoundFiles(parsed, report, context);
};

const searcher = programsLike({ category: "search", operands: "checked" });

/** Programs that search for text and files. */
export const searchPrograms = [
  searcher("grep egrep fgrep ggrep", {
    harmless: grepOptions,
    reads: "-f= --file= --exclude-from=",
    hasNumericOptions: true,
    hasOnlyReadingOptions: true,
    follows: { with: ["-R", "--dereference-recursive"], inBusybox: ["-r", "--recursive"] },
    selectsLines: true,
    operands: {
      dataFirst: 1,
      unless: ["-e", "--regexp", "-f", "--file"],
      readsOrDirectory: ["-r", "-R", "--recursive", "--dereference-recursive"],
    },
    check: checkGrep,
  }),
  searcher("zgrep", {
    operands: "none",
    check: (_, report) => report.ask("zgrep runs other programs on its input"),
  }),
  searcher("rg ripgrep", {
    harmless:
      "-A= --after-context= -B= --before-context= -C= --context= --auto-hybrid-regex --binary --block-buffered -b --byte-offset -s --case-sensitive --color= --colors= --column --no-column -c --count --count-matches --crlf --debug --dfa-size-limit= -E= --encoding= --engine= --field-context-separator= --field-match-separator= --files -l --files-with-matches --files-without-match -F --fixed-strings -L --follow --no-follow -g= --glob= --glob-case-insensitive --heading --no-heading -. --hidden --no-hidden --iglob= -i --ignore-case --ignore-file-case-insensitive --include-zero -v --invert-match --json --line-buffered -n --line-number -N --no-line-number -x --line-regexp -M= --max-columns= --max-columns-preview -m= --max-count= -d= --max-depth= --maxdepth= --max-filesize= --mmap --no-mmap -U --multiline --multiline-dotall --no-config --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent --no-ignore-vcs --no-messages --no-require-git --no-unicode -0 --null --null-data --one-file-system -o --only-matching --passthru --passthrough --path-separator= -P --pcre2 --pcre2-version -p --pretty -q --quiet --regex-size-limit= -e= --regexp= -r= --replace= -S --smart-case --sort= --sortr= --sort-files --stats --stop-on-nonmatch -a --text -j= --threads= --trace --trim --no-trim -t= --type= -T= --type-not= --type-add= --type-clear= --type-list -u --unrestricted --vimgrep -H --with-filename -I --no-filename -w --word-regexp --context-separator= --no-context-separator --no-pre --no-search-zip --hyperlink-format= -V --version -h --help",
    reads: "-f= --file= --ignore-file=",
    asks: {
      "runs a program on every file": "--pre= --pre-glob=",
      "runs programs to unpack files": "-z --search-zip",
      "runs a program": "--hostname-bin=",
    },
    follows: { with: ["-L", "--follow"] },
    selectsLines: true,
    operands: {
      dataFirst: 1,
      unless: ["-e", "--regexp", "-f", "--file"],
      readsOrDirectory: "always",
    },
    check: checkRipgrep,
  }),
  searcher("ag", {
    harmless:
      "-A? --after? -B? --before? -C? --context? -c --count -i --ignore-case -s --case-sensitive -S --smart-case -l --files-with-matches -L --files-without-matches -g= -G= --file-search-regex= -n --norecurse -r -R --recurse -Q --literal -F --fixed-strings -v --invert-match -w --word-regexp -o --only-matching -q --column --nocolor --color --nogroup --group --heading --noheading --nobreak --break --numbers --nonumbers --hidden -u --unrestricted -U --skip-vcs-ignores -a --all-types -t --all-text --depth= --ignore= --ignore-dir= -m= --max-count= --stats --stats-only --vimgrep -0 --null --print0 --silent -f --follow --nofollow --js --ts --python --go --rust --html --css --json -V --version -h --help",
    asks: { "runs a program to show its output": "--pager=" },
    follows: { with: ["-f", "--follow"] },
    operands: { dataFirst: 1, unless: ["-g"], readsOrDirectory: "always" },
    check: listFoundFiles,
  }),
  searcher("ack ack-grep", {
    harmless:
      "-A? --after-context? -B? --before-context? -C? --context? -c --count -i --ignore-case -I --no-ignore-case -S --smart-case -l --files-with-matches -L --files-without-matches -g -f -n --no-recurse -r -R --recurse -Q --literal -v --invert-match -w --word-regexp -o -h --no-filename -H --with-filename --column --nocolor --nogroup --color --group --heading --noheading --nobreak --break -m= --max-count= -1 -s --noenv -t= --type= -T= --ignore-dir= --ignore-file= --print0 --version --help",
    asks: {
      "runs a program to show its output": "--pager=",
      "reads file names from its input or a file": "-x --files-from=",
    },
    operands: { dataFirst: 1, unless: ["-f"], readsOrDirectory: "always" },
    // The project's .ackrc can set options, including a pager.
    check: (parsed, report) => {
      if (!hasOption(parsed, "--noenv"))
        report.ask("ack without --noenv reads options from the project's .ackrc");
    },
  }),
  searcher("fd fdfind", {
    harmless:
      "-H --hidden --no-hidden -I --no-ignore --ignore --no-ignore-vcs --no-ignore-parent --no-global-ignore-file -u --unrestricted -s --case-sensitive -i --ignore-case -g --glob --regex -F --fixed-strings --and= -a --absolute-path --relative-path -L --follow --no-follow -p --full-path -0 --print0 -d= --max-depth= --min-depth= --exact-depth= --prune -t= --type= -e= --extension= -E= --exclude= -S= --size= --changed-within= --changed-before= --newer= --older= -o= --owner= --format= -c= --color= --hyperlink? -j= --threads= --max-results= -1 -q --quiet --show-errors --strip-cwd-prefix? --one-file-system --path-separator= -h --help -V --version",
    reads: "-C= --base-directory= --search-path= --ignore-file=",
    asks: { "runs a program": "-x= --exec= -X= --exec-batch= --batch-size= -l --list-details" },
    follows: { with: ["-L", "--follow"] },
    operands: { dataFirst: 1, readsOrDirectory: "always" },
    check: listEveryName,
  }),
  searcher("find gfind", {
    hasNoOptions: true,
    check: checkFind,
  }),
  searcher("locate mlocate plocate", {
    operands: "data",
    check: checkLocate,
  }),
];
