/** The selected columns, by their indexes in the viewpoint. */
export interface ColumnSelection {
  readonly chosen: ReadonlySet<number>;
  /** The focused column. */
  readonly active: number | undefined;
  /** The start of a range selection. */
  readonly anchor: number | undefined;
}

export const emptySelection: ColumnSelection = { chosen: new Set(), active: undefined, anchor: undefined };

export const selectOne = (place: number): ColumnSelection => ({
  chosen: new Set([place]),
  active: place,
  anchor: place,
});

/** Selects the visible columns from the anchor to the given column. */
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

/** Returns the visible column that is `step` rows from the active one; limited to the first and last visible column. */
export function findNeighborRow(
  { active }: ColumnSelection,
  step: number,
  shown: readonly number[],
): number | undefined {
  const at = active === undefined ? -1 : shown.indexOf(active);
  const next = at === -1 ? (step > 0 ? 0 : shown.length - 1) : at + step;
  return shown[Math.min(Math.max(next, 0), shown.length - 1)];
}

/** Returns the selection after columns were moved: the same columns, at their new indexes. */
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
 * Returns the selection after the document has changed: the same columns at their new indexes, without removed ones. If
 * nothing has changed, returns the same object, so that no rows are rendered again.
 * @param getNewIndex returns `undefined` for a removed column
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
