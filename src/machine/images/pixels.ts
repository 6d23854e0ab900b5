/** Decoded, upright, one byte per channel. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** 1 or 2 for grey, 3 or 4 for colour; an even number includes opacity. */
  readonly channels: 1 | 2 | 3 | 4;
  readonly data: Buffer;
}

export function isOpaque({ channels, data }: Pixels): boolean {
  if (channels % 2 === 1) return true;
  for (let position = channels - 1; position < data.length; position += channels) {
    if (data[position] !== 255) return false;
  }
  return true;
}
