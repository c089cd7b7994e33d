import type { ViewpointForm } from './form.ts';
import { moveChosen, removeChosen } from './actions.ts';
import { chooseAll, chooseOne, chooseTo, emptyChoice, neighbour, toggle } from './selection.ts';

const page = 15;
const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: page,
  PageUp: -page,
  Home: -Infinity,
  End: Infinity,
};

/** What the keys do in the grid, as in the lists of the editor; `open` goes to the fields of the column. */
export function gridKey(form: ViewpointForm, event: KeyboardEvent, open: () => void): void {
  if (keyDoes(form, event, open)) {
    event.preventDefault();
    event.stopPropagation();
  }
}

function keyDoes(form: ViewpointForm, event: KeyboardEvent, open: () => void): boolean {
  const { choice, places } = form;
  const shown = places.value;
  const step = steps[event.key];
  if (step !== undefined) {
    if (event.altKey) {
      return Math.abs(step) === 1 && moveChosen(form, step);
    }
    const next = neighbour(choice.value, step, shown);
    if (next !== undefined) {
      choice.value = event.shiftKey ? chooseTo(choice.value, next, shown) : chooseOne(next);
    }
    return true;
  }
  const { active } = choice.value;
  switch (event.key) {
    case 'a':
      if (event.ctrlKey || event.metaKey) {
        choice.value = chooseAll(choice.value, shown);
        return true;
      }
      return false;
    case ' ':
      if (active !== undefined) {
        choice.value = toggle(choice.value, active);
      }
      return true;
    case 'Enter':
    case 'F2':
      open();
      return true;
    case 'Delete':
    case 'Backspace':
      removeChosen(form);
      return true;
    case 'Escape':
      choice.value = active === undefined ? emptyChoice : { ...choice.value, chosen: new Set() };
      return true;
    default:
      return false;
  }
}
