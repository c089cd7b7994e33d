import { getCenter, type Point, type Rect, type Size } from './geometry.ts';

/**
 * The visible part of the diagram: its upper left corner in diagram units, and its scale (1 is 100%). In the functions
 * below, the *window* is the element that shows the diagram; its points are in pixels.
 */
export interface Viewport extends Point {
  readonly scale: number;
}

export const scaleLimits = { min: 0.03, max: 3 } as const;
export const zoomStep = 1.25;
const margin = 32;
const maxFitScale = 1.25;

const clampScale = (scale: number): number => Math.min(scaleLimits.max, Math.max(scaleLimits.min, scale));

/** Zooms, keeping the given point of the window in place. */
export function zoomAt(view: Viewport, factor: number, point: Point): Viewport {
  const scale = clampScale(view.scale * factor);
  return {
    x: view.x + point.x / view.scale - point.x / scale,
    y: view.y + point.y / view.scale - point.y / scale,
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
export function fitToWindow(bounds: Rect, windowSize: Size): Viewport {
  const scale = clampScale(
    Math.min(
      maxFitScale,
      (windowSize.width - 2 * margin) / Math.max(bounds.width, 1),
      (windowSize.height - 2 * margin) / Math.max(bounds.height, 1),
    ),
  );
  return centerOn(bounds, windowSize, scale);
}

export function centerOn(rect: Rect, windowSize: Size, scale: number): Viewport {
  const center = getCenter(rect);
  return {
    x: center.x - windowSize.width / 2 / scale,
    y: center.y - windowSize.height / 2 / scale,
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
export function getRenderedRect(view: Viewport, windowSize: Size): Rect {
  // Rounded down to a power of the square root of 2.
  const scale = 2 ** (Math.floor(Math.log2(view.scale) * 2) / 2);
  const visibleRect = getVisibleRect({ ...view, scale }, windowSize);
  const [stepX, stepY] = [visibleRect.width / 4, visibleRect.height / 4];
  return {
    x: Math.floor(visibleRect.x / stepX) * stepX,
    y: Math.floor(visibleRect.y / stepY) * stepY,
    width: visibleRect.width + stepX,
    height: visibleRect.height + stepY,
  };
}

/** Pans by the smallest distance that makes a box visible, or its upper left corner if the window is too small. */
export function scrollIntoView(view: Viewport, box: Rect, windowSize: Size): Viewport {
  const visibleRect = getVisibleRect(view, windowSize);
  const scaledMargin = margin / view.scale;
  return {
    ...view,
    x: getRevealOffset(visibleRect.x, visibleRect.width, box.x - scaledMargin, box.width + 2 * scaledMargin),
    y: getRevealOffset(
      visibleRect.y,
      visibleRect.height,
      box.y - scaledMargin,
      box.height + 2 * scaledMargin,
    ),
  };
}

function getRevealOffset(start: number, length: number, neededStart: number, neededLength: number): number {
  return neededLength > length || neededStart < start
    ? neededStart
    : Math.max(start, neededStart + neededLength - length);
}

/** Converts a point of the window to one of the diagram. */
export const toDiagramPoint = ({ x, y, scale }: Viewport, point: Point): Point => ({
  x: x + point.x / scale,
  y: y + point.y / scale,
});
