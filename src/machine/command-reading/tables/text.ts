import { knownText } from "../known-words.ts";
import { optionValues } from "../parse-arguments.ts";
import { type ProgramCheck, programsLike } from "../program.ts";

/** The second operand is the output file. */
const writesSecondOperand: ProgramCheck = ({ operands }, report) => {
  const [input, output, ...more] = operands;
  if (input !== undefined) report.readOperand(input);
  if (output !== undefined) report.write(output);
  if (more.length > 0) report.ask("it expects at most two files");
  // A glob may become two names, the second of which would be written.
  if (input !== undefined && knownText(input) === undefined)
    report.ask(`${input.source} may become several files`);
};

const kind = { category: "read", harmless: "--help --version", operands: "reads" } as const;

/** A program whose options, listed or not, never do more than print. */
const reader = programsLike({ ...kind, hasOnlyHarmlessOptions: true });

/** A program of which some options do more than print, or name files to read. */
const chooser = programsLike(kind);

/** Programs that read, cut and sort text. */
export const textPrograms = [
  reader("cat", {
    harmless:
      "-A --show-all -b --number-nonblank -e -E --show-ends -n --number -s --squeeze-blank -t -T --show-tabs -u -v --show-nonprinting",
  }),
  reader("tac", { harmless: "-b --before -r --regex -s= --separator=" }),
  reader("rev", { harmless: "-0 --zero" }),
  reader("head", {
    harmless: "-c= --bytes= -n= --lines= -q --quiet --silent -v --verbose -z --zero-terminated",
    hasNumericOptions: true,
    selectsLines: true,
  }),
  chooser("tail", {
    harmless:
      "-c= --bytes= -n= --lines= -q --quiet --silent -v --verbose -z --zero-terminated --max-unchanged-stats= -s= --sleep-interval=",
    hasOnlyReadingOptions: true,
    hasNumericOptions: true,
    hasPlusOptions: true,
    selectsLines: true,
    asks: { "may wait forever": "-f -F --follow? --retry --pid=" },
  }),
  chooser("wc", {
    harmless: "-c --bytes -m --chars -l --lines -L --max-line-length -w --words --total=",
    hasOnlyReadingOptions: true,
    showsNoContent: true,
    asks: { "reads file names from a file": "--files0-from=" },
  }),
  reader("nl", {
    harmless:
      "-b= --body-numbering= -d= --section-delimiter= -f= --footer-numbering= -h= --header-numbering= -i= --line-increment= -l= --join-blank-lines= -n= --number-format= -p --no-renumber -s= --number-separator= -v= --starting-line-number= -w= --number-width=",
  }),
  reader("cut", {
    harmless:
      "-b= --bytes= -c= --characters= -d= --delimiter= -f= --fields= -n --complement -s --only-delimited --output-delimiter= -z --zero-terminated",
  }),
  reader("paste", { harmless: "-d= --delimiters= -s --serial -z --zero-terminated" }),
  reader("join", {
    harmless:
      "-a= -e= -i --ignore-case -j= -o= -t= -v= -1= -2= --check-order --nocheck-order --header -z --zero-terminated",
  }),
  reader("comm", {
    harmless: "-1 -2 -3 --check-order --nocheck-order --output-delimiter= --total -z --zero-terminated",
  }),
  reader("fold", {
    harmless: "-b --bytes -s --spaces -w= --width= -c --characters",
    hasNumericOptions: true,
  }),
  reader("fmt", {
    harmless:
      "-c --crown-margin -p= --prefix= -s --split-only -t --tagged-paragraph -u --uniform-spacing -w= --width= -g= --goal=",
    hasNumericOptions: true,
    mayTakeNoValue: ["-p"],
  }),
  reader("expand unexpand", {
    harmless: "-i --initial -t= --tabs= -a --all --first-only",
    hasNumericOptions: true,
  }),
  reader("column", {
    harmless:
      "-t --table -s= --separator= -o= --output-separator= -c= --output-width= -n= -N= --table-columns= -R= --table-right= -T= -H= -J --json -x --fillrows -e -L --keep-empty-lines",
    mayTakeNoValue: ["-n"],
  }),
  reader("tsort"),
  reader("pr", {
    harmless: "-a -b -c -d -f -F -J -m -r -t -T -v -l= -w= -W= -h= -o= -n? -e? -i? -s? -S? -D= -N=",
    hasNumericOptions: true,
    hasPlusOptions: true,
  }),
  reader("tr", {
    harmless: "-c -C --complement -d --delete -s --squeeze-repeats -t --truncate-set1",
    operands: "data",
  }),
  chooser("base64 base32 basenc", {
    harmless:
      "-d --decode -D -i --ignore-garbage -w= --wrap= --base64 --base64url --base32 --base32hex --base16 --base2msbf --z85", // On macOS, -o writes a file.
  }),
  chooser("md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum", {
    harmless:
      "-b --binary -t --text --tag -z --zero -l= --length= --ignore-missing --quiet --status --strict -w --warn",
    hasOnlyReadingOptions: true,
    asks: { "reads file names from a file": "-c --check" },
  }),
  chooser("shasum", {
    harmless: "-a= --algorithm= -b --binary -t --text -p --portable",
  }),
  chooser("cksum sum", {
    harmless: "-a= --algorithm= -l= --length= -r -s --sysv --raw --untagged --tag -z --zero --base64",
    hasOnlyReadingOptions: true,
    asks: { "reads file names from a file": "-c --check" },
  }),
  reader("od", {
    harmless:
      "-A= --address-radix= -j= --skip-bytes= -N= --read-bytes= -S? --strings? -t= --format= -v --output-duplicates -w? --width? -a -b -c -d -f -h -i -l -o -s -x --endian= --traditional",
  }),
  chooser("hexdump hd", {
    harmless:
      "-b --one-byte-octal -c --one-byte-char -C --canonical -d --two-bytes-decimal -o --two-bytes-octal -x --two-bytes-hex -X -e= --format= -n= --length= -s= --skip= -v --no-squeezing -L? --color?",
    hasOnlyReadingOptions: true,
    reads: "-f= --format-file=",
  }),
  chooser("strings", {
    harmless:
      "-a --all -d --data -f --print-file-name -n= --bytes= -t= --radix= -o -e= --encoding= -w --include-all-whitespace -s= --output-separator=",
    hasNumericOptions: true,
    hasArgumentFiles: true,
  }),
  chooser("sort", {
    harmless:
      "-b|--ignore-leading-blanks -d|--dictionary-order -f|--ignore-case -g|--general-numeric-sort -i|--ignore-nonprinting -M|--month-sort -h|--human-numeric-sort -n|--numeric-sort -R|--random-sort -r|--reverse --sort= -V|--version-sort --batch-size= -c|--check? -C --debug -k=|--key= -m|--merge -s|--stable -S=|--buffer-size= -t=|--field-separator= --parallel= -u|--unique -z|--zero-terminated",
    selectsLines: true,
    reads: "--random-source=",
    writes: "-o=|--output=",
    asks: {
      "runs a program": "--compress-program=",
      "writes files elsewhere": "-T= --temporary-directory=",
      "reads file names from a file": "--files0-from=",
    },
  }),
  chooser("shuf", {
    harmless: "-e --echo -i= --input-range= -n= --head-count= -r --repeat -z --zero-terminated",
    reads: "--random-source=",
    writes: "-o=|--output=",
  }),
  chooser("uniq", {
    harmless:
      "-c --count -d --repeated -D --all-repeated? -f= --skip-fields= --group? -i --ignore-case -s= --skip-chars= -u --unique -z --zero-terminated -w= --check-chars=",
    hasNumericOptions: true,
    // Where options end at the first operand, `uniq a -c` writes a file named -c.
    mayStopAtOperand: true,
    selectsLines: true,
    operands: "checked",
    check: writesSecondOperand,
  }),
  chooser("xxd", {
    harmless:
      "-a -b -c= -cols= -C -d -e -E -g= -groupsize= -h -i -l= -len= -n= -name= -o= -p -ps -plain -postscript -r -s= -seek= -u -v -R=",
    hasNoBundles: true,
    stopsAtOperand: true,
    operands: "checked",
    check: writesSecondOperand,
  }),
  chooser("iconv", {
    harmless: "-f= --from-code= -t= --to-code= -l --list -c -s --silent",
    writes: "-o=|--output=",
    check: (parsed, report) => {
      // A name with a slash may be the path of a table of characters.
      for (const code of optionValues(parsed, "-f", "--from-code", "-t", "--to-code"))
        if (knownText(code)?.includes("/") ?? true) report.read(code);
    },
  }),
  chooser("diff", {
    harmless:
      "-q --brief -s --report-identical-files -c -C= --context? -u -U= --unified? -e --ed -n --rcs -y --side-by-side -W= --width= --left-column --suppress-common-lines -p --show-c-function -F= --show-function-line= --label= -L= -t --expand-tabs -T --initial-tab --tabsize= --suppress-blank-empty -r --recursive --no-dereference -N --new-file --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case -x= --exclude= -S= --starting-file= -i --ignore-case -E --ignore-tab-expansion -Z --ignore-trailing-space -b --ignore-space-change -w --ignore-all-space -B --ignore-blank-lines -I= --ignore-matching-lines= -a --text --strip-trailing-cr -D= --ifdef= --line-format= --old-line-format= --new-line-format= --unchanged-line-format= --old-group-format= --new-group-format= -d --minimal --horizon-lines= --speed-large-files --color? --palette= -v",
    hasNumericOptions: true,
    reads: "--from-file= --to-file= -X= --exclude-from=",
    follows: { with: "always", unless: ["--no-dereference"] },
    asks: { "runs a program": "-l --paginate" },
  }),
  chooser("colordiff", {
    harmless: "-u -U= --unified? -r -q --brief -y -w -b -i -N",
    follows: { with: "always" },
  }),
  chooser("sdiff", {
    harmless: "-s -w= -l -i -E -b -W -B -a -t -d --suppress-common-lines",
    follows: { with: "always" },
    writes: "-o=|--output=",
  }),
  chooser("diff3", {
    harmless: "-a -e -E -i -m -A -x -X -3 -T --text --merge",
    asks: { "runs a program": "--diff-program=" },
  }),
  reader("cmp", {
    harmless: "-b --print-bytes -i= --ignore-initial= -l --verbose -n= --bytes= -s --quiet --silent",
    operands: "checked",
    check: ({ operands }, report) => {
      // The third and fourth operands are numbers of bytes to skip.
      for (const file of operands.slice(0, 2)) report.readOperand(file);
      if (operands.length > 2 && operands.some((word) => knownText(word) === undefined))
        report.ask("the files it compares are unknown until it runs");
    },
  }),
  reader("look", { harmless: "-d -f -a -t=", operands: { dataFirst: 1 } }),
  chooser("less more", {
    harmless: "-N -S -R -r -F -X -n -i -I -s -E -e -K -M -m -f -d -c -l -u",
    hasNumericOptions: true,
    asks: {
      "writes a file": "-o= -O= --log-file= --LOG-FILE=",
      "reads its keys from a file": "-k= --lesskey-file= --lesskey-src=",
    },
    operands: "reads",
    check: ({ operands }, report) => {
      if (operands.some((word) => knownText(word)?.startsWith("+")))
        report.ask("a + argument runs a command of the pager, which may do anything");
    },
  }),
  chooser("bat batcat", {
    harmless:
      "-p --plain -A --show-all -n --number -l= --language= -H= --highlight-line= -r= --line-range= --style= --color= --theme= --paging=never --decorations= --wrap= --tabs= -P --no-pager --terminal-width= -u --unbuffered -f --force-colorization",
    asks: { "runs a program to show its output": "--pager= --paging=" },
  }),
];
