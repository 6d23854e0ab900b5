import { aCount, aFlag, arrayOf, aText, objectOf } from "../../../tool/builtin/schema-parts.ts";

const columns = arrayOf(objectOf({ name: aText }, { type: aText }));
const rows = {
  ...arrayOf({ type: "array" }),
  description:
    "Values in the order of the columns; {integer} is a whole number beyond 2^53, {real} is NaN, an infinity or -0, {base64} is bytes",
};
const limits = {
  cutBy: { enum: ["rows", "bytes", "characters"], description: "The limit that left rows out" },
};

export const queriedRows = objectOf({ columns, rows, truncated: aFlag }, limits);

export const updateReport = objectOf({
  committed: aFlag,
  results: arrayOf(objectOf({ affected: aCount }, { columns, rows, ...limits })),
});
