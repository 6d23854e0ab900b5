import { fc } from "../../../support/fuzz.ts";

const addresses = [
  "",
  "",
  "1",
  "$",
  "1,2",
  "/a/",
  "/a/I,$",
  "\\,a,",
  "0,/b/",
  "1~2",
  "2,+1",
  "/[/]/",
  "1!",
  "/a/ !",
];
const commands = [
  ..."p d D g G h H x n N = l q z F { } b t T : a i c w r e W R v".split(" "),
  ...["q5", "l 3", "b a", ":a", "ta", "a w x", "a\\\nw x", "i\\", "c\\\\", "#w", "w x", "r x", "e x", "1e x"],
  ...[
    "s/a/b/",
    "s/a/b/w x",
    "s/a/b/e",
    "s,a,b,g",
    "s/[/]/b/",
    "s/a\\/b/c/p",
    "s/a/\\\n/",
    "sxaxbx",
    "s a b ",
  ],
  ...["y/ab/cd/", "y/a\\/b/cde/", "y,a,b,", "s/[]/]/b/", "s/[^]/]/b/", "s/[a\\]/b/w x", "s/\\[/b/w x"],
];
const separators = [";", "\n", " ; ", " ", "", "}", "{", " #", ";}", "\n}"];
/** Scripts of sed made of pieces in which one reading may take for text what another takes for a command. */
export const sedScript = fc
  .array(
    fc.tuple(
      fc.constantFrom(...addresses),
      fc.constantFrom(...commands),
      fc.constantFrom(...separators),
      fc.constantFrom("", "", "", "/", "\\", "w x", " "),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.flat().join(""));
