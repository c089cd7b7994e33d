import type { JSX } from 'preact';
import { type ColumnFields } from '../../viewpoints/form/readViewpoint.ts';
import { columnFlags, type ColumnTextKey, exclusiveFlags } from '../../viewpoints/form/viewpointEdit.ts';
import {
  aggregationWords,
  datatypeWords,
  levelWords,
  sortWords,
  type Vocabulary,
} from '../../viewpoints/vocabulary.ts';
import {
  Checkbox,
  type SelectOption,
  Field,
  Icon,
  IconButton,
  Dropdown,
  TextInput,
} from '../shared/controls/fields.tsx';
import { ProblemSummary } from '../shared/controls/problemSummary.tsx';
import { isMac } from '../shared/shortcuts.ts';
import { t } from '../shared/t.ts';
import { getSelectedColumnIndexes, moveSelectedColumns, removeSelectedColumns } from './columnActions.ts';
import { flagLabels } from './describeFilter.ts';
import { FilterEditor } from './filterEditor.tsx';
import type { ViewpointFormModel } from './viewpointFormModel.ts';
import { FormatEditor } from './formatEditor.tsx';

/** The properties of the selected columns. Fields with different values are blank, and change nothing until edited. */
export function Inspector({ form }: { readonly form: ViewpointFormModel }): JSX.Element {
  const columnIndexes = getSelectedColumnIndexes(form);
  const [firstIndex] = columnIndexes;
  if (firstIndex === undefined) {
    return (
      <aside class="inspector" aria-label={t('Column')}>
        <div class="empty">
          <p>{t('Select a column to view and edit it.')}</p>
        </div>
      </aside>
    );
  }
  const columns = columnIndexes.map((columnIndex) => form.getColumn(columnIndex));
  const [singleColumn] = columns;
  const heading =
    singleColumn !== undefined && columns.length === 1
      ? singleColumn.texts.title.value || singleColumn.column || t('Column {0}', firstIndex + 1)
      : t('{0} columns', columns.length);
  return (
    <aside class="inspector" aria-label={t('Column')}>
      <div class="inspector-head">
        <h2 class="text" title={heading}>
          {heading}
        </h2>
        <IconButton
          icon="arrow-up"
          label={isMac ? t('Move Up (⌥↑)') : t('Move Up (Alt+Up)')}
          disabled={form.page.isLocked.value}
          onClick={() => moveSelectedColumns(form, -1)}
        />
        <IconButton
          icon="arrow-down"
          label={isMac ? t('Move Down (⌥↓)') : t('Move Down (Alt+Down)')}
          disabled={form.page.isLocked.value}
          onClick={() => moveSelectedColumns(form, 1)}
        />
        <IconButton
          icon="json"
          label={t('Open JSON of Column')}
          onClick={() => form.page.showText(['details', 'columns', firstIndex])}
        />
        <IconButton
          icon="trash"
          label={t('Remove (Delete)')}
          disabled={form.page.isLocked.value}
          onClick={() => removeSelectedColumns(form)}
        />
      </div>
      <div class="inspector-body">
        {columns.length === 1 && singleColumn !== undefined ? <SourceFields column={singleColumn} /> : null}
        <ProblemSummary
          problems={columnIndexes.flatMap(
            (columnIndex) => form.problemsByColumn.value.get(columnIndex) ?? [],
          )}
        />
        <TextFields form={form} columnIndexes={columnIndexes} columns={columns} />
        <FlagFields form={form} columnIndexes={columnIndexes} columns={columns} />
        <FilterEditor
          key={`filter ${form.selectionId.value}`}
          form={form}
          columnIndexes={columnIndexes}
          columns={columns}
        />
        <FormatEditor
          key={`format ${form.selectionId.value}`}
          form={form}
          columnIndexes={columnIndexes}
          columns={columns}
        />
      </div>
    </aside>
  );
}

interface ColumnFieldsProps {
  readonly form: ViewpointFormModel;
  readonly columnIndexes: readonly number[];
  readonly columns: readonly ColumnFields[];
}

function SourceFields({ column }: { readonly column: ColumnFields }): JSX.Element {
  return (
    <p class="source-line" title={column.dim}>
      <Icon name="table" />
      <span class="text">{column.table}</span>
      <Icon name="chevron-right" />
      <span class="text">{column.column}</span>
    </p>
  );
}

