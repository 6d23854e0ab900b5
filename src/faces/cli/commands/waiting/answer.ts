import { escapeLine } from "../../../../shared/text/escape-controls.ts";
import { type Command, UsageError } from "../../command.ts";
import { asUsage } from "../../open/as-usage.ts";
import { withApprovals } from "../../open/with-runtime.ts";
import { readJsonArgument } from "../../read-values.ts";

export default {
  usage: '<id> "<answer>"',
  arguments: [2, 2],
  isForPerson: true,
  example: 'question:question_mwhh8ll2baa401025333 "blue"',
  note: `The id comes from \`toolwright approvals\`. The answer to a form is a JSON object with a value for each field; - reads it
from stdin. An answer that does not fit is refused, and the question goes on waiting. \`toolwright deny <id>\` gives no answer.`,

  async run({ arguments: [id = "", given = ""], flags, output }) {
    await asUsage(() =>
      withApprovals(flags, async ({ approvals }) => {
        const item = (await approvals.list()).find((each) => each.id === id && each.question !== undefined);
        if (item === undefined)
          throw new UsageError(`no question waits as ${id}; \`toolwright approvals\` lists those that do`);
        const isForm = item.question?.question.fields !== undefined;
        await approvals.answer(id, isForm ? await readJsonArgument(given) : given);
      }),
    );
    if (flags.json) await output.writeJson({ id, answered: true });
    else await output.tell(`${escapeLine(id)} is answered`);
  },
} satisfies Command;
