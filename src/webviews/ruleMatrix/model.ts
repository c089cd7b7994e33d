import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { FromMatrix, ToMatrix } from '../protocol/ruleMatrix.ts';
import { CatalogNames } from '../../security/catalogNames.ts';
import { liveExclusion } from '../../security/liveExclusion.ts';
import { blockOf, type Block, type BlockChange } from '../../security/matrix/blocks.ts';
import { plainCell } from '../../security/matrix/keptDraft.ts';
import {
  type CellEdit,
  cellNow,
  changedKeys,
  conflicts,
  type MatrixDraft,
  type MatrixHistory,
  newHistory,
  redo,
  settled,
  step,
  undo,
  withCells,
} from '../../security/matrix/matrixDraft.ts';
import type { Shown } from '../../security/matrix/putCells.ts';
import {
  cellKey,
  everybodyElse,
  type MatrixColumn,
  type MatrixParty,
  type RuleMatrix,
  ruleMatrix,
} from '../../security/matrix/ruleMatrix.ts';
import type { Host } from '../shared/host.ts';
import type { Names } from './names.ts';

export type MatrixData = Extract<ToMatrix, { type: 'data' }>;

/** A cell by its place among those that are shown. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

/** Cells from where a selection began to where it is; the latter has the focus. */
export interface Selection {
  readonly anchor: Place;
  readonly active: Place;
}

/** The cell that is being typed into. */
export interface Editing {
  readonly text: string;
  /** What is typed goes into all selected cells. */
  readonly fills: boolean;
}

export interface Filter {
  readonly parties: string;
  readonly columns: string;
  readonly onlyChanged: boolean;
}

/** The grid of one datamodel's rules while somebody works on it. */
export class MatrixModel {
  readonly data: Signal<MatrixData>;
  readonly history: Signal<MatrixHistory>;
  readonly names: Signal<Names>;
  readonly filter = signal<Filter>({ parties: '', columns: '', onlyChanged: false });
  readonly selection = signal<Selection>({ anchor: { row: 0, column: 0 }, active: { row: 0, column: 0 } });
  readonly editing = signal<Editing | undefined>(undefined);
  readonly isBusy = signal(false);
  /** What was just done, for a screen reader and below the grid. */
  readonly said = signal('');
  readonly base: ReadonlySignal<RuleMatrix>;
  readonly shown: ReadonlySignal<Shown>;
  readonly catalogNames: ReadonlySignal<CatalogNames | undefined>;
  readonly changed: ReadonlySignal<ReadonlySet<string>>;
  readonly conflicts: ReadonlySignal<ReadonlySet<string>>;
  /** Keys of the columns that have a rule for anybody: only those restrict (platform-facts 3.3). */
  readonly ruled: ReadonlySignal<ReadonlySet<string>>;
  /** Keys of the columns that have a rule for a group: there the groups of a user matter. */
  readonly groupRuled: ReadonlySignal<ReadonlySet<string>>;
  readonly block: ReadonlySignal<Block>;
  /** The grid takes the focus when it is drawn next: at first, and when the cell that had it is drawn no more. */
  wantsFocus = true;
  readonly #host: Host<ToMatrix, FromMatrix>;

