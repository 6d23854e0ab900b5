import { defineProgram, type Program, type ProgramDefinition } from "../program.ts";
import {
  checkBlame,
  checkConfig,
  checkDiff,
  checkGitFormat,
  checkGrep,
  checkReflog,
  checkRevisions,
  checkTracked,
  listsOnlyWith,
} from "./git-checks.ts";

/** Options that `log`, `show` and `diff` share. */
const diffOptions =
  "-p -u --patch -s --no-patch -U? --unified? --output-indicator-new= --output-indicator-old= --raw --patch-with-raw --indent-heuristic --no-indent-heuristic --minimal --patience --histogram --anchored= --diff-algorithm= --stat? --compact-summary --numstat --shortstat -X? --dirstat? --cumulative --dirstat-by-file? --summary --patch-with-stat -z --name-only --name-status --submodule? --color? --no-color --color-moved? --no-color-moved --color-moved-ws= --word-diff? --word-diff-regex= --color-words? --no-renames --rename-empty --no-rename-empty --check --ws-error-highlight= --full-index --binary --abbrev? -B? --break-rewrites? -M? --find-renames? -C? --find-copies? --find-copies-harder -D --irreversible-delete -l= --diff-filter= -S= -G= --find-object= --pickaxe-all --pickaxe-regex --skip-to= --rotate-to= -R --relative? --no-relative -a --text --ignore-cr-at-eol --ignore-space-at-eol -b --ignore-space-change -w --ignore-all-space --ignore-blank-lines -I= --ignore-matching-lines= --inter-hunk-context= -W --function-context --exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules? --src-prefix= --dst-prefix= --no-prefix --default-prefix --line-prefix= --ita-invisible-in-index --cached --staged --merge-base -0 -1 -2 -3 --base --ours --theirs";

const logOptions =
  "--follow --no-decorate --decorate? --decorate-refs= --decorate-refs-exclude= --source --mailmap --use-mailmap --no-mailmap --full-diff --log-size -n= --max-count= --skip= --since= --after= --until= --before= --since-as-filter= --author= --committer= --grep= --grep-reflog= --all-match --invert-grep -i --regexp-ignore-case -E --extended-regexp -F --fixed-strings -P --perl-regexp --basic-regexp --remove-empty --merges --no-merges --min-parents= --max-parents= --no-min-parents --no-max-parents --first-parent --exclude-first-parent-only --not --all --branches? --tags? --remotes? --glob= --exclude= --exclude-hidden= --reflog --single-worktree --ignore-missing --bisect --cherry-mark --cherry-pick --left-only --right-only --cherry -g --walk-reflogs --merge --boundary --simplify-by-decoration --show-pulls --full-history --dense --sparse --simplify-merges --ancestry-path? --date-order --author-date-order --topo-order --reverse --no-walk? --do-walk --abbrev-commit --no-abbrev-commit --oneline --encoding= --expand-tabs? --no-expand-tabs --notes? --no-notes --show-notes? --show-notes-by-default --relative-date --date= --parents --children --left-right --graph --no-graph --show-linear-break? --count --clear-decorations -c --cc --combined-all-paths -m --diff-merges= --no-diff-merges -t --root -L= -q";

function reading(name: string, own: Partial<ProgramDefinition>): Program {
  return defineProgram({
    names: [name],
    category: "general",
    hasNumericOptions: true,
    operands: "checked",
    check: checkRevisions,
    ...own,
  });
}

const refOptions =
  "--count= --sort= --format= --color? --points-at= --merged? --no-merged? --contains? --no-contains? --ignore-case --omit-empty --exclude= --shell --python --tcl";

const listing = "-l --list --contains --no-contains --merged --no-merged --points-at".split(" ");

