import {
  foreign,
  type KeyTable,
  knownKeys,
  listOfShape,
  mapOf,
  type ObjectShape,
  type Shape,
  type ShapeOf,
  value,
} from "../shared/options/known-keys.ts";
import { findUnknownKey } from "../shared/options/refuse-unknown-keys.ts";
import type { DatabaseStatement } from "../tool/services/databases.ts";
import type { FileEdits } from "../tool/services/files.ts";
import type { NewTodo } from "../tool/services/tasks.ts";
import type { ServiceName, ServiceViews } from "./service.ts";

/**
 * Describes a mistake in the options that a tool gives to a method of a service; undefined if there is none. A
 * misspelled limit would otherwise be a limit that has no effect.
 */
export function findUnknownOption(
  service: ServiceName,
  method: string,
  given: readonly unknown[],
): string | undefined {
  const known = shapes.get(`${service}.${method}`);
  const unknown = known && findUnknownKey(given[known.position], known.shape);
  if (unknown !== undefined) return unknown;
  const [position, shape] = contentShapes[service]?.[method] ?? [];
  return shape && findUnknownKey(given[position!], shape);
}

const scope = { path: value, includeIgnored: value };
const grep = { ...scope, pattern: value, literal: value, ignoreCase: value, multiline: value, glob: value };
const task = { prompt: value, title: value, kind: value, model: value };
const agentTask = {
  ...task,
  continues: value,
  worktree: knownKeys<{ readonly branch?: string }>({ branch: value }),
};

/** For each method that takes an object last: the position of that argument, and its keys. TypeScript misses none. */
const tables: { readonly [Name in ServiceName]: MethodTables<ServiceViews[Name]> } = {
  files: {
    readLines: [
      1,
      {
        firstLine: value,
        maxLines: value,
        firstColumn: value,
        maxLineCharacters: value,
        maxCharacters: value,
        encoding: value,
      },
    ],
    list: [1, { recursive: value, maxEntries: value }],
    readText: [1, { encoding: value, maxBytes: value }],
    writeText: [2, { encoding: value }],
    writeBytes: [2, { overwrite: value }],
    updateText: [2, { encoding: value }],
    remove: [1, { recursive: value }],
    makeDirectory: [1, { recursive: value }],
    move: [2, { overwrite: value }],
    copy: [2, { overwrite: value }],
  },
  search: {
    glob: [0, { ...scope, pattern: value, maxFiles: value }],
    grep: [0, { ...grep, type: value, before: value, after: value, maxLines: value }],
    grepFiles: [0, { ...grep, type: value, maxFiles: value }],
    grepCounts: [0, { ...grep, type: value, maxFiles: value }],
    isIgnored: [0, { ...scope, name: value }],
  },
  processes: {
    run: [1, { directory: value, terminal: value, backgroundAfterMs: value, maxCharacters: value }],
    start: [1, { directory: value, terminal: value, timeoutMs: value, keep: value }],
    output: [1, { cursor: value, pattern: value, maxBytes: value }],
    waitFor: [1, { port: value, pattern: value, deadlineMs: value }],
  },
  web: {
    fetch: [1, { method: value, headers: mapOf(value), body: value, timeoutMs: value }],
    read: [1, { question: value, timeoutMs: value }],
    download: [2, { overwrite: value, timeoutMs: value }],
    search: [1, { maxResults: value, allowedDomains: value, blockedDomains: value }],
  },
  agents: { run: [0, agentTask], start: [0, agentTask] },
  tasks: {
    create: [0, { title: value, description: value, dependsOn: value }],
    update: [1, { status: value, dependsOn: value, notes: value }],
  },
  databases: {
    query: [2, { maxRows: value, maxBytes: value }],
    update: [2, { maxRows: value, maxBytes: value, rollback: value }],
  },
  system: {},
  sourceCode: { parse: [0, { path: value, text: value }], format: [1, { check: value }] },
  todos: {},
  skills: {},
  tools: { search: [1, { limit: value }] },
  // Checked where it is proposed.
  made: {
    propose: [
      0,
      {
        name: value,
        description: value,
        input: foreign,
        language: value,
        code: value,
        permissions: value,
        examples: foreign,
        timeoutMs: value,
      },
    ],
  },
  notes: {},
  // The question itself is checked where it is asked.
  questions: { ask: [1, { signal: foreign }] },
};

const statement = knownKeys<DatabaseStatement>({ sql: value, parameters: foreign });
const edit = { oldText: value, newText: value, replaceAll: value };

/** For each method that takes objects as its content: the position of that argument, and what it may hold. */
const contents: { readonly [Name in ServiceName]: ContentTables<ServiceViews[Name]> } = {
  files: {
    editTexts: [
      0,
      listOfShape(
        knownKeys<FileEdits>({
          path: value,
          encoding: value,
          edits: listOfShape(knownKeys<FileEdits["edits"][number]>(edit)),
        }),
      ),
    ],
  },
  search: {},
  processes: {},
  web: {},
  agents: {},
  tasks: {},
  databases: { query: [1, statement], update: [1, listOfShape(statement)] },
  system: {},
  sourceCode: {},
  todos: {
    write: [
      0,
      listOfShape(
        knownKeys<NewTodo>({ id: value, title: value, status: value, assignee: value, notes: value }),
      ),
    ],
  },
  skills: {},
  tools: {},
  made: {},
  notes: {},
  // Checked where it is asked.
  questions: { ask: [0, foreign] },
};

const contentShapes: {
  readonly [Name in ServiceName]?: Readonly<Record<string, readonly [position: number, shape: Shape]>>;
} = contents;

type ContentTables<View> = {
  readonly [Method in keyof View as ContentOf<View[Method]> extends never ? never : Method]-?: readonly [
    position: number,
    shape: ShapeOf<ContentOf<View[Method]>>,
  ];
};

/** Lists of objects, and objects before the last argument. */
type ContentOf<Method> = Method extends (...given: infer Given) => unknown
  ? ListOfObjects<Required<Given>[number]> | ObjectsBefore<Required<Given>>
  : never;

type ListOfObjects<Given> = Given extends readonly (infer Item)[]
  ? Item extends object
    ? Given
    : never
  : never;

type ObjectsBefore<Given> = Given extends readonly [...infer Before, unknown]
  ? PlainObject<Before[number]>
  : never;

type PlainObject<Given> = Given extends
  | readonly unknown[]
  | Uint8Array
  | AsyncIterable<unknown>
  | ((...given: never[]) => unknown)
  ? never
  : Given extends object
    ? Given
    : never;

/** Lists and bytes are content, not options. */
type OptionsOf<Method> = Method extends (...given: infer Given) => unknown
  ? Required<Given> extends readonly [...unknown[], infer Last]
    ? Last extends string | readonly unknown[] | Uint8Array | ((...given: never[]) => unknown)
      ? never
      : Last
    : never
  : never;

type MethodTables<View> = {
  readonly [Method in keyof View as OptionsOf<View[Method]> extends never ? never : Method]-?: readonly [
    position: number,
    keys: KeyTable<OptionsOf<NonNullable<View[Method]>>>,
  ];
};

const shapes: ReadonlyMap<string, { readonly position: number; readonly shape: ObjectShape }> = new Map(
  Object.entries(tables).flatMap(([service, methods]) =>
    Object.entries(methods as Record<string, readonly [number, object]>).map(
      ([method, [position, keys]]) =>
        [`${service}.${method}`, { position, shape: knownKeys(keys as KeyTable<object>) }] as const,
    ),
  ),
);
