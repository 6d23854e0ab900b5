import { knownText } from "../known-words.ts";
import { hasOption, optionValues } from "../parse-arguments.ts";
import { type ProgramCheck, programsLike } from "../program.ts";

/** `ps` can show the environment of any process. */
const checkProcesses: ProgramCheck = (parsed, report) => {
  // These select the BSD syntax, where an e shows the environment.
  const isOldStyle = parsed.options.some(({ name }) => /^-(?:x|aux)/.test(name));
  if (isOldStyle && hasOption(parsed, "-e")) report.ask("ps may show the environment of processes");
  for (const word of optionValues(parsed, "-o", "-O", "--format", "--sort"))
    if (/env/i.test(knownText(word) ?? "env")) report.ask("ps may show the environment of processes");
  for (const word of parsed.operands) {
    const text = knownText(word);
    if (text === undefined) report.ask("the processes it shows are unknown until it runs");
    else if (!/^[auxfwljvTrLghn]+$/.test(text) && !/^[\d,]+$/.test(text)) {
      report.ask(`ps ${text} may show the environment of processes`);
    }
  }
};

const lister = programsLike({ category: "list", operands: "reads" });

/** Programs that list files, sizes, types and processes. */
export const listingPrograms = [
  lister("ls dir vdir", {
    harmless:
      "-a --all -A --almost-all --author -b --escape --block-size= -B --ignore-backups -c -C --color? -d --directory -D --dired -f -F --classify? --file-type --format= --full-time -g --group-directories-first -G --no-group -h --human-readable --si -H --dereference-command-line --dereference-command-line-symlink-to-dir --hide= --hyperlink? --indicator-style= -i --inode -I= --ignore= -k --kibibytes -l -L --dereference -m -n --numeric-uid-gid -N --literal -o -p -q --hide-control-chars --show-control-chars -Q --quote-name --quoting-style= -r --reverse -R --recursive -s --size -S --sort= --time= --time-style= -t -T= --tabsize= -u -U -v -w= --width= -x -X -Z --context --zero -1 --help --version",
    hasOnlyHarmlessOptions: true,
    mayTakeNoValue: ["-I", "-T", "-w"],
    follows: { with: ["-L", "--dereference"] },
    showsNoContent: true,
    operands: { readsOrDirectory: "always" },
    check: (parsed, report) =>
      report.list({
        isNullSeparated: hasOption(parsed, "--zero"),
        prefix: "",
        folder: ".",
        names: [],
        source: { places: [...report.found.reads], isFlat: !hasOption(parsed, "-R", "--recursive") },
      }),
  }),
  lister("exa eza", {
    harmless:
      "-1 -a --all -l --long -T --tree -L= --level= -R --recurse -d -D -r --reverse -s= --sort= -h --header -g -b -B -i -S --git --color= --icons? --group-directories-first -I= --ignore-glob= --git-ignore --no-permissions --no-user --no-time --help --version",
    operands: { readsOrDirectory: "always" },
  }),
  lister("tree", {
    harmless:
      "-a -d -l -f -x -L: -I: -P: -J -X -H: -T: -p -u -g -s -h -D -F -q -N -Q -r -t -v -c -U -S -A -C -n -i --si --du --prune --dirsfirst --filesfirst --sort? --noreport --nolinks --charset= --filelimit= --timefmt= --inodes --device --matchdirs --ignore-case --metafirst --gitignore --info --fflinks --help --version",
    reads: "--hintro= --houtro=",
    asks: {
      "writes a file": "-o:",
      "writes a file in every folder": "-R",
      "reads its tree from a file": "--fromfile --gitfile= --infofile=",
    },
    follows: { with: ["-l"] },
    operands: { readsOrDirectory: "always" },
  }),
  lister("du", {
    harmless:
      "-0 --null -a --all --apparent-size -B= --block-size= -b --bytes -c --total -D -H --dereference-args -d= --max-depth= -h --human-readable --inodes -k -L --dereference -l --count-links -m -P --no-dereference -S --separate-dirs --si -s --summarize -t= --threshold= --time? --time-style= --exclude= -x --one-file-system --help --version",
    reads: "-X= --exclude-from=",
    asks: { "reads file names from a file": "--files0-from=" },
    hasOnlyReadingOptions: true,
    follows: { with: ["-L", "--dereference"] },
    showsNoContent: true,
    operands: { readsOrDirectory: "always" },
  }),
  lister("df", {
    harmless:
      "-a --all -B= --block-size= -h --human-readable -H --si -i --inodes -k -l --local -m --no-sync --output? -P --portability -t= --type= -T --print-type -v -x= --exclude-type= --total --help --version",
    asks: { "flushes pending writes to the disk": "--sync" },
  }),
  lister("stat", {
    harmless:
      "-L --dereference -f --file-system --cached= -c= --format= --printf= -t --terse --help --version",
    hasOnlyHarmlessOptions: true,
    showsNoContent: true,
  }),
  lister("file", {
    harmless:
      "-b --brief -i --mime --mime-type --mime-encoding -k --keep-going -L --dereference -h --no-dereference -r --raw -N --no-pad -0 --print0 -F= --separator= -n --no-buffer -s --special-files -v --version --help --extension --apple -e= --exclude= -P= --parameter=",
    asks: {
      "writes a compiled file": "-C --compile",
      "runs programs to unpack files": "-z --uncompress -Z --uncompress-noreport",
      "reads its rules or file names from a file": "-m= --magic-file= -f= --files-from=",
    },
  }),
  lister("ps", {
    harmless:
      "-aux -auxf -auxww -A -a -d -e -f -F -j -l -L -N -T -y -M -w -H -x --forest --headers --no-headers --no-heading --cols= --columns= --width= --rows= --lines= --deselect -C= -g= -G= -p= --pid= --ppid= -q= -s= -t= --sort= -o= --format= -O= --help -V --version",
    operands: "checked",
    check: checkProcesses,
  }),
  lister("pgrep pidof", {
    harmless: "-l -a -f -x -u= -n -o -c -d= -s -v",
    operands: "data",
    check: ({ operands }, report) => {
      if (operands.some((word) => knownText(word) === undefined))
        report.ask("the name it searches for is unknown until it runs");
    },
  }),
  lister("free uptime vmstat lscpu lsblk nproc lsmem", {
    harmless:
      "-h --human -m -g -b -k -t --total -w -p --pretty -s -a --all --ignore= -V --version --help -J -o= -f -l",
    operands: "none",
  }),
];
