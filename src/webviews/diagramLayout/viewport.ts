import { getCenter, type Point, type Rect, type Size } from './geometry.ts';

/** The visible part of the diagram: its upper left corner in diagram units, and its scale (1 is 100%). */
export interface Viewport extends Point {
  readonly scale: number;
}

export const scaleLimits = { least: 0.03, most: 3 } as const;
export const zoomStep = 1.25;
const margin = 32;
const maxFitScale = 1.25;

const clampScale = (scale: number): number => Math.min(scaleLimits.most, Math.max(scaleLimits.least, scale));

/** Zooms, keeping the given point of the window in place. */
export function zoomAt(view: Viewport, factor: number, at: Point): Viewport {
  const scale = clampScale(view.scale * factor);
  return {
    x: view.x + at.x / view.scale - at.x / scale,
    y: view.y + at.y / view.scale - at.y / scale,
    scale,
  };
}

/** Moves the viewport by the given number of window pixels. */
export const panBy = (view: Viewport, dx: number, dy: number): Viewport => ({
  ...view,
  x: view.x + dx / view.scale,
  y: view.y + dy / view.scale,
});

/** Fits the whole diagram into the window, centered. */
export function fitToWindow(bounds: Rect, window: Size): Viewport {
  const scale = clampScale(
    Math.min(
      maxFitScale,
      (window.width - 2 * margin) / Math.max(bounds.width, 1),
      (window.height - 2 * margin) / Math.max(bounds.height, 1),
    ),
  );
  return centerOn(bounds, window, scale);
}

export function centerOn(rect: Rect, window: Size, scale: number): Viewport {
  const middle = getCenter(rect);
  return {
    x: middle.x - window.width / 2 / scale,
    y: middle.y - window.height / 2 / scale,
    scale,
  };
}

/** The part of the diagram that is visible in the window, in diagram units. */
export const getVisibleRect = ({ x, y, scale }: Viewport, { width, height }: Size): Rect => ({
  x,
  y,
  width: width / scale,
  height: height / scale,
});

/**
 * Returns the part of the diagram to render: the visible part and a margin. It changes in steps, so that panning and
 * zooming rarely cause a new render.
 */
export function getRenderedRect(view: Viewport, window: Size): Rect {
  const scale = 2 ** (Math.floor(Math.log2(view.scale) * 2) / 2);
  const shown = getVisibleRect({ ...view, scale }, window);
  const [across, down] = [shown.width / 4, shown.height / 4];
  return {
    x: Math.floor(shown.x / across) * across,
    y: Math.floor(shown.y / down) * down,
    width: shown.width + across,
    height: shown.height + down,
  };
}

/** Pans by the smallest distance that makes a box visible; the upper left corner, if the window is too small for it. */
export function scrollIntoView(view: Viewport, box: Rect, window: Size): Viewport {
  const shown = getVisibleRect(view, window);
  const space = margin / view.scale;
  return {
    ...view,
    x: getRevealOffset(shown.x, shown.width, box.x - space, box.width + 2 * space),
    y: getRevealOffset(shown.y, shown.height, box.y - space, box.height + 2 * space),
  };
}

function getRevealOffset(start: number, length: number, from: number, needed: number): number {
  return needed > length || from < start ? from : Math.max(start, from + needed - length);
}

/** Converts a point of the window to one of the diagram. */
export const toPicturePoint = ({ x, y, scale }: Viewport, at: Point): Point => ({
  x: x + at.x / scale,
  y: y + at.y / scale,
});
