import type { Page } from 'playwright-core';

/** The sizes that a page is checked in: a narrow window, and a window of 1,000 pixels at a zoom of 200 %. */
export const layoutSizes = {
  narrow: { width: 900, height: 700 },
  zoomed: { width: 500, height: 350 },
} as const;

/**
 * Returns what does not fit into the width of the page: a page that scrolls to the side, controls outside of it, those
 * that something else covers, and short labels of buttons that are broken within a word. What an own scroll area
 * contains may be wider.
 */
export const findLayoutProblems = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const describe = (element: Element): string =>
      `${element.tagName.toLowerCase()}.${element.className} "${(element.textContent || element.getAttribute('aria-label') || '').trim().slice(0, 40)}"`;
    const isScrolled = (element: Element): boolean => {
      for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) {
        if (parent.scrollWidth > parent.clientWidth && getComputedStyle(parent).overflowX !== 'visible') {
          return true;
        }
      }
      return false;
    };
    const drawing = document.createElement('canvas').getContext('2d');
    const breaksWord = (control: Element): boolean => {
      const text = control.textContent.trim();
      const { font, textOverflow } = getComputedStyle(control);
      if (
        control.tagName !== 'BUTTON' ||
        text.length > 40 ||
        textOverflow === 'ellipsis' ||
        drawing === null
      ) {
        return false;
      }
      drawing.font = font;
      const wordWidths = text.split(/\s+/).map((word) => drawing.measureText(word).width);
      return Math.max(...wordWidths) > control.getBoundingClientRect().width + 1;
    };
    const problems: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) {
      problems.push(`The page is ${scrollWidth - clientWidth} pixels too wide`);
    }
    for (const control of document.querySelectorAll('button, a[href], input, select, textarea, h1, h2')) {
      // What a bar covers only until somebody scrolls is no problem.
      control.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      const { left, right, top, bottom, width, height } = control.getBoundingClientRect();
      const isVisible = width > 1 && height > 1 && control.checkVisibility({ visibilityProperty: true });
      if (isVisible && breaksWord(control)) {
        problems.push(`Broken within a word: ${describe(control)}`);
      }
      if (!isVisible || isScrolled(control)) {
        continue;
      }
      if (left < 0 || right > clientWidth) {
        problems.push(`Outside of the page: ${describe(control)}`);
      }
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const onTop = y >= 0 && y < innerHeight ? document.elementFromPoint(x, y) : control;
      const isReached = onTop === null || control.contains(onTop) || onTop.contains(control);
      if (!isReached) {
        problems.push(`Covered by ${describe(onTop)}: ${describe(control)}`);
      }
    }
    return problems;
  });
