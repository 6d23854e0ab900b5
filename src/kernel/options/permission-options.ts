import { kinds, option, propertiesOf, type RuntimeOption } from "../../shared/options/option.ts";
import {
  checkSecretSources,
  type SecretSources,
  secretSourcesOption,
} from "../../shared/secrets/secret-options.ts";
import { checkMode, createSecretHostTest, type Mode, modes, type RuleTexts } from "../policy/index.ts";

export const permissionsOption = option<RuleTexts & { readonly mode?: Mode }>({
  schema: {
    type: "object",
    description: "What may run. Of several rules that match, deny counts before ask, and ask before allow",
    properties: propertiesOf<RuleTexts & { readonly mode?: Mode }>({
      mode: { enum: modes, description: "What may run without asking. Default: ask" },
      allow: { ...kinds.texts, description: "What runs without asking, such as Bash(npm test)" },
      ask: { ...kinds.texts, description: "What always asks" },
      deny: { ...kinds.texts, description: "What never runs, such as Read(secrets/**)" },
    }),
  },
  check({ mode }) {
    if (mode !== undefined) checkMode(mode);
  },
  initial: { mode: "ask", allow: [], ask: [], deny: [] },
});

export const checkedSourcesOption: RuntimeOption<SecretSources> = {
  ...secretSourcesOption,
  check(sources) {
    checkSecretSources(sources);
    for (const [name, { hosts = [] }] of Object.entries(sources))
      createSecretHostTest(hosts, `openRuntime: secretSources.${name}.hosts`);
  },
};
