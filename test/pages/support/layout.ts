import type { Page } from 'playwright-core';

/** The sizes that a page is checked in: a narrow window, and a window of 1,000 pixels at a zoom of 200 %. */
export const layoutSizes = {
  narrow: { width: 900, height: 700 },
  zoomed: { width: 500, height: 350 },
} as const;

/**
 * Returns layout problems: a page that scrolls horizontally, controls outside of the page, controls that are covered by
 * another element, and short button labels that break within a word. Content of a scrollable area may be wider than the
 * page.
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
    const canvasContext = document.createElement('canvas').getContext('2d');
    const breaksWord = (control: Element): boolean => {
      const text = control.textContent.trim();
      const { font, textOverflow } = getComputedStyle(control);
      if (
        control.tagName !== 'BUTTON' ||
        text.length > 40 ||
        textOverflow === 'ellipsis' ||
        canvasContext === null
      ) {
        return false;
      }
      canvasContext.font = font;
      const wordWidths = text.split(/\s+/).map((word) => canvasContext.measureText(word).width);
      return Math.max(...wordWidths) > control.getBoundingClientRect().width + 1;
    };
    const problems: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) {
      problems.push(`The page is ${scrollWidth - clientWidth} pixels too wide`);
    }
    for (const control of document.querySelectorAll('button, a[href], input, select, textarea, h1, h2')) {
      // Scroll first: a control that a sticky bar covers only until the user scrolls is not a problem.
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
      const topElement = y >= 0 && y < innerHeight ? document.elementFromPoint(x, y) : control;
      const isUncovered = topElement === null || control.contains(topElement) || topElement.contains(control);
      if (!isUncovered) {
        problems.push(`Covered by ${describe(topElement)}: ${describe(control)}`);
      }
    }
    return problems;
  });
