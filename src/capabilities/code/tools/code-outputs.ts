import { aCount, aFlag, arrayOf, aText, objectOf, texts } from "../../../tool/builtin/schema-parts.ts";

const symbol = objectOf(
  { name: aText, kind: aText, line: aCount, endLine: aCount },
  { parent: aText, exportedAs: texts },
);
const imported = objectOf(
  { from: aText, line: aCount, kind: { enum: ["import", "reexport", "dynamic", "require"] }, names: texts },
  { isTypeOnly: aFlag },
);
const problems = arrayOf(objectOf({ line: aCount, message: aText }));

export const analyzedCode = objectOf(
  {
    path: aText,
    files: arrayOf(
      objectOf({ path: aText, symbols: arrayOf(symbol), imports: arrayOf(imported), problems, isCut: aFlag }),
    ),
    skipped: arrayOf(objectOf({ path: aText, why: aText })),
    total: { ...aCount, description: "Files of code that were found" },
    truncated: aFlag,
  },
  { offset: aCount, nextOffset: aCount },
);

export const formattedCode = objectOf({
  formatter: aText,
  changed: arrayOf(objectOf({ path: aText }, { diff: aText })),
  unchanged: texts,
  failed: arrayOf(objectOf({ path: aText, why: aText })),
  isCheck: { ...aFlag, description: "Nothing was written" },
});
