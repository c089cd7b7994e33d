import { getCenter, type Point, type Rect, type Size } from './geometry.ts';

/** Which part of the picture a window shows: what is at its upper left corner, and how large. */
export interface Viewport extends Point {
  readonly scale: number;
}

export const scaleLimits = { least: 0.03, most: 3 } as const;
export const zoomStep = 1.25;
const margin = 32;
const maxFitScale = 1.25;

const clampScale = (scale: number): number => Math.min(scaleLimits.most, Math.max(scaleLimits.least, scale));

/** Zooms, and keeps what is under a point of the window there. */
export function zoomAt(view: Viewport, factor: number, at: Point): Viewport {
  const scale = clampScale(view.scale * factor);
  return {
    x: view.x + at.x / view.scale - at.x / scale,
    y: view.y + at.y / view.scale - at.y / scale,
    scale,
  };
}

/** Moves what the window shows by so many pixels. */
export const panBy = (view: Viewport, dx: number, dy: number): Viewport => ({
  ...view,
  x: view.x + dx / view.scale,
  y: view.y + dy / view.scale,
});

/** All of it, in the middle of the window. */
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

/** The part of the picture that is in the window. */
export const getVisibleRect = ({ x, y, scale }: Viewport, { width, height }: Size): Rect => ({
  x,
  y,
  width: width / scale,
  height: height / scale,
});

/**
 * What has to be drawn for the window: what it shows and some more, in steps, so that moving about seldom needs a new
 * drawing.
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

/** Moves as little as is needed to show a box; one that is larger than the window from its upper left corner on. */
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

/** Where a point of the window is in the picture. */
export const toPicturePoint = ({ x, y, scale }: Viewport, at: Point): Point => ({
  x: x + at.x / scale,
  y: y + at.y / scale,
});
