import { escapeLine } from "../../shared/text/escape-controls.ts";

/** An ISO time as a person reads it; what is not one comes out as it is, with nothing for a terminal to obey. */
export function formatTime(iso: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(iso) ?? [];
  return day === undefined ? escapeLine(iso) : `${day} ${time}Z`;
}
