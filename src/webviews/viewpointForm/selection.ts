/** Which of the columns are chosen, by their places, and where a wider choice would begin and end. */
export interface Choice {
  readonly chosen: ReadonlySet<number>;
  /** Where the focus is. */
  readonly active: number | undefined;
  /** Where a choice of a range began. */
  readonly anchor: number | undefined;
}

export const emptyChoice: Choice = { chosen: new Set(), active: undefined, anchor: undefined };

export const chooseOne = (place: number): Choice => ({
  chosen: new Set([place]),
  active: place,
  anchor: place,
});

/** From the anchor to the place, in the order that is shown. */
export function chooseTo(choice: Choice, place: number, shown: readonly number[]): Choice {
  const anchor = choice.anchor ?? place;
  const [from, to] = [shown.indexOf(anchor), shown.indexOf(place)].sort((a, b) => a - b);
  return { chosen: new Set(shown.slice(Math.max(0, from ?? 0), (to ?? 0) + 1)), active: place, anchor };
}

export function toggle(choice: Choice, place: number): Choice {
  const chosen = new Set(choice.chosen);
  if (!chosen.delete(place)) {
    chosen.add(place);
  }
  return { chosen, active: place, anchor: place };
}

export const chooseAll = (choice: Choice, shown: readonly number[]): Choice => ({
  ...choice,
  chosen: new Set(shown),
});

/** A neighbour of the active one among those that are shown. */
export function neighbour({ active }: Choice, step: number, shown: readonly number[]): number | undefined {
  const at = active === undefined ? -1 : shown.indexOf(active);
  const next = at === -1 ? (step > 0 ? 0 : shown.length - 1) : at + step;
  return shown[Math.min(Math.max(next, 0), shown.length - 1)];
}

/** The choice after columns were moved: they stay chosen where they are now. */
export function afterMove({ chosen, active }: Choice, moved: readonly number[], to: number): Choice {
  const sorted = moved.toSorted((a, b) => a - b);
  const start = to - sorted.filter((place) => place < to).length;
  const placeOf = (place: number): number => {
    const at = sorted.indexOf(place);
    return at === -1 ? place : start + at;
  };
  const now = active === undefined ? undefined : placeOf(active);
  return { chosen: new Set([...chosen].map(placeOf)), active: now, anchor: now };
}

/**
 * The choice after the document has changed: of the same columns, wherever they are now; without those that are gone.
 * It is the same object where nothing of it moved, since all rows look at it.
 */
export function followed(choice: Choice, placeOf: (place: number) => number | undefined): Choice {
  const follow = (place: number | undefined): number | undefined =>
    place === undefined ? undefined : placeOf(place);
  const { chosen, active, anchor } = choice;
  const isSame = [...chosen, active, anchor].every((place) => follow(place) === place);
  return isSame
    ? choice
    : {
        chosen: new Set([...chosen].map(placeOf).filter((place) => place !== undefined)),
        active: follow(active),
        anchor: follow(anchor),
      };
}