const programs = [
  reading("status", {
    harmless:
      "-s --short -b --branch --no-branch --show-stash --porcelain? --long -v --verbose -u? --untracked-files? --ignore-submodules? --ignored? -z --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames?",
  }),
  reading("diff", { harmless: diffOptions, check: checkDiff }),
  reading("log", { harmless: `${diffOptions} ${logOptions} --format= --pretty?` }),
  reading("show", { harmless: `${diffOptions} ${logOptions} --format= --pretty?` }),
  reading("whatchanged", { harmless: `${diffOptions} ${logOptions} --format= --pretty?` }),
  reading("shortlog", {
    harmless:
      "-n --numbered -s --summary -e --email -w? -c --committer --group= --since= --until= --after= --before= --author= --all --no-merges --merges --format=",
  }),
  reading("rev-list", {
    harmless: `${logOptions} --format= --pretty? --objects --disk-usage? --timestamp --header`,
  }),
  reading("rev-parse", {
    harmless:
      "--abbrev-ref? --short? --verify -q --quiet --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --symbolic --symbolic-full-name --all --branches? --tags? --remotes? --show-object-format? --revs-only --no-revs --flags --no-flags --default=",
  }),
  reading("branch", {
    harmless: `-a --all -r --remotes -v -vv --verbose -l --list --show-current --abbrev? --no-abbrev --column? --no-column -i ${refOptions}`,
    check: listsOnlyWith(...listing),
  }),
  reading("tag", {
    harmless: `-l --list -n? --column? --no-column -i ${refOptions}`,
    hasNumericOptions: false,
    check: listsOnlyWith(...listing, "-n"),
  }),
  reading("for-each-ref", { harmless: `${refOptions} --perl`, check: checkGitFormat }),
  reading("show-ref", {
    harmless:
      "--head --heads --branches --tags -d --dereference -s --hash? --verify --abbrev? -q --quiet --exists",
  }),
  reading("ls-files", {
    harmless:
      "-z -t -v -f -c --cached -d --deleted -o --others -i --ignored -s --stage -u --unmerged -k --killed -m --modified --directory --no-empty-directory --eol --deduplicate -x= --exclude= --exclude-standard --error-unmatch --full-name --abbrev? --debug --format=",
    check: checkTracked,
  }),
  reading("ls-tree", {
    harmless:
      "-d -r -t -l --long -z --name-only --name-status --object-only --full-name --full-tree --abbrev? --format=",
  }),
  reading("blame", {
    harmless:
      "-b --root --show-stats -L= -l -t -p --porcelain --line-porcelain --incremental --encoding= -M? -C? -h -c --score-debug -f --show-name -n --show-number -s -e --show-email -w --date= --abbrev= --since= --color-lines --color-by-age --reverse --first-parent --no-progress --progress",
    check: checkBlame,
  }),
  reading("annotate", { harmless: "-L= -l -t -w -M? -C? -s -e", check: checkBlame }),
  reading("grep", {
    harmless:
      "--cached --untracked --no-exclude-standard --exclude-standard -a --text --no-textconv -i --ignore-case -I --max-depth= -r --recursive --no-recursive -w --word-regexp -v --invert-match -h -H --full-name -E --extended-regexp -G --basic-regexp -P --perl-regexp -F --fixed-strings -n --line-number --column -l --files-with-matches --name-only -L --files-without-match -z --null -o --only-matching -c --count --color? --no-color --break --heading -p --show-function -A= --after-context= -B= --before-context= -C= --context= -W --function-context -m= --max-count= --threads= -e= --and --or --not --all-match -q --quiet",
    asks: { "opens files in a program": "-O? --open-files-in-pager?" },
    check: checkGrep,
  }),
  reading("describe", {
    harmless:
      "--tags --all --always --long --contains --abbrev= --candidates= --exact-match --debug --match= --exclude= --first-parent",
    asks: { "rewrites what git knows of the files": "--dirty? --broken?" },
  }),
  reading("symbolic-ref", {
    harmless: "--short -q --quiet",
    hasNumericOptions: false,
    check: ({ operands }, report) => {
      if (operands.length !== 1) report.ask("git symbolic-ref with two names changes the repository");
    },
  }),
  reading("name-rev", { harmless: "--tags --refs= --exclude= --all --name-only --no-undefined --always" }),
  reading("merge-base", { harmless: "-a --all --octopus --independent --is-ancestor --fork-point" }),
  reading("cat-file", {
    harmless: "-t -s -e -p --batch-check? --buffer --unordered --batch-all-objects --allow-unknown-type",
  }),
  reading("count-objects", {
    harmless: "-v --verbose -H --human-readable",
    operands: "none",
    check: () => {},
  }),
  reading("diff-tree", { harmless: `${diffOptions} -r -t --root --no-commit-id --stdin -m -c --cc` }),
  reading("diff-index", { harmless: diffOptions }),
  reading("diff-files", { harmless: `${diffOptions} -q` }),
  reading("check-ignore", { harmless: "-q --quiet -v --verbose -n --non-matching --no-index -z" }),
  reading("check-attr", { harmless: "-a --all --cached -z", hasNumericOptions: false }),
  reading("cherry", { harmless: "-v --abbrev?" }),
  reading("var", { check: (_, report) => report.ask("git var shows the user's settings") }),
  reading("config", {
    harmless:
      "--get --get-all --local --global --system -z --null --name-only --show-origin --show-scope --type= --bool --int --path",
    hasNumericOptions: false,
    stopsAtOperand: true,
    check: checkConfig,
  }),
  reading("remote", { harmless: "-v --verbose", operands: "none", check: () => {} }),
  reading("remote get-url", { harmless: "--all --push", operands: "data", check: () => {} }),
  reading("stash list", { harmless: `${logOptions} ${diffOptions} --format= --pretty?` }),
  reading("stash show", { harmless: `${diffOptions} --include-untracked --only-untracked` }),
  reading("reflog", { harmless: `${logOptions} --format= --pretty?`, check: checkReflog }),
  reading("reflog show", { harmless: `${logOptions} --format= --pretty?` }),
  reading("worktree list", { harmless: "--porcelain -v -z", operands: "none", check: () => {} }),
  reading("submodule status", {
    harmless: "--recursive --cached",
    check: (_, report) => report.ask("git submodule runs a script"),
  }),
  reading("notes list", {}),
  reading("bisect log", { check: (_, report) => report.ask("git bisect is not known to be read-only") }),
  reading("help", { check: (_, report) => report.ask("git help runs a program to show its output") }),
];

/** Read-only subcommands, keyed by their one or two words. */
export const gitCommands: ReadonlyMap<string, Program> = new Map(
  programs.map((program) => [program.names[0]!, program]),
);

/** Subcommands that contact another machine. */
export const remoteCommands: ReadonlySet<string> = new Set(
  "fetch pull push clone ls-remote remote-https remote-ssh send-pack fetch-pack archive submodule lfs".split(
    " ",
  ),
);
