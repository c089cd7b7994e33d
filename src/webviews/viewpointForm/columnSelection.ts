/** The selected columns by index, and the start and end of a range selection. */
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

/** Selects from the anchor to the place, in the displayed order. */
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

/** A neighbor of the active column among the visible ones. */
export function findNeighborRow(
  { active }: ColumnSelection,
  step: number,
  shown: readonly number[],
): number | undefined {
  const at = active === undefined ? -1 : shown.indexOf(active);
  const next = at === -1 ? (step > 0 ? 0 : shown.length - 1) : at + step;
  return shown[Math.min(Math.max(next, 0), shown.length - 1)];
}

/** The selection after columns were moved: they stay selected at their new places. */
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
 * The selection after the document has changed: the same columns, wherever they are now, without removed ones. It is
 * the same object if nothing has moved, since all rows depend on it.
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
