import { bar } from "../support/bar.mjs";
import { measureInTurns } from "./measure-in-turns.mjs";
import { openFilesSession } from "./open-files-session.mjs";
import { runRipgrep } from "./run-ripgrep.mjs";
import { toRows } from "./to-rows.mjs";

const rounds = 60;
const floor = "rg --files";
const questions = [
  { title: "the walk alone, nothing found", pattern: "**/no-such-file-5f1c.txt", limit: 1.05 },
  { title: "every file, newest first, with sizes", pattern: "**/*", limit: 1.5 },
];

/** Finding files in the whole tree by their paths. */
export async function measureGlob({ size, tree }) {
  const session = await openFilesSession(tree);
  const report = { tables: [], bars: [] };
  for (const { title, pattern, limit } of questions) {
    const { times, files } = await measureQuestion(pattern, { size, tree, session });
    report.tables.push({ title: `glob, ${title} (${files} files)`, rows: toRows(times, { floor }) });
    const value = times.get("search_glob").best / times.get(floor).best;
    report.bars.push(bar(`search_glob over rg --files, ${title}`, { value, limit }));
  }
  await session.close();
  return report;
}

async function measureQuestion(pattern, { size, tree, session }) {
  const rawArguments = ["--files", "--hidden", "--no-ignore", `--glob=${pattern}`, "./"];
  const files = await runRipgrep(rawArguments, tree);
  const candidates = [
    { name: floor, run: () => runRipgrep(rawArguments, tree) },
    {
      name: "search_glob",
      async run() {
        const { total, leftOut = 0 } = await session.call("search_glob", { pattern, include_ignored: true });
        if (total + leftOut !== files) throw new Error(`search_glob finds ${total} files, ripgrep ${files}`);
      },
    },
  ];
  return { files, times: await measureInTurns(candidates, { size, rounds }) };
}
