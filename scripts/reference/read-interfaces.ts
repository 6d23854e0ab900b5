import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseAst } from "rolldown/parseAst";

/** A member of an interface, as it is written. */
export interface Member {
  readonly name: string;
  readonly isOptional: boolean;
  /** The type of a property; for a method, its parameters and what it returns. */
  readonly type: string;
  readonly isMethod: boolean;
  readonly about: string;
}

export interface Interfaces {
  /** With the members of what it extends first; several of the same name where a method can be called in several ways. */
  membersOf(name: string): readonly Member[];
  aboutOf(name: string): string;
}

/** Reads the interfaces of all TypeScript files below a folder. */
export async function readInterfaces(folder: string): Promise<Interfaces> {
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".ts"));
  const found = new Map<string, { about: string; bases: readonly string[]; members: readonly Member[] }>();
  for (const file of files) {
    const text = await readFile(join(folder, file), "utf8");
    for (const statement of parseAst(text, { lang: "ts" }, file).body as unknown as Statement[]) {
      const { declaration } = statement;
      if (declaration?.type !== "TSInterfaceDeclaration") continue;
      found.set(declaration.id.name, {
        about: commentBefore(text, statement.start),
        bases: declaration.extends.flatMap(({ expression }) => expression.name ?? []),
        members: declaration.body.body.flatMap((node) => toMember(text, node) ?? []),
      });
    }
  }
  const find = (name: string) => {
    const known = found.get(name);
    if (known === undefined) throw new Error(`no interface ${name} below ${folder}`);
    return known;
  };
  const membersOf = (name: string): Member[] => {
    const { bases, members } = find(name);
    return [...bases.filter((base) => found.has(base)).flatMap(membersOf), ...members];
  };
  return { membersOf, aboutOf: (name) => find(name).about };
}

interface Statement {
  readonly start: number;
  readonly declaration?: {
    readonly type: string;
    readonly id: { readonly name: string };
    readonly extends: readonly { readonly expression: { readonly name?: string } }[];
    readonly body: { readonly body: readonly MemberNode[] };
  } | null;
}

interface MemberNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly optional: boolean;
  readonly key?: { readonly name: string; readonly end: number };
}

function toMember(text: string, { type, start, end, optional, key }: MemberNode): Member | undefined {
  // What may be called or indexed has no name.
  if (key === undefined) return undefined;
  const written = text.slice(key.end, end).replace(/^\??:?\s*|[;,]$/g, "");
  return {
    name: key.name,
    isOptional: optional,
    isMethod: type === "TSMethodSignature",
    type: written.replace(/\s+/g, " ").replace(/\( /g, "(").replace(/, \)/g, ")").replaceAll("readonly ", ""),
    about: commentBefore(text, start),
  };
}

function commentBefore(text: string, at: number): string {
  const [, comment = ""] = /\/\*\*((?:(?!\*\/).)*)\*\/\s*(?:export\s+)?$/s.exec(text.slice(0, at)) ?? [];
  return comment
    .replace(/^\s*\*/gm, "")
    .replace(/\s+/g, " ")
    .trim();
}
