import { defineProgram } from "../program.ts";

/** Programs that only work on file names. */
export const pathPrograms = [
  defineProgram({
    names: ["basename", "dirname"],
    category: "read",
    harmless: "-a --multiple -s= --suffix= -z --zero --help --version",
    hasOnlyHarmlessOptions: true,
    showsNoContent: true,
    operands: "data",
  }),
  defineProgram({
    names: ["realpath", "readlink"],
    category: "read",
    harmless:
      "-e --canonicalize-existing -f --canonicalize -m --canonicalize-missing -L --logical -P --physical -q --quiet -s --strip --no-symlinks -z --zero -n --no-newline --silent -v --verbose --help --version",
    reads: "--relative-to= --relative-base=",
    hasOnlyReadingOptions: true,
    showsNoContent: true,
    operands: "reads",
  }),
  defineProgram({
    names: ["pathchk"],
    category: "read",
    harmless: "-p -P --portability",
    hasOnlyHarmlessOptions: true,
    operands: "data",
  }),
];
