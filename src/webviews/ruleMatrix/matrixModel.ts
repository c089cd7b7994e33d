import { mergeByKey } from './mergeByKey.ts';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { MatrixPageMessage, MatrixHostMessage } from '../protocol/ruleMatrix.ts';
import { CatalogNames } from '../../security/catalogNames.ts';
import { getLiveExclusionSupport } from '../../security/liveExclusion.ts';
import { createBlock, type CellBlock, type BlockChange } from '../../security/matrix/blocks.ts';
import { serializeCell } from '../../security/matrix/serializedDraft.ts';
import type { CellValue } from '../../security/matrix/cellText.ts';
import {
  type CellEdit,
  getCellEditKey,
  getCurrentCell,
  getChangedCellKeys,
  getConflictKeys,
  type MatrixDraft,
  type MatrixHistory,
  createMatrixHistory,
  redoDraft,
  pruneDraft,
  pushDraft,
  undoDraft,
  withCells,
} from '../../security/matrix/matrixDraft.ts';
import type { VisibleMatrix } from '../../security/matrix/computeCellChanges.ts';
import {
  getCellKey,
  everyoneElse,
  type MatrixColumn,
  type MatrixParty,
  type RuleMatrix,
  createRuleMatrix,
} from '../../security/matrix/ruleMatrix.ts';
import { KnownValues, type OtherSpelling } from '../../security/values/knownValues.ts';
import { ValueIndex } from '../../security/values/valueIndex.ts';
import type { PageHost } from '../shared/host.ts';
import { filterSpellingCandidates, getCellValues } from './spellingCandidates.ts';
import type { PartyDirectory } from './partyDirectory.ts';
import { type OfferOnlyValues, type ValueOffer, createValueOffer } from './valueOffer.ts';
import { type CellPosition, findIndexByKey, type SelectedCell } from './selectedCell.ts';

export type MatrixData = Extract<MatrixHostMessage, { type: 'data' }>;

/** A rectangle of selected cells, from the anchor to the active cell, which has the focus. */
export interface CellSelection {
  readonly anchor: CellPosition;
  readonly active: CellPosition;
}

/** The cell being edited. */
export interface CellEditState {
  readonly text: string;
  /** True if the text applies to all selected cells, not only to the active one. */
  readonly fillsSelection: boolean;
}

export interface MatrixFilter {
  readonly parties: string;
  readonly columns: string;
  readonly onlyChanged: boolean;
}

/** The state of the grid: the rules of a datamodel, the user's changes, the filter and the selection. */
export class MatrixModel {
  readonly data: Signal<MatrixData>;
  readonly history: Signal<MatrixHistory>;
  readonly partyDirectory: Signal<PartyDirectory>;
  readonly filter = signal<MatrixFilter>({ parties: '', columns: '', onlyChanged: false });
  readonly selection: ReadonlySignal<CellSelection>;
  readonly activeEdit = signal<CellEditState | undefined>(undefined);
  readonly isBusy = signal(false);
  /** The reason why no cell can be changed; `undefined` if cells can be. */
  readonly readOnlyReason = signal<string | undefined>(undefined);
  /** A message about the last action, shown below the grid and announced to screen readers. */
  readonly announcement = signal('');
  /** The rules without the user's draft: those of the server, of the project files, or of the document in a form. */
  readonly savedMatrix: ReadonlySignal<RuleMatrix>;
  readonly visibleMatrix: ReadonlySignal<VisibleMatrix>;
  readonly catalogNames: ReadonlySignal<CatalogNames | undefined>;
  /** The values of columns that occur in rules and other documents. */
  readonly knownValues: ReadonlySignal<KnownValues>;
  readonly valueOffer: ReadonlySignal<ValueOffer>;
  readonly changedCellKeys: ReadonlySignal<ReadonlySet<string>>;
  readonly conflictingCellKeys: ReadonlySignal<ReadonlySet<string>>;
  /**
   * Keys of the columns that have a rule for any party, with the user's changes applied: only these are restricted
   * (platform-facts.md, 3.3).
   */
  readonly columnsWithRules: ReadonlySignal<ReadonlySet<string>>;
  /**
   * Keys of the columns that have a rule for a group, with the user's changes applied: a user's access to them depends
   * on the user's groups.
   */
  readonly columnsWithGroupRules: ReadonlySignal<ReadonlySet<string>>;
  readonly selectedBlock: ReadonlySignal<CellBlock>;
  /**
   * True if the next render must focus the active cell: initially, when it changes, or if the focused element was
   * removed.
   */
  shouldFocusGrid = true;
  /**
   * True if changes are kept as a draft until they are applied. False if the grid shows the rules of a document:
   * changes edit the document at once, and its editor undoes and saves them.
   */
  readonly keepsDraft: boolean = true;
  /** The worst problem of each cell, by {@link getCellKey}. */
  readonly cellProblems: ReadonlySignal<ReadonlyMap<string, 'error' | 'warning'>>;
  readonly #selectedCells: Signal<{ readonly anchor: SelectedCell; readonly active: SelectedCell }>;
  readonly #host: Pick<PageHost<MatrixHostMessage, MatrixPageMessage>, 'post'>;

