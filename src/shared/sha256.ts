import { hash } from "./crypto.ts";

export function sha256(text: string): string {
  return hash("sha256", text);
}
