import type { Point, Size } from './geometry.ts';
import { targetAspectRatio, gaps } from './spacing.ts';

/** Arranges blocks in rows, in the given order, so that the result has about the aspect ratio of a window. */
export function packBlocks(sizes: readonly Size[], gap: number = gaps.component): readonly Point[] {
  const area = sizes.reduce((sum, { width, height }) => sum + (width + gap) * (height + gap), 0);
  const width = Math.max(Math.sqrt(area * targetAspectRatio), ...sizes.map((size) => size.width));
  let [x, y, tallest] = [0, 0, 0];
  return sizes.map((size) => {
    if (x > 0 && x + size.width > width) {
      y += tallest + gap;
      [x, tallest] = [0, 0];
    }
    const corner = { x, y };
    x += size.width + gap;
    tallest = Math.max(tallest, size.height);
    return corner;
  });
}
