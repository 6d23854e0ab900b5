/** A model that answers when it is told to, or is stopped. */
export function patientStep(text = "I have looked.") {
  const isAsked = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const step = async ({ abortSignal }: { abortSignal?: AbortSignal | undefined }) => {
    isAsked.resolve();
    const stopped = new Promise<never>((_resolve, reject) => {
      abortSignal?.addEventListener("abort", () => reject(abortSignal.reason));
    });
    await Promise.race([mayEnd.promise, stopped]);
    return { text };
  };
  return { step, isAsked: isAsked.promise, end: mayEnd.resolve };
}
