/** Which of the columns are chosen, by their places, and where a wider choice would begin and end. */
export interface ColumnSelection {
  readonly chosen: ReadonlySet<number>;
  /** Where the focus is. */
  readonly active: number | undefined;
  /** Where a choice of a range began. */
  readonly anchor: number | undefined;
}

export const emptySelection: ColumnSelection = { chosen: new Set(), active: undefined, anchor: undefined };

export const selectOne = (place: number): ColumnSelection => ({
  chosen: new Set([place]),
  active: place,
  anchor: place,
});

/** From the anchor to the place, in the order that is shown. */
export function selectRange(
  choice: ColumnSelection,
  place: number,
  shown: readonly number[],
): ColumnSelection {
  const anchor = choice.anchor ?? place;
  const [from, to] = [shown.indexOf(anchor), shown.indexOf(place)].sort((a, b) => a - b);
  return { chosen: new Set(shown.slice(Math.max(0, from ?? 0), (to ?? 0) + 1)), active: place, anchor };
}

export function toggleSelected(choice: ColumnSelection, place: number): ColumnSelection {
  const chosen = new Set(choice.chosen);
  if (!chosen.delete(place)) {
    chosen.add(place);
  }
  return { chosen, active: place, anchor: place };
}

export const selectAllShown = (choice: ColumnSelection, shown: readonly number[]): ColumnSelection => ({
  ...choice,
  chosen: new Set(shown),
});

/** A neighbour of the active one among those that are shown. */
export function findNeighborRow(
  { active }: ColumnSelection,
  step: number,
  shown: readonly number[],
): number | undefined {
  const at = active === undefined ? -1 : shown.indexOf(active);
  const next = at === -1 ? (step > 0 ? 0 : shown.length - 1) : at + step;
  return shown[Math.min(Math.max(next, 0), shown.length - 1)];
}

/** The choice after columns were moved: they stay chosen where they are now. */
export function selectMoved(
  { chosen, active }: ColumnSelection,
  moved: readonly number[],
  to: number,
): ColumnSelection {
  const sorted = moved.toSorted((a, b) => a - b);
  const start = to - sorted.filter((place) => place < to).length;
  const getNewPlace = (place: number): number => {
    const at = sorted.indexOf(place);
    return at === -1 ? place : start + at;
  };
  const now = active === undefined ? undefined : getNewPlace(active);
  return { chosen: new Set([...chosen].map(getNewPlace)), active: now, anchor: now };
}

/**
 * The choice after the document has changed: of the same columns, wherever they are now; without those that are gone.
 * It is the same object where nothing of it moved, since all rows look at it.
 */
export function mapSelection(
  choice: ColumnSelection,
  placeOf: (place: number) => number | undefined,
): ColumnSelection {
  const mapPlace = (place: number | undefined): number | undefined =>
    place === undefined ? undefined : placeOf(place);
  const { chosen, active, anchor } = choice;
  const isSame = [...chosen, active, anchor].every((place) => mapPlace(place) === place);
  return isSame
    ? choice
    : {
        chosen: new Set([...chosen].map(placeOf).filter((place) => place !== undefined)),
        active: mapPlace(active),
        anchor: mapPlace(anchor),
      };
}
