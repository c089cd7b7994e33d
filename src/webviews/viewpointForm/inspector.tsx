import type { JSX } from 'preact';
import { type ColumnFields } from '../../viewpoints/form/readViewpoint.ts';
import { columnFlags, type ColumnText, soleFlags } from '../../viewpoints/form/viewpointEdit.ts';
import { aggregations, datatypes, levels, sorts, type Words } from '../../viewpoints/vocabulary.ts';
import {
  Checkbox,
  type Choice,
  Field,
  Icon,
  IconButton,
  Select,
  TextInput,
} from '../shared/controls/fields.tsx';
import { ProblemList } from '../shared/controls/problemList.tsx';
import { t } from '../shared/t.ts';
import { chosenOf, moveChosen, removeChosen } from './actions.ts';
import { flagWords } from './describe.ts';
import { FilterEditor } from './filterEditor.tsx';
import type { ViewpointForm } from './form.ts';
import { FormatEditor } from './formatEditor.tsx';

/** The properties of the chosen columns; what they do not share is blank and stays as it is until it is set. */
export function Inspector({ form }: { readonly form: ViewpointForm }): JSX.Element {
  const places = chosenOf(form);
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
          disabled={form.page.isFixed.value}
          onClick={() => moveChosen(form, -1)}
        />
        <IconButton
          icon="arrow-down"
          label={t('Move Down (Alt+Down)')}
          disabled={form.page.isFixed.value}
          onClick={() => moveChosen(form, 1)}
        />
        <IconButton
          icon="json"
          label={t('Open JSON of Column')}
          onClick={() => form.page.showText(['details', 'columns', first])}
        />
        <IconButton
          icon="trash"
          label={t('Remove (Delete)')}
          disabled={form.page.isFixed.value}
          onClick={() => removeChosen(form)}
        />
      </div>
      <div class="inspector-body">
        {columns.length === 1 && only !== undefined ? <Source column={only} /> : null}
        <ProblemList problems={places.flatMap((place) => form.problemsByColumn.value.get(place) ?? [])} />
        <Texts form={form} places={places} columns={columns} />
        <Flags form={form} places={places} columns={columns} />
        <FilterEditor key={`filter ${places.join()}`} form={form} places={places} columns={columns} />
        <FormatEditor key={`format ${places.join()}`} form={form} places={places} columns={columns} />
      </div>
    </aside>
  );
}

interface Chosen {
  readonly form: ViewpointForm;
  readonly places: readonly number[];
  readonly columns: readonly ColumnFields[];
}

function Source({ column }: { readonly column: ColumnFields }): JSX.Element {
  return (
    <p class="source-line" title={column.dim}>
      <Icon name="table" />
      <span class="text">{column.table}</span>
      <Icon name="chevron-right" />
      <span class="text">{column.column}</span>
    </p>
  );
}

/** The text that all of the columns have; blank where they differ. */
function shared(columns: readonly ColumnFields[], key: ColumnText): string {
  const [first] = columns;
  const value = first?.texts[key].value ?? '';
  return columns.every(({ texts }) => texts[key].value === value) ? value : '';
}

function Texts({ form, places, columns }: Chosen): JSX.Element {
  const { page } = form;
  const isFixed = page.isFixed.value || columns.some(({ isOdd }) => isOdd);
  const isOdd = (key: ColumnText): boolean => columns.some(({ texts }) => texts[key].isOdd);
  const set = (key: ColumnText) => (value: string) =>
    page.edit({ kind: 'columnText', columns: places, key, value });
  const blank = (key: ColumnText): string | undefined =>
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
          value={shared(columns, 'title')}
          placeholder={columns.length > 1 ? t('(different)') : (columns[0]?.column ?? '')}
          disabled={isFixed || isOdd('title')}
          onInput={set('title')}
        />
      </Field>
      <Field label={t('Type')}>
        <Select
          label={t('Type')}
          value={shared(columns, 'datatype')}
          blank={blank('datatype')}
          choices={choicesOf(datatypes, t('(none)'))}
          disabled={isFixed || isOdd('datatype')}
          onChange={set('datatype')}
        />
      </Field>
      <Field label={t('Aggregation')}>
        <Select
          label={t('Aggregation')}
          value={shared(columns, 'agg')}
          blank={blank('agg')}
          choices={choicesOf(aggregations, t('(none)'))}
          disabled={isFixed || isOdd('agg')}
          onChange={set('agg')}
        />
      </Field>
      <Field label={t('Level')} hint={allDates ? undefined : t('Only dates have levels.')}>
        <Select
          label={t('Level')}
          value={shared(columns, 'level')}
          blank={blank('level')}
          choices={choicesOf(levels, t('(none)'))}
          disabled={isFixed || isOdd('level') || (!allDates && shared(columns, 'level') === '')}
          onChange={set('level')}
        />
      </Field>
      <Field label={t('Sort')}>
        <Select
          label={t('Sort')}
          value={shared(columns, 'sort')}
          blank={blank('sort')}
          choices={choicesOf(sorts, t('(none)')).map(({ value, label }) => ({
            value,
            label: value === 'asc' ? t('ascending') : value === 'desc' ? t('descending') : label,
          }))}
          disabled={isFixed || isOdd('sort')}
          onChange={set('sort')}
        />
      </Field>
    </div>
  );
}

const choicesOf = ({ seen, wider }: Words, none: string): readonly Choice[] => [
  { value: '', label: none },
  ...[...seen, ...wider].map((word) => ({ value: word, label: word })),
];

function Flags({ form, places, columns }: Chosen): JSX.Element {
  const isFixed = form.page.isFixed.value || columns.some(({ isOdd }) => isOdd);
  return (
    <fieldset class="flags">
      <legend>{t('For chat apps')}</legend>
      {columnFlags.map((flag) => {
        const isChecked = columns.every(({ flags }) => flags.has(flag));
        const isForOne = soleFlags.includes(flag) && columns.length > 1;
        const isForDates = flag === 'defaultDate' && !columns.every(({ isDate }) => isDate);
        return (
          <Checkbox
            key={flag}
            label={flagWords[flag].label()}
            hint={flagWords[flag].hint()}
            isChecked={isChecked}
            disabled={isFixed || (!isChecked && (isForOne || isForDates))}
            onChange={(value) => form.page.edit({ kind: 'flag', columns: places, flag, value })}
          />
        );
      })}
    </fieldset>
  );
}
