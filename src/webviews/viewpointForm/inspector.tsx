import type { JSX } from 'preact';
import { type ColumnFields } from '../../viewpoints/form/readViewpoint.ts';
import { columnFlags, type ColumnText, exclusiveFlags } from '../../viewpoints/form/viewpointEdit.ts';
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
import { t } from '../shared/t.ts';
import { getSelectedColumns, moveSelected, removeSelected } from './columnActions.ts';
import { flagLabels } from './describeFilter.ts';
import { FilterEditor } from './filterEditor.tsx';
import type { ViewpointFormModel } from './viewpointFormModel.ts';
import { FormatEditor } from './formatEditor.tsx';

/** The properties of the selected columns. Fields with different values are blank, and change nothing until edited. */
export function Inspector({ form }: { readonly form: ViewpointFormModel }): JSX.Element {
  const places = getSelectedColumns(form);
  const [first] = places;
  if (first === undefined) {
    return (
      <aside class="inspector" aria-label={t('Column')}>
        <div class="empty">
          <p>{t('Choose a column to see and change it.')}</p>
        </div>
      </aside>
    );
  }
  const columns = places.map((place) => form.column(place));
  const [only] = columns;
  const heading =
    only !== undefined && columns.length === 1
      ? only.texts.title.value || only.column || t('Column {0}', first + 1)
      : t('{0} columns', columns.length);
  return (
    <aside class="inspector" aria-label={t('Column')}>
      <div class="inspector-head">
        <h2 class="text" title={heading}>
          {heading}
        </h2>
        <IconButton
          icon="arrow-up"
          label={t('Move Up (Alt+Up)')}
          disabled={form.page.isLocked.value}
          onClick={() => moveSelected(form, -1)}
        />
        <IconButton
          icon="arrow-down"
          label={t('Move Down (Alt+Down)')}
          disabled={form.page.isLocked.value}
          onClick={() => moveSelected(form, 1)}
        />
        <IconButton
          icon="json"
          label={t('Open JSON of Column')}
          onClick={() => form.page.showText(['details', 'columns', first])}
        />
        <IconButton
          icon="trash"
          label={t('Remove (Delete)')}
          disabled={form.page.isLocked.value}
          onClick={() => removeSelected(form)}
        />
      </div>
      <div class="inspector-body">
        {columns.length === 1 && only !== undefined ? <SourceFields column={only} /> : null}
        <ProblemSummary problems={places.flatMap((place) => form.problemsByColumn.value.get(place) ?? [])} />
        <TextFields form={form} places={places} columns={columns} />
        <FlagFields form={form} places={places} columns={columns} />
        <FilterEditor key={`filter ${places.join()}`} form={form} places={places} columns={columns} />
        <FormatEditor key={`format ${places.join()}`} form={form} places={places} columns={columns} />
      </div>
    </aside>
  );
}

interface InspectorProps {
  readonly form: ViewpointFormModel;
  readonly places: readonly number[];
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
function getSharedText(columns: readonly ColumnFields[], key: ColumnText): string {
  const [first] = columns;
  const value = first?.texts[key].value ?? '';
  return columns.every(({ texts }) => texts[key].value === value) ? value : '';
}

function TextFields({ form, places, columns }: InspectorProps): JSX.Element {
  const { page } = form;
  const isFixed = page.isLocked.value || columns.some(({ isUnsupported }) => isUnsupported);
  const isUnknownValue = (key: ColumnText): boolean => columns.some(({ texts }) => texts[key].isUnsupported);
  const set = (key: ColumnText) => (value: string) =>
    page.edit({ kind: 'columnText', columns: places, key, value });
  const getPlaceholder = (key: ColumnText): string | undefined =>
    columns.every(({ texts }) => texts[key].value === columns[0]?.texts[key].value)
      ? undefined
      : t('(different)');
  const allDates = columns.every(({ isDate }) => isDate);
  return (
    <div class="fields">
      <Field label={t('Title')}>
        <TextInput
          id="column-title"
          label={t('Title')}
          value={getSharedText(columns, 'title')}
          placeholder={columns.length > 1 ? t('(different)') : (columns[0]?.column ?? '')}
          disabled={isFixed || isUnknownValue('title')}
          onInput={set('title')}
        />
      </Field>
      <Field label={t('Type')}>
        <Dropdown
          label={t('Type')}
          value={getSharedText(columns, 'datatype')}
          blank={getPlaceholder('datatype')}
          choices={getOptions(datatypeWords, t('(none)'))}
          disabled={isFixed || isUnknownValue('datatype')}
          onChange={set('datatype')}
        />
      </Field>
      <Field label={t('Aggregation')}>
        <Dropdown
          label={t('Aggregation')}
          value={getSharedText(columns, 'agg')}
          blank={getPlaceholder('agg')}
          choices={getOptions(aggregationWords, t('(none)'))}
          disabled={isFixed || isUnknownValue('agg')}
          onChange={set('agg')}
        />
      </Field>
      <Field label={t('Level')} hint={allDates ? undefined : t('Only dates have levels.')}>
        <Dropdown
          label={t('Level')}
          value={getSharedText(columns, 'level')}
          blank={getPlaceholder('level')}
          choices={getOptions(levelWords, t('(none)'))}
          disabled={
            isFixed || isUnknownValue('level') || (!allDates && getSharedText(columns, 'level') === '')
          }
          onChange={set('level')}
        />
      </Field>
      <Field label={t('Sort')}>
        <Dropdown
          label={t('Sort')}
          value={getSharedText(columns, 'sort')}
          blank={getPlaceholder('sort')}
          choices={getOptions(sortWords, t('(none)')).map(({ value, label }) => ({
            value,
            label: value === 'asc' ? t('ascending') : value === 'desc' ? t('descending') : label,
          }))}
          disabled={isFixed || isUnknownValue('sort')}
          onChange={set('sort')}
        />
      </Field>
    </div>
  );
}

const getOptions = ({ documented, undocumented }: Vocabulary, none: string): readonly SelectOption[] => [
  { value: '', label: none },
  ...[...documented, ...undocumented].map((word) => ({ value: word, label: word })),
];

function FlagFields({ form, places, columns }: InspectorProps): JSX.Element {
  const isFixed = form.page.isLocked.value || columns.some(({ isUnsupported }) => isUnsupported);
  return (
    <fieldset class="flags">
      <legend>{t('For chat apps')}</legend>
      {columnFlags.map((flag) => {
        const isChecked = columns.every(({ flags }) => flags.has(flag));
        const isForOne = exclusiveFlags.includes(flag) && columns.length > 1;
        const isForDates = flag === 'defaultDate' && !columns.every(({ isDate }) => isDate);
        return (
          <Checkbox
            key={flag}
            label={flagLabels[flag].label()}
            hint={flagLabels[flag].hint()}
            isChecked={isChecked}
            disabled={isFixed || (!isChecked && (isForOne || isForDates))}
            onChange={(value) => form.page.edit({ kind: 'flag', columns: places, flag, value })}
          />
        );
      })}
    </fieldset>
  );
}
