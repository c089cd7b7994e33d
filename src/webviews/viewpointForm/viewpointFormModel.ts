import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { JsonValue } from '../../base/json.ts';
import type { FormProblem } from '../protocol/documentForm.ts';
import type { ViewpointQuestion } from '../protocol/formQuestions.ts';
import { applyViewpointEdit } from '../../viewpoints/form/applyViewpointEdit.ts';
import {
  type ColumnFields,
  readColumn,
  readViewpoint,
  type ViewpointFields,
} from '../../viewpoints/form/readViewpoint.ts';
import type { ViewpointEdit } from '../../viewpoints/form/viewpointEdit.ts';
import { type FormPage, createFormPage } from '../shared/formPage.ts';
import { type ColumnSelection, emptySelection } from './columnSelection.ts';

export type ViewpointTab = 'columns' | 'sharing' | 'problems';

/** The state of a viewpoint's form: the displayed fields, the filter and the selection. */
export interface ViewpointFormModel {
  readonly page: FormPage<ViewpointEdit, ViewpointQuestion>;
  readonly fields: ReadonlySignal<ViewpointFields>;
  readonly tab: Signal<ViewpointTab>;
  readonly filter: Signal<string>;
  /** The selected columns, by their indexes. To select other columns, call `select`. */
  readonly selection: Signal<ColumnSelection>;
  /** Changes when other columns are selected, but not when the selected columns get other indexes. */
  readonly selectionId: ReadonlySignal<number>;
  /** The indexes of the columns that match the filter. */
  readonly matchingIndexes: ReadonlySignal<readonly number[]>;
  readonly problemsByColumn: ReadonlySignal<ReadonlyMap<number, readonly FormProblem[]>>;
  select(selection: ColumnSelection): void;
  getColumn(columnIndex: number): ColumnFields;
}

export function createViewpointFormModel(): ViewpointFormModel {
  const page = createFormPage<ViewpointEdit, ViewpointQuestion>(applyViewpointEdit);
  const fields = computed(() => readViewpoint(page.document.value ?? {}));
  // Unchanged columns are the same JSON objects, so each is read only once.
  const fieldsByColumn = new WeakMap<object, ColumnFields>();
  const getFields = (value: JsonValue): ColumnFields => {
    if (typeof value !== 'object' || value === null) {
      return readColumn(value);
    }
    const column = fieldsByColumn.get(value) ?? readColumn(value);
    fieldsByColumn.set(value, column);
    return column;
  };
  const filter = signal('');
  const count = computed(() => fields.value.columns.length);
  const allIndexes = computed(() => Array.from({ length: count.value }, (_, columnIndex) => columnIndex));
  const matchingIndexes = computed(() => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    return words.length === 0
      ? allIndexes.value
      : allIndexes.value.filter((columnIndex) => {
          const { table, column, texts } = getFields(fields.value.columns[columnIndex] ?? null);
          const text = `${texts.title.value} ${table} ${column}`.toLowerCase();
          return words.every((word) => text.includes(word));
        });
  });
  const problemsByColumn = computed(() => {
    const byColumn = new Map<number, FormProblem[]>();
    for (const problem of page.problems.value) {
      const columnIndex = getProblemColumnIndex(problem);
      if (columnIndex !== undefined) {
        byColumn.set(columnIndex, [...(byColumn.get(columnIndex) ?? []), problem]);
      }
    }
    return byColumn;
  });
  const selection = signal(emptySelection);
  const selectionId = signal(0);
  const persistedTab = page.getPersisted('tab');
  return {
    page,
    fields,
    tab: signal<ViewpointTab>(
      persistedTab === 'sharing' || persistedTab === 'problems' ? persistedTab : 'columns',
    ),
    filter,
    selection,
    selectionId,
    matchingIndexes,
    problemsByColumn,
    select(newSelection) {
      const { selectedIndexes } = newSelection;
      if (
        selectedIndexes.size !== selection.value.selectedIndexes.size ||
        !selectedIndexes.isSubsetOf(selection.value.selectedIndexes)
      ) {
        selectionId.value += 1;
      }
      selection.value = newSelection;
    },
    getColumn: (columnIndex) => getFields(fields.value.columns[columnIndex] ?? null),
  };
}

/** Returns the index of the column that contains a problem; `undefined` if it is not in a column. */
export function getProblemColumnIndex({ path }: FormProblem): number | undefined {
  const [details, columns, columnIndex] = path;
  return details === 'details' && columns === 'columns' && typeof columnIndex === 'number'
    ? columnIndex
    : undefined;
}
