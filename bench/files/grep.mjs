import { bar } from "../support/bar.mjs";
import { measureInTurns } from "./measure-in-turns.mjs";
import { openFilesSession } from "./open-files-session.mjs";
import { runRipgrep } from "./run-ripgrep.mjs";
import { toRows } from "./to-rows.mjs";

const rounds = 60;
const floor = "raw ripgrep";
const searches = [
  { title: "a rare literal", pattern: "MAX_SAFE_INTEGER", literal: true },
  { title: "a regular expression", pattern: String.raw`class \w+Error extends \w+`, literal: false },
  { title: "no match", pattern: "there is no such text 5f1c", literal: true },
];

/** Searching every file of the tree. */
export async function measureGrep({ size, tree, pi }) {
  const session = await openFilesSession(tree);
  const report = { tables: [], bars: [] };
  for (const search of searches) {
    const { times, lines } = await measureSearch(search, { size, tree, pi, session });
    report.tables.push({ title: `grep, ${search.title} (${lines} lines)`, rows: toRows(times, { floor }) });
    const value = times.get("search_grep").best / times.get(floor).best;
    report.bars.push(bar(`search_grep over raw ripgrep, ${search.title}`, { value, limit: 1.07 }));
  }
  await session.close();
  return report;
}

async function measureSearch({ pattern, literal }, { size, tree, pi, session }) {
  const kind = literal ? ["--fixed-strings"] : [];
  const rawArguments = ["-n", "--hidden", "--no-ignore", ...kind, "--", pattern, "./"];
  const lines = await runRipgrep(rawArguments, tree);
  const check = (name, found) => {
    if (found !== lines) throw new Error(`${name} finds ${found} lines, ripgrep ${lines}`);
  };
  const askPi = () => pi.grep({ pattern, literal, path: tree, limit: 10_000 });
  const candidates = [
    { name: floor, run: async () => check(floor, await runRipgrep(rawArguments, tree)) },
    {
      name: "search_grep",
      async run() {
        const found = await session.call("search_grep", { pattern, literal, include_ignored: true });
        check("search_grep", found.total);
      },
    },
    ...(pi ? [{ name: describePi(await askPi(), lines), run: askPi }] : []),
  ];
  return { lines, times: await measureInTurns(candidates, { size, rounds }) };
}

/** Its answers are cut at 50 KB, so the number of lines varies; the report says so. */
function describePi(text, lines) {
  const found = text.match(/^.+:\d+: /gm)?.length ?? 0;
  if (found === lines) return "pi's grep";
  const why = text.includes("limit reached") ? ", cut at its limit" : "";
  return `pi's grep (${found} of ${lines} lines${why})`;
}
