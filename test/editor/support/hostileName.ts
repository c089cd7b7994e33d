/** A name as an attacker would choose it: markup of pages, a link of Markdown, an icon, and a property of all objects. */
export const hostileName =
  '<img src=x onerror="top.owned=1">[x](command:workbench.action.newWindow)$(bug)__proto__';

/** Runs in a page: returns the elements and script effects that a hostile name created there. */
export function findMarkup(): readonly string[] {
  const createdElements = document.querySelectorAll(
    'img[src="x"], [onerror], a[href^="command:workbench"], a[data-href^="command:workbench"], .codicon-bug:not(.action-label)',
  );
  const found = [...createdElements].map(({ outerHTML }) => outerHTML);
  return 'owned' in globalThis ? [...found, 'a script ran'] : found;
}
