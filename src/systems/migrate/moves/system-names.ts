/** The systems that a project can come from. */
export const systemNames = ["kode", "eko", "pulse", "internal", "flyto"] as const;

export type SystemName = (typeof systemNames)[number];
