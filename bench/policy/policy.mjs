import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openRuntime } from "../../dist/index.js";
import { bar } from "../support/bar.mjs";
import { measureRounds } from "../support/measure-rounds.mjs";
import { withTemporaryFolder } from "../support/with-temporary-folder.mjs";

const sizes = { full: { ruleCount: 1000, pathCount: 50 }, smallest: { ruleCount: 10, pathCount: 2 } };

/** What a verdict costs with a thousand rules: for a tool that reads a path, and for a shell command. */
export default function measurePolicy({ size }) {
  const { ruleCount, pathCount } = sizes[size];
  return withTemporaryFolder(async (folder) => {
    await mkdir(join(folder, "src/parts"), { recursive: true });
    const paths = Array.from({ length: pathCount }, (_, at) => `src/parts/part${at}.ts`);
    for (const path of paths) await writeFile(join(folder, path), "one\n");
    const open = async (permissions) => {
      const runtime = await openRuntime({ workspace: folder, store: "memory:", permissions });
      return { runtime, session: await runtime.openSession({}) };
    };
    const [plain, ruled] = [
      await open({ mode: "auto" }),
      await open({ mode: "auto", ...manyRules(ruleCount) }),
    ];
    try {
      const candidates = [
        { name: "a path, no rules", ...readAll(plain, paths) },
        { name: `a path, ${ruleCount} rules`, ...readAll(ruled, paths) },
        { name: "a command, no rules", ...runOne(plain, paths) },
        { name: `a command, ${ruleCount} rules`, ...runOne(ruled, paths) },
      ];
      return report(await measureRounds(candidates, { size }), ruleCount);
    } finally {
      await plain.runtime.close();
      await ruled.runtime.close();
    }
  });
}

function readAll({ session }, paths) {
  return {
    operations: paths.length,
    async run() {
      for (const path of paths) await session.explain("file_read", { path });
    },
  };
}

function runOne({ session }, [path]) {
  return {
    operations: 1,
    run: () => session.explain("shell_run", { command: `cat ${path} | sort -u` }),
  };
}

/** A third each denies, asks and allows; none is about the paths that are read. */
function manyRules(ruleCount) {
  const lists = { deny: [], ask: [], allow: [] };
  for (let at = 0; at < ruleCount; at += 1) {
    const forms = [
      `Read(pkg${at}/private/**)`,
      `Edit(*.gen${at})`,
      `Read(/src/module${at}/*.key)`,
      `Write(**/folder${at}/**)`,
      `Bash(tool${at} --force x)`,
    ];
    Object.values(lists)[at % 3].push(forms[at % forms.length]);
  }
  return lists;
}

function report(measured, ruleCount) {
  // Most of a verdict on a command is a process that checks its syntax, so the least disturbed rounds are compared.
  const best = (name) => measured.get(name).best;
  return {
    tables: [
      {
        title: "A verdict, with and without rules",
        rows: [...measured].map(([name, summary]) => ({ name, unit: "µs", ...summary })),
      },
    ],
    bars: [
      bar(`what ${ruleCount} rules add to a verdict on a path`, {
        value: best(`a path, ${ruleCount} rules`) - best("a path, no rules"),
        limit: 50,
        unit: "µs",
      }),
      bar(`a verdict on a command with ${ruleCount} rules, to one without`, {
        value: best(`a command, ${ruleCount} rules`) / best("a command, no rules"),
        limit: 1.5,
      }),
    ],
  };
}
