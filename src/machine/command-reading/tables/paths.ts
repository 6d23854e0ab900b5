import { programsLike } from "../program.ts";

const namer = programsLike({ category: "read", operands: "data" });

/** Programs that only work on file names. */
export const pathPrograms = [
  namer("basename dirname", {
    harmless: "-a --multiple -s= --suffix= -z --zero --help --version",
    hasOnlyHarmlessOptions: true,
    showsNoContent: true,
  }),
  namer("realpath readlink", {
    harmless:
      "-e --canonicalize-existing -f --canonicalize -m --canonicalize-missing -L --logical -P --physical -q --quiet -s --strip --no-symlinks -z --zero -n --no-newline --silent -v --verbose --help --version",
    reads: "--relative-to= --relative-base=",
    hasOnlyReadingOptions: true,
    showsNoContent: true,
    operands: "reads",
  }),
  namer("pathchk", {
    harmless: "-p -P --portability",
    hasOnlyHarmlessOptions: true,
  }),
];
