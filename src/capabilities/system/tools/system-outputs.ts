import { aCount, aText, objectOf, texts } from "../../../tool/builtin/schema-parts.ts";

const byName = { type: "object", additionalProperties: aText } as const;

export const systemInfo = objectOf(
  {
    platform: aText,
    release: aText,
    arch: aText,
    cpus: aCount,
    memory: objectOf({ totalBytes: aCount, freeBytes: aCount }),
    node: aText,
    sandbox: objectOf({ kind: aText }, { reason: aText }),
    workspace: aText,
    programs: byName,
  },
  { shell: aText },
);

export const systemVariables = objectOf({ values: byName, unset: texts, withheld: texts, notListed: texts });