  constructor(
    host: Pick<PageHost<MatrixHostMessage, MatrixPageMessage>, 'post'>,
    data: MatrixData,
    options: {
      readonly partyDirectory: Signal<PartyDirectory>;
      /** Values of columns that occur in other documents, such as the rules of other datamodels. */
      readonly otherValues: ReadonlySignal<readonly ValueIndex[]>;
      readonly offered?: ReadonlySignal<OfferOnlyValues | undefined>;
      readonly draft: MatrixDraft;
      /** False if rules can be changed without an ID. */
      readonly needsIds?: boolean;
    },
  ) {
    this.#host = host;
    this.partyDirectory = options.partyDirectory;
    this.data = signal(data);
    this.history = signal(createMatrixHistory(options.draft));
    const { needsIds = true } = options;
    this.savedMatrix = computed(() => createRuleMatrix(this.data.value.rules, { needsIds }));
    this.catalogNames = computed(() => {
      const { catalog } = this.data.value;
      return catalog === undefined ? undefined : new CatalogNames(catalog);
    });
    this.knownValues = computed(
      () => new KnownValues([...options.otherValues.value, ValueIndex.fromRules(this.data.value.rules)]),
    );
    this.valueOffer = computed(() =>
      createValueOffer(this.data.value.rules, options.otherValues.value, options.offered?.value),
    );
    this.changedCellKeys = computed(() => new Set(getChangedCellKeys(this.draft, this.savedMatrix.value)));
    this.conflictingCellKeys = computed(() => new Set(getConflictKeys(this.draft, this.savedMatrix.value)));
    this.cellProblems = computed(
      () =>
        new Map(this.#getEditsWithOtherSpellings().map((edit) => [getCellEditKey(edit), 'warning' as const])),
    );
    const rows = computed(() => this.#getRows());
    const columns = computed(() => this.#getColumns());
    this.visibleMatrix = computed(() => ({
      savedMatrix: this.savedMatrix.value,
      draft: this.draft,
      parties: rows.value,
      columns: columns.value,
      isExclusionUnsupported: this.isExclusionUnsupported,
    }));
    const getKeys = (matrixColumns: readonly MatrixColumn[]): ReadonlySet<string> =>
      new Set(matrixColumns.map(({ key }) => key));
    this.columnsWithRules = computed(() => getKeys(this.#getColumnsWithRules(this.allParties)));
    this.columnsWithGroupRules = computed(() =>
      getKeys(this.#getColumnsWithRules(this.allParties.filter(({ type }) => type === 'group'))),
    );
    const firstCell = this.#getSelectedCell({ row: 0, column: 0 });
    this.#selectedCells = signal({ anchor: firstCell, active: firstCell });
    this.selection = computed(() => ({
      anchor: this.#findPosition(this.#selectedCells.value.anchor),
      active: this.#findPosition(this.#selectedCells.value.active),
    }));
    this.selectedBlock = computed(() =>
      createBlock(this.selection.value.anchor, this.selection.value.active),
    );
  }

  /** True for a live datamodel whose rules don't show that its server supports rules that hide values. */
  get isExclusionUnsupported(): boolean {
    const { kind, rules } = this.data.value;
    return kind === 'live' && getLiveExclusionSupport(rules) === 'not-shown';
  }

  get draft(): MatrixDraft {
    return this.history.value.present;
  }

  /** All columns, ignoring the filter; added ones last. */
  get allColumns(): readonly MatrixColumn[] {
    return mergeByKey(this.savedMatrix.value.columns, this.draft.columns);
  }

  get allParties(): readonly MatrixParty[] {
    return mergeByKey(this.savedMatrix.value.parties, this.draft.parties);
  }

  /** Returns the values of a cell that other rules on the column spell differently. */
  findOtherSpellings(cell: Pick<CellEdit, 'party' | 'column'>, value: CellValue): readonly OtherSpelling[] {
    const key = getCellKey(cell.party.key, cell.column.key);
    const savedValues = getCellValues(this.savedMatrix.value.cells.get(key)?.value ?? []);
    return [...getCellValues(value)].flatMap((cellValue) => {
      const otherSpelling = this.knownValues.value.findOtherSpelling(cell.column, cellValue, savedValues);
      return otherSpelling === undefined ? [] : [{ value: cellValue, otherSpelling }];
    });
  }

  post(message: MatrixPageMessage): void {
    this.#host.post(message);
  }

  /**
   * Replaces the rules after they were reloaded; the changes of the user are kept, and so are the row and the column of
   * the cell being edited.
   */
  update(data: MatrixData): void {
    const { parties, columns } = this.visibleMatrix.value;
    const { row, column } = this.selection.value.active;
    this.data.value = data;
    if (this.activeEdit.value !== undefined) {
      const { present } = this.history.value;
      this.history.value = {
        ...this.history.value,
        present: {
          ...present,
          parties: mergeByKey(present.parties, parties.slice(row, row + 1)),
          columns: mergeByKey(present.columns, columns.slice(column, column + 1)),
        },
      };
    }
  }

  /** Replaces the draft; this can be undone. */
  replaceDraft(draft: MatrixDraft): void {
    if (!this.isBusy.value) {
      this.#setHistory(pushDraft(this.history.value, draft));
    }
  }

  /** The matrix with all rows and columns, ignoring the filter. */
  get unfilteredMatrix(): VisibleMatrix {
    return { ...this.visibleMatrix.value, parties: this.allParties, columns: this.allColumns };
  }

  /** Changes cells, and selects the changed range. */
  applyBlockChange({ changes, block }: BlockChange): void {
    if (changes.length > 0) {
      this.replaceDraft(withCells(this.draft, this.savedMatrix.value, changes));
    }
    if (JSON.stringify(block) !== JSON.stringify(this.selectedBlock.value)) {
      this.select({ row: block.top, column: block.left }, { row: block.bottom, column: block.right });
    }
  }

  undo(): void {
    if (!this.isBusy.value) {
      this.#setHistory(undoDraft(this.history.value));
    }
  }

  redo(): void {
    if (!this.isBusy.value) {
      this.#setHistory(redoDraft(this.history.value));
    }
  }

  /**
   * Selects the cells between two positions. A position outside the visible cells is replaced by the nearest visible
   * one. The active cell gets the focus. If the active cell changes, text that is being typed in the previous one is
   * discarded; accept it first to keep it.
   */
  select(active: CellPosition, anchor: CellPosition = active): void {
    const { active: previous } = this.#selectedCells.value;
    const next = this.#getSelectedCell(this.#limitToVisible(active));
    if (next.partyKey !== previous.partyKey || next.columnKey !== previous.columnKey) {
      this.activeEdit.value = undefined;
    }
    this.#selectedCells.value = { anchor: this.#getSelectedCell(this.#limitToVisible(anchor)), active: next };
  }

  /** Selects a cell by its keys. If it is filtered out, the filter is cleared. */
  reveal(party: string, column: string): void {
    const findPosition = (): CellPosition => ({
      row: this.visibleMatrix.value.parties.findIndex(({ key }) => key === party),
      column: this.visibleMatrix.value.columns.findIndex(({ key }) => key === column),
    });
    const position = findPosition();
    if (position.row < 0 || position.column < 0) {
      this.filter.value = { parties: '', columns: '', onlyChanged: false };
    }
    this.select(findPosition());
  }

  /** True if there are changes that can be applied now. */
  get canApply(): boolean {
    const isLocked = this.isBusy.value || this.readOnlyReason.value !== undefined;
    return this.changedCellKeys.value.size > 0 && this.conflictingCellKeys.value.size === 0 && !isLocked;
  }

  apply(): void {
    if (this.canApply) {
      this.isBusy.value = true;
      this.post({ type: 'apply', cells: this.#getChangedEdits().map(serializeCell) });
    }
  }

  /** Clears the undo history, since applied changes are undone in the change history or in the editors of files. */
  handleApplied(): void {
    this.#setHistory(createMatrixHistory(pruneDraft(this.draft, this.savedMatrix.value)));
  }

  /** Returns the changed cells with values that other rules on their columns spell differently. */
  #getEditsWithOtherSpellings(): readonly CellEdit[] {
    return filterSpellingCandidates(this.#getChangedEdits(), this.knownValues.value).filter(
      (edit) => this.findOtherSpellings(edit, edit.value).length > 0,
    );
  }

  /**
   * Sets the history; closes the editor of a cell whose row or column no longer exists. Clears the announcement: it may
   * be about changes that no longer exist.
   */
  #setHistory(history: MatrixHistory): void {
    this.history.value = history;
    this.announcement.value = '';
    const { partyKey, columnKey } = this.#selectedCells.value.active;
    const { parties, columns } = this.visibleMatrix.value;
    if (!parties.some(({ key }) => key === partyKey) || !columns.some(({ key }) => key === columnKey)) {
      this.activeEdit.value = undefined;
    }
  }

  #getSelectedCell({ row, column }: CellPosition): SelectedCell {
    const { parties, columns } = this.visibleMatrix.value;
    return { row, column, partyKey: parties[row]?.key, columnKey: columns[column]?.key };
  }

  #findPosition({ row, column, partyKey, columnKey }: SelectedCell): CellPosition {
    const { parties, columns } = this.visibleMatrix.value;
    return this.#limitToVisible({
      row: findIndexByKey(parties, partyKey, row),
      column: findIndexByKey(columns, columnKey, column),
    });
  }

  #limitToVisible({ row, column }: CellPosition): CellPosition {
    const { parties, columns } = this.visibleMatrix.value;
    return {
      row: Math.min(Math.max(row, 0), parties.length - 1),
      column: Math.min(Math.max(column, 0), Math.max(columns.length - 1, 0)),
    };
  }

  /** The cell that is being edited; the filter does not hide it. */
  get #editedCell(): SelectedCell | undefined {
    return this.activeEdit.value === undefined ? undefined : this.#selectedCells.value.active;
  }

