/**
 * What a made tool may ask for, and the weight of it: `reads` changes nothing, `files` changes nothing but files, `acts` may
 * do more. Whatever it asks for is judged again when it is used. Only what travels as JSON.
 */
export const grants: ReadonlyMap<string, "reads" | "files" | "acts"> = new Map([
  ["files.readText", "reads"],
  ["files.readLines", "reads"],
  ["files.list", "reads"],
  ["search.glob", "reads"],
  ["search.grep", "reads"],
  ["search.grepFiles", "reads"],
  ["files.writeText", "files"],
  ["files.editTexts", "files"],
  ["files.remove", "files"],
  ["files.makeDirectory", "files"],
  ["files.move", "files"],
  ["files.copy", "files"],
  ["web.read", "acts"],
  ["web.search", "acts"],
  ["processes.run", "acts"],
]);
