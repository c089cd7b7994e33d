import type { ViewpointForm } from './form.ts';
import { afterMove, chooseOne, emptyChoice } from './selection.ts';

/** The chosen columns in their order. */
export const chosenOf = ({ choice, fields }: ViewpointForm): readonly number[] =>
  [...choice.value.chosen].filter((place) => place < fields.value.columns.length).sort((a, b) => a - b);

/** Moves the chosen columns by one place; false where they are at the end already. */
export function moveChosen(form: ViewpointForm, step: number): boolean {
  const places = chosenOf(form);
  const [first] = places;
  const last = places.at(-1);
  const count = form.fields.value.columns.length;
  if (first === undefined || last === undefined) {
    return false;
  }
  const to = step < 0 ? first - 1 : last + 2;
  if (to < 0 || to > count) {
    return false;
  }
  moveTo(form, places, to);
  return true;
}

/** Puts columns before the one at `to`. */
export function moveTo(form: ViewpointForm, places: readonly number[], to: number): void {
  if (!form.page.isFixed.value) {
    // The choice follows the edit by itself; this one is told by what was meant, also among columns that are alike.
    const { value: choice } = form.choice;
    form.page.edit({ kind: 'moveColumns', columns: places, to });
    form.choice.value = afterMove(choice, places, to);
  }
}

export function removeChosen(form: ViewpointForm): void {
  const places = chosenOf(form);
  const [first] = places;
  if (first !== undefined && !form.page.isFixed.value) {
    form.page.edit({ kind: 'removeColumns', columns: places });
    const count = form.fields.value.columns.length;
    form.choice.value = count === 0 ? emptyChoice : chooseOne(Math.min(first, count - 1));
  }
}

/** Asks for columns, to stand after the chosen ones or at the end. */
export function addColumns(form: ViewpointForm): void {
  const last = chosenOf(form).at(-1);
  form.page.ask({ kind: 'columns', at: last === undefined ? form.fields.value.columns.length : last + 1 });
}
