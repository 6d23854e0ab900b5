import { nameIn, nodesIn, type SourceNode } from "../../../capabilities/code/parse-source.ts";
import { internal } from "../../../kernel/dialects/index.ts";
import { isToolFile, refusePathPart } from "../../../kernel/registry/index.ts";
import { calledMethod, dottedName, memberNames, textOf, valueAt } from "../source-view.ts";
import {
  better,
  change,
  type FoundUse,
  type Judged,
  type Move,
  runs,
  sourceGlob,
  type UsingSource,
} from "./move.ts";

const useService = 'use ToolsService: new ToolsService({ toolsDir: "internal-tools", ctx })';

export const internalMove: Move = {
  title: "internal",
  entry: "toolwright/internal",
  packages: [],
  words: String.raw`InternalToolLoader|callInternalTool|initInternalTools|\brunTools\b`,
  glob: sourceGlob,
  files: "**/internal-tools/**/*.{js,cjs,mjs,ts}",
  missing: {},
  missingMethods: {},
  find(source) {
    const place = toolPlace(source.path);
    return place === undefined ? callers(source) : toolFile(source, place);
  },
};

/** Where a tool file is below the folder of tools; undefined for any other file. */
function toolPlace(path: string) {
  const parts = path.split("/");
  const root = parts.lastIndexOf("internal-tools");
  const file = parts.at(-1) ?? "";
  if (root === -1 || !isToolFile(file)) return undefined;
  return { folders: parts.slice(root + 1, -1), action: file.replace(/\.[^.]+$/, "") };
}

type ToolPlace = NonNullable<ReturnType<typeof toolPlace>>;

function toolFile(source: UsingSource, { folders, action }: ToolPlace): FoundUse[] {
  const name = ["internal", ...folders, action].join("_");
  const tool = source.objects.find((node) => {
    const keys = memberNames(node);
    return keys.includes("handler") || (keys.includes("execute") && keys.includes("parameters"));
  });
  const node = tool ?? { start: 0 };
  const found = (judged: Judged): FoundUse => ({ kind: "tool", name, node, ...judged });
  const misnamed = [...folders, action].flatMap((part) => refusePathPart(part) ?? []);
  if (misnamed.length > 0) return [found(change(misnamed.join("; ")))];
  if (tool === undefined)
    return [found(change("no tool was found: export an object with description, inputSchema and handler"))];
  const problems = [...missingFields(tool), ...takenName(name, tool), ...undeclared(tool, source)];
  const judged = problems.length > 0 ? change(problems.join("; ")) : judgeTool(tool, name, action);
  return [found(judged), ...hostServices(source)];
}

function judgeTool(tool: SourceNode, name: string, action: string): Judged {
  const declared = textOf(valueAt(tool, "name"));
  const isNested =
    name.split("_").length > 3 && declared !== undefined && declared !== name && declared !== action;
  if (isNested) return better(`folders in folders keep all their names: it is ${name}`);
  return declared === undefined || declared === action
    ? better("required arguments are checked before it runs, and every call is judged and recorded")
    : runs;
}

function missingFields(tool: SourceNode): string[] {
  const keys = memberNames(tool);
  const isMissing = (...names: string[]) => !names.some((name) => keys.includes(name));
  return [
    ...(isMissing("description") ? ["add a description"] : []),
    ...(isMissing("inputSchema", "parameters") ? ["add an inputSchema"] : []),
  ];
}

const builtinNames: ReadonlySet<string> = new Set(
  Object.entries(internal.tools).flatMap(([canonical, { name }]) => [`internal_${canonical}`, name ?? ""]),
);

function takenName(name: string, tool: SourceNode): string[] {
  const override = valueAt(tool, "override");
  if (!builtinNames.has(name) || override?.value === true) return [];
  return [`${name} is built in: remove the file, or add override: true to use it instead`];
}

/** Arguments that the handler reads and the schema does not declare would be refused. */
function undeclared(tool: SourceNode, { accesses }: UsingSource): string[] {
  const schema = valueAt(tool, "inputSchema") ?? valueAt(tool, "parameters");
  const properties = valueAt(schema, "properties");
  const handler = valueAt(tool, "handler") ?? valueAt(tool, "execute");
  const [args] = nodesIn(handler?.params);
  if (properties?.type !== "ObjectExpression" || args === undefined || handler === undefined) return [];
  const declared = memberNames(properties);
  const isInside = (node: SourceNode) => node.start >= handler.start && node.end <= handler.end;
  const read =
    args.type === "ObjectPattern"
      ? nodesIn(args.properties).flatMap((property) => nameIn(property.key) ?? [])
      : accesses.flatMap((access) => {
          const isOfArgs =
            nameIn(access.object) === nameIn(args) && access.computed !== true && isInside(access);
          return isOfArgs ? (nameIn(access.property) ?? []) : [];
        });
  const others = [...new Set(read)].filter((key) => !declared.includes(key));
  if (others.length === 0) return [];
  return [`declare ${others.join(", ")} in inputSchema, or set acceptsUndeclared: true`];
}

/** The objects that the host has to provide, such as `ctx.service.search` and `ctx.model.User`. */
function hostServices({ accesses }: UsingSource): FoundUse[] {
  const used = new Map<string, SourceNode>();
  for (const access of accesses) {
    const name = /^ctx\.((?:service|model)\.\w+)$/.exec(dottedName(access) ?? "")?.[1];
    if (name !== undefined && !used.has(name)) used.set(name, access);
  }
  return [...used].map(([name, node]): FoundUse => {
    const [part = "", key = ""] = name.split(".");
    const advice = `give it to the service: new ToolsService({ toolsDir, ctx: { ${part}: { ${key} } } })`;
    return { kind: "option", name: `ctx.${name}`, node, ...change(advice) };
  });
}

/** Code that loads and calls the tools. */
function callers({ calls, instances }: UsingSource): FoundUse[] {
  const named = [
    ...instances.map((node) => ({ node, name: nameIn(node.callee) })),
    ...calls.map((node) => ({ node, name: calledMethod(node) })),
  ];
  return named.flatMap(({ node, name = "" }): FoundUse[] => {
    const judged = callerVerdicts.get(name);
    return judged === undefined ? [] : [{ kind: "method", name, node, ...judged }];
  });
}

const callerVerdicts: ReadonlyMap<string, Judged> = new Map([
  ["InternalToolLoader", change(useService)],
  ["callInternalTool", change(useService)],
  ["initInternalTools", change(useService)],
  ["runTools", runs],
]);
