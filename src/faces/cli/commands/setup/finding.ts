/** The result of one check of `doctor`, and what to do about it. */
export interface Finding {
  readonly check: string;
  readonly mark: "ok" | "warn" | "fail";
  readonly found: string;
  readonly advice?: string;
}