/** Returns the text that all columns have; empty if their texts differ. */
function getSharedText(columns: readonly ColumnFields[], key: ColumnTextKey): string {
  const [first] = columns;
  const value = first?.texts[key].value ?? '';
  return columns.every(({ texts }) => texts[key].value === value) ? value : '';
}

function TextFields({ form, columnIndexes, columns }: ColumnFieldsProps): JSX.Element {
  const { page } = form;
  const isLocked = page.isLocked.value || columns.some(({ isUnsupported }) => isUnsupported);
  const isUnsupportedValue = (key: ColumnTextKey): boolean =>
    columns.some(({ texts }) => texts[key].isUnsupported);
  const createSetter = (key: ColumnTextKey) => (value: string) =>
    page.edit({ kind: 'columnText', columns: columnIndexes, key, value });
  const getPlaceholder = (key: ColumnTextKey): string | undefined =>
    columns.every(({ texts }) => texts[key].value === columns[0]?.texts[key].value)
      ? undefined
      : t('(multiple values)');
  const areAllDates = columns.every(({ isDate }) => isDate);
  return (
    <div class="fields">
      <Field label={t('Title')}>
        <TextInput
          id="column-title"
          label={t('Title')}
          value={getSharedText(columns, 'title')}
          placeholder={columns.length > 1 ? t('(multiple values)') : (columns[0]?.column ?? '')}
          disabled={isLocked || isUnsupportedValue('title')}
          onInput={createSetter('title')}
        />
      </Field>
      <Field label={t('Type')}>
        <Dropdown
          label={t('Type')}
          value={getSharedText(columns, 'datatype')}
          mixedLabel={getPlaceholder('datatype')}
          choices={getOptions(datatypeWords, t('(none)'))}
          disabled={isLocked || isUnsupportedValue('datatype')}
          onChange={createSetter('datatype')}
        />
      </Field>
      <Field label={t('Aggregation')}>
        <Dropdown
          label={t('Aggregation')}
          value={getSharedText(columns, 'agg')}
          mixedLabel={getPlaceholder('agg')}
          choices={getOptions(aggregationWords, t('(none)'))}
          disabled={isLocked || isUnsupportedValue('agg')}
          onChange={createSetter('agg')}
        />
      </Field>
      <Field label={t('Level')} hint={areAllDates ? undefined : t('Only dates have levels.')}>
        <Dropdown
          label={t('Level')}
          value={getSharedText(columns, 'level')}
          mixedLabel={getPlaceholder('level')}
          choices={getOptions(levelWords, t('(none)'))}
          disabled={
            isLocked ||
            isUnsupportedValue('level') ||
            (!areAllDates && getSharedText(columns, 'level') === '')
          }
          onChange={createSetter('level')}
        />
      </Field>
      <Field label={t('Sort')}>
        <Dropdown
          label={t('Sort')}
          value={getSharedText(columns, 'sort')}
          mixedLabel={getPlaceholder('sort')}
          choices={getOptions(sortWords, t('(none)')).map(({ value, label }) => ({
            value,
            label: value === 'asc' ? t('ascending') : value === 'desc' ? t('descending') : label,
          }))}
          disabled={isLocked || isUnsupportedValue('sort')}
          onChange={createSetter('sort')}
        />
      </Field>
    </div>
  );
}

const getOptions = ({ documented, undocumented }: Vocabulary, noneLabel: string): readonly SelectOption[] => [
  { value: '', label: noneLabel },
  ...[...documented, ...undocumented].map((word) => ({ value: word, label: word })),
];

function FlagFields({ form, columnIndexes, columns }: ColumnFieldsProps): JSX.Element {
  const isLocked = form.page.isLocked.value || columns.some(({ isUnsupported }) => isUnsupported);
  return (
    <fieldset class="flags">
      <legend>{t('For assistant apps')}</legend>
      {columnFlags.map((flag) => {
        const isChecked = columns.every(({ flags }) => flags.has(flag));
        const needsSingleColumn = exclusiveFlags.includes(flag) && columns.length > 1;
        const needsDateColumns = flag === 'defaultDate' && !columns.every(({ isDate }) => isDate);
        return (
          <Checkbox
            key={flag}
            label={flagLabels[flag].label()}
            hint={flagLabels[flag].hint()}
            isChecked={isChecked}
            disabled={isLocked || (!isChecked && (needsSingleColumn || needsDateColumns))}
            onChange={(value) => form.page.edit({ kind: 'flag', columns: columnIndexes, flag, value })}
          />
        );
      })}
    </fieldset>
  );
}
