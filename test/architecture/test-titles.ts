import { type Node, parseSync, Visitor } from "oxc-parser";

/** The titles of a file's tests that begin without a subject; a test inside `describe` has that as its subject. */
export function titlesWithoutSubject(path: string, text: string): string[] {
  const groups: Node[] = [];
  const found: { readonly call: Node; readonly title: string }[] = [];
  new Visitor({
    CallExpression: (call) => {
      const [title] = call.arguments;
      if (title?.type !== "Literal" && title?.type !== "TemplateLiteral") return;
      const name = nameOf(call.callee);
      if (name.startsWith("describe")) groups.push(call);
      if (name.startsWith("test")) found.push({ call, title: text.slice(title.start + 1, title.end - 1) });
    },
  }).visit(parseSync(path, text).program);
  const isAlone = ({ start }: Node) => !groups.some((group) => group.start < start && start < group.end);
  return found.filter(({ call, title }) => isAlone(call) && lacksSubject(title)).map(({ title }) => title);
}

/** Of `test`, `test.each(…)` and `testInside`. */
function nameOf(callee: Node): string {
  if (callee.type === "Identifier") return callee.name;
  if (callee.type === "CallExpression") return nameOf(callee.callee);
  if (callee.type === "MemberExpression") return nameOf(callee.object);
  return "";
}

function lacksSubject(title: string): boolean {
  // Behind the number of a statement, such as "F19: ".
  const [first = ""] = /^[\w']+/.exec(title.replace(/^(?:[FPKEN]\d+[a-z]?(?:, )?)+: /, "")) ?? [];
  return withoutSubject.has(first.toLowerCase());
}

const withoutSubject = new Set(
  (
    "is are was were has have does do can cannot may must says tells keeps gives takes finds refuses makes leaves shows goes " +
    "gets puts runs ends asks cuts answers accepts it they this these who whoever nobody nothing what whatever"
  ).split(" "),
);
