import type { TextFunction } from "./exported-functions.ts";

/** How many characters can reach a function at once, as far as it is fewer than a message or a file may have. */
export function reachOf({ file, name, takesAlone }: TextFunction): number {
  if (Object.hasOwn(reachOfNames, name)) return reachOfNames[name]!;
  if (takesAlone === "schema") return schemaCharacters;
  if (takesAlone === "value" || takenInPieces.has(name)) return piecesCharacters;
  const [, reach] = Object.entries(reachOfFolders).find(([folder]) => file.startsWith(folder)) ?? [];
  return reach ?? messageCharacters;
}

/** What a request to our server may have, and a text that an MCP server answers. */
const messageCharacters = 4_000_000;

const pathCharacters = 4096;
const scriptCharacters = 10_000;
/** Longer texts are edited, patched and compared in another thread. */
const quickCharacters = 200_000;

/** The tests divide it into 20,000 names or items, as many as a request may have. */
const piecesCharacters = 200_000;
/** In the names of properties: a schema of a server's tool has at most 100,000 characters, and most are around the names. */
const schemaCharacters = 30_000;
const takenInPieces: ReadonlySet<string> = new Set(
  (
    "createStepDraft outputOf summarize toStructuredContent moveReferences createVendorNames " +
    "findConfusable answerElicitation parseServerTool toolContent questionForm createAnswerCheck newQuestion maskedResult " +
    "noteInObject defaultsIn parsePolicyFile convertValue leaveOutNulls findUnknownKey collectStrings fitJson " +
    "mapStrings describeTodos formatColumns"
  ).split(" "),
);

/** The first one that fits counts. */
const reachOfFolders: Readonly<Record<string, number>> = {
  "kernel/policy/rules/": pathCharacters,
  "kernel/policy/hosts/": pathCharacters,
  "kernel/policy/": scriptCharacters,
  "machine/shell-syntax/": scriptCharacters,
  // What is kept of a program's output.
  "capabilities/diagnostics/": 300_000,
  // What is shown is cut before it is formatted, and so is a result.
  "faces/cli/": 500_000,
  "faces/acp/": 500_000,
  "capabilities/files/encoding/": messageCharacters,
  "capabilities/files/": quickCharacters,
  // Pages are converted in a thread with limits of its own.
  "capabilities/web/page/": 0,
  "capabilities/web/": 500_000,
  // Queries have at most 1,000 characters, and descriptions 2,000.
  "kernel/tool-search/": 2000,
  "formats/streams/": 2_000_000,
  "shared/glob/": pathCharacters,
  "shared/front-matter/": 2 ** 16,
  "shared/options/": 2 ** 19,
};

const reachOfNames: Readonly<Record<string, number>> = {
  quoteName: pathCharacters,
  relativeInside: pathCharacters,
  madeToolsFolder: pathCharacters,
  madeRecordsFile: pathCharacters,
  // A word of a command line, and a value in an environment, can't be longer on Linux.
  quoteWord: 2 ** 17,
  readIgnoreFile: 500_000,
  // What a file may have.
  readTemplate: 2 ** 18,
  parseVersion: 2 ** 20,
  // The tests give it to them five or six times, or with every character escaped by six.
  parseFrozen: messageCharacters / 6,
  createRedactor: messageCharacters / 5,
  approvalForm: messageCharacters / 6,
  approvalPages: messageCharacters / 6,
  // Fed in pieces as they are read.
  createStreamRedactor: 2 ** 16,
  // A person writes it on the command line.
  parseApprovalId: 1000,
  // The name of a file.
  refusePathPart: pathCharacters,
  // What is longer is cut before.
  // What one task may have.
  describeDetails: 20_000,
  // What an MCP server says of one tool.
  foldLines: 200_000,
  adaptOpenAiSchema: schemaCharacters,
  // A name, a pattern or a variable; of source code that is analysed, 500,000 characters.
  quoteControls: 500_000,
  quoteText: 500_000,
  // A name, a reason or one row; forms have at most 300,000 characters.
  escapeLine: 500_000,
  showLine: 300_000,
  showLookAlikes: 300_000,
  markRows: 300_000,
  labelRows: 300_000,
  ownRows: 300_000,
  // A result, which is cut before it is shown.
  escapeControls: 500_000,
  fencedText: 500_000,
  codeSpan: 1000,
  // It shows at most a thousand characters, and reads four times as many.
  cleanLine: 4000,
  // The names of all tools.
  nearestNames: 200_000,
  // It shows at most some thousand characters, and reads four times as many.
  oneLine: 100_000,
};
