import type { AgentEvent } from "../../../kernel/events/agent-event.ts";
import type { StreamRedactor } from "../../../shared/secrets/redact-stream.ts";
import type { AgentHost } from "../host/agent-host.ts";
import type { DraftListener } from "./step-draft.ts";

/** Logs the model's words as they arrive, several pieces at a time, with secrets masked. */
export interface DeltaWriter extends DraftListener {
  /** Writes the rest. */
  close(): void;
}

// Short enough to follow live, long enough not to flood the log.
const pauseMs = 50;

type DeltaType = "text-delta" | "reasoning-delta";

export function createDeltaWriter(
  { log, redactor }: Pick<AgentHost, "log" | "redactor">,
  place: { readonly runId: string; readonly step: number },
): DeltaWriter {
  let open: { readonly type: DeltaType; readonly redact: StreamRedactor } | undefined;
  let text = "";
  let call: Parameters<DraftListener["onInput"]>[0] | undefined;
  let timer: NodeJS.Timeout | undefined;

  const note = (event: AgentEvent) => log.note(event);
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    if (open !== undefined && text !== "") note({ type: open.type, ...place, text });
    text = "";
    if (call !== undefined) note({ type: "call-draft", ...place, ...call });
    call = undefined;
  };
  const writeSoon = () => {
    timer ??= setTimeout(write, pauseMs);
  };
  const endText = () => {
    if (open === undefined) return;
    text += open.redact.finish();
    write();
    open = undefined;
  };

  return {
    onText(kind, piece) {
      const type: DeltaType = `${kind}-delta`;
      if (open?.type !== type) {
        endText();
        open = { type, redact: redactor.stream() };
      }
      text += open!.redact.add(piece);
      writeSoon();
    },
    onTextEnd: endText,
    onInput(drafted) {
      if (call !== undefined && call.toolCallId !== drafted.toolCallId) write();
      call = drafted;
      writeSoon();
    },
    close() {
      endText();
      write();
    },
  };
}