  constructor(
    host: Host<ToMatrix, FromMatrix>,
    data: MatrixData,
    given: { readonly names: Signal<Names>; readonly draft: MatrixDraft },
  ) {
    this.#host = host;
    this.names = given.names;
    this.data = signal(data);
    this.history = signal(newHistory(given.draft));
    this.base = computed(() => ruleMatrix(this.data.value.rules));
    this.catalogNames = computed(() => {
      const { catalog } = this.data.value;
      return catalog === undefined ? undefined : new CatalogNames(catalog);
    });
    this.changed = computed(() => new Set(changedKeys(this.draft, this.base.value)));
    this.conflicts = computed(() => new Set(conflicts(this.draft, this.base.value)));
    const rows = computed(() => this.#rows());
    const columns = computed(() => this.#columns());
    this.shown = computed(() => ({
      base: this.base.value,
      draft: this.draft,
      parties: rows.value,
      columns: columns.value,
      hidesNothing: this.hidesNothing,
    }));
    const keysOf = (columns_: readonly MatrixColumn[]): ReadonlySet<string> =>
      new Set(columns_.map(({ key }) => key));
    this.ruled = computed(() => keysOf(this.#ruledColumns(this.allParties)));
    this.groupRuled = computed(() =>
      keysOf(this.#ruledColumns(this.allParties.filter(({ type }) => type === 'group'))),
    );
    this.block = computed(() => blockOf(this.selection.value.anchor, this.selection.value.active));
  }

  /** A live datamodel whose server shows no rule that hides values. */
  get hidesNothing(): boolean {
    const { kind, rules } = this.data.value;
    return kind === 'live' && liveExclusion(rules) === 'not-shown';
  }

  get draft(): MatrixDraft {
    return this.history.value.now;
  }

  /** All columns, those that were added last. */
  get allColumns(): readonly MatrixColumn[] {
    return merged(this.base.value.columns, this.draft.columns);
  }

  get allParties(): readonly MatrixParty[] {
    return merged(this.base.value.parties, this.draft.parties);
  }

  post(message: FromMatrix): void {
    this.#host.post(message);
  }

  /** The rules were read anew. */
  update(data: MatrixData): void {
    this.data.value = data;
    this.#stayInside();
  }

  /** A step that can be taken back. */
  change(draft: MatrixDraft): void {
    if (!this.isBusy.value) {
      this.history.value = step(this.history.value, draft);
      this.#stayInside();
    }
  }

  /** Every row and column, whatever is filtered out. */
  get whole(): Shown {
    return { ...this.shown.value, parties: this.allParties, columns: this.allColumns };
  }

  /** Puts values into cells, and tells what did not fit. */
  put({ changes, block }: BlockChange): void {
    if (changes.length > 0) {
      this.change(withCells(this.draft, this.base.value, changes));
    }
    if (JSON.stringify(block) !== JSON.stringify(this.block.value)) {
      this.select({ row: block.top, column: block.left }, { row: block.bottom, column: block.right });
    }
  }

  undo(): void {
    if (!this.isBusy.value) {
      this.history.value = undo(this.history.value);
      this.#stayInside();
    }
  }

  redo(): void {
    if (!this.isBusy.value) {
      this.history.value = redo(this.history.value);
      this.#stayInside();
    }
  }

  /** Moves the focus; `anchor` is where the selection began, the same cell unless it is extended. */
  select(active: Place, anchor: Place = active): void {
    const { parties, columns } = this.shown.value;
    const inside = ({ row, column }: Place): Place => ({
      row: Math.min(Math.max(row, 0), parties.length - 1),
      column: Math.min(Math.max(column, 0), Math.max(columns.length - 1, 0)),
    });
    this.selection.value = { anchor: inside(anchor), active: inside(active) };
  }

  /** Goes to a cell even if it is filtered out. */
  reveal(party: string, column: string): void {
    const find = (): Place => ({
      row: this.shown.value.parties.findIndex(({ key }) => key === party),
      column: this.shown.value.columns.findIndex(({ key }) => key === column),
    });
    const place = find();
    if (place.row < 0 || place.column < 0) {
      this.filter.value = { parties: '', columns: '', onlyChanged: false };
    }
    this.select(find());
  }

  apply(): void {
    const cells = this.#changedEdits().map(plainCell);
    if (cells.length > 0 && this.conflicts.value.size === 0 && !this.isBusy.value) {
      this.isBusy.value = true;
      this.post({ type: 'apply', cells });
    }
  }

  /** Everything was sent: there is nothing to take back here any more; the history of changes does it. */
  applied(): void {
    this.history.value = newHistory(settled(this.draft, this.base.value));
  }

  /** Rows and columns may have gone. */
  #stayInside(): void {
    this.select(this.selection.value.active, this.selection.value.anchor);
  }

  #rows(): readonly MatrixParty[] {
    const { parties: wanted, onlyChanged } = this.filter.value;
    const text = wanted.trim().toLowerCase();
    const names = this.names.value;
    const changed = new Set(this.#changedEdits().map((edit) => edit.party.key));
    const isShown = (party: MatrixParty): boolean =>
      (names.of(party).toLowerCase().includes(text) || (party.id ?? '').toLowerCase().includes(text)) &&
      (!onlyChanged || changed.has(party.key));
    const order = { default: 0, group: 1, user: 2 };
    return this.allParties
      .filter((party) => party.type === 'default' || isShown(party))
      .toSorted((a, b) => order[a.type] - order[b.type] || names.compare(a, b));
  }

  #columns(): readonly MatrixColumn[] {
    const { columns: wanted, onlyChanged } = this.filter.value;
    const text = wanted.trim().toLowerCase();
    const changed = new Set(this.#changedEdits().map((edit) => edit.column.key));
    return this.allColumns.filter(
      ({ key, table, column }) =>
        `${table}.${column}`.toLowerCase().includes(text) && (!onlyChanged || changed.has(key)),
    );
  }

  #ruledColumns(parties: readonly MatrixParty[]): readonly MatrixColumn[] {
    const hasRule = (party: MatrixParty, column: MatrixColumn): boolean =>
      cellNow(this.draft, this.base.value, cellKey(party.key, column.key)).value.length > 0;
    return this.allColumns.filter((column) => parties.some((party) => hasRule(party, column)));
  }

  #changedEdits(): readonly CellEdit[] {
    return [...this.changed.value].flatMap((key) => this.draft.edits.get(key) ?? []);
  }
}

function merged<Item extends { readonly key: string }>(
  base: readonly Item[],
  added: readonly Item[],
): readonly Item[] {
  const known = new Set(base.map(({ key }) => key));
  return [...base, ...added.filter(({ key }) => !known.has(key))];
}

export const defaultKey = (column: MatrixColumn): string => cellKey(everybodyElse.key, column.key);