  #getRows(): readonly MatrixParty[] {
    const { parties: filterText, onlyChanged } = this.filter.value;
    const searchText = filterText.trim().toLowerCase();
    const partyDirectory = this.partyDirectory.value;
    const changedParties = new Set(this.#getChangedEdits().map((edit) => edit.party.key));
    const editedParty = this.#editedCell?.partyKey;
    const isVisible = (party: MatrixParty): boolean =>
      party.key === editedParty ||
      ((partyDirectory.getName(party).toLowerCase().includes(searchText) ||
        (party.id ?? '').toLowerCase().includes(searchText)) &&
        (!onlyChanged || changedParties.has(party.key)));
    const partyTypeOrder = { default: 0, group: 1, user: 2 };
    return this.allParties
      .filter((party) => party.type === 'default' || isVisible(party))
      .toSorted((a, b) => partyTypeOrder[a.type] - partyTypeOrder[b.type] || partyDirectory.compare(a, b));
  }

  #getColumns(): readonly MatrixColumn[] {
    const { columns: filterText, onlyChanged } = this.filter.value;
    const searchText = filterText.trim().toLowerCase();
    const changedColumns = new Set(this.#getChangedEdits().map((edit) => edit.column.key));
    const editedColumn = this.#editedCell?.columnKey;
    return this.allColumns.filter(
      ({ key, table, column }) =>
        key === editedColumn ||
        (`${table}.${column}`.toLowerCase().includes(searchText) &&
          (!onlyChanged || changedColumns.has(key))),
    );
  }

  #getColumnsWithRules(parties: readonly MatrixParty[]): readonly MatrixColumn[] {
    const hasRule = (party: MatrixParty, column: MatrixColumn): boolean =>
      getCurrentCell(this.draft, this.savedMatrix.value, getCellKey(party.key, column.key)).value.length > 0;
    return this.allColumns.filter((column) => parties.some((party) => hasRule(party, column)));
  }

  #getChangedEdits(): readonly CellEdit[] {
    return [...this.changedCellKeys.value].flatMap((key) => this.draft.edits.get(key) ?? []);
  }
}

export const getEveryoneElseCellKey = (column: MatrixColumn): string =>
  getCellKey(everyoneElse.key, column.key);
