import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { ColumnFields } from '../../viewpoints/form/readViewpoint.ts';
import { Field, Dropdown, TextArea, TextInput } from '../shared/controls/fields.tsx';
import { t } from '../shared/t.ts';
import type { ViewpointFormModel } from './viewpointFormModel.ts';
import { JsonField } from './jsonField.tsx';

type FilterKind = 'none' | 'all' | 'members' | 'range' | 'custom' | 'different';

/** Edits a filter in one of the documented forms (rest-api.md, "Column metadata"), or any other as JSON. */
export function FilterEditor(props: {
  readonly form: ViewpointFormModel;
  readonly columnIndexes: readonly number[];
  readonly columns: readonly ColumnFields[];
}): JSX.Element {
  const { form, columnIndexes, columns } = props;
  const filter = columns[0]?.filter;
  const isSame = columns.every((column) => JSON.stringify(column.filter) === JSON.stringify(filter));
  const [selectedKind, setSelectedKind] = useState<FilterKind | undefined>(undefined);
  const kind = isSame ? (selectedKind ?? getFilterKind(filter)) : 'different';
  const isLocked = form.page.isLocked.value || columns.some(({ isUnsupported }) => isUnsupported);
  const isNumber = columns.every(({ texts }) => ['numeric', 'number'].includes(texts.datatype.value));
  const setFilter = (value: JsonObject | null): void =>
    form.page.edit({ kind: 'columnPart', columns: columnIndexes, key: 'filter', value });
  const setKind = (nextKind: string): void => {
    setSelectedKind(nextKind === 'custom' ? 'custom' : undefined);
    const initialFilter = createFilter(nextKind, filter);
    if (initialFilter !== undefined) {
      setFilter(initialFilter);
    }
  };
  return (
    <div class="fields">
      <Field label={t('Filter')}>
        <Dropdown
          label={t('Filter')}
          value={kind}
          disabled={isLocked}
          choices={[
            ...(kind === 'different' ? [{ value: 'different', label: t('(multiple values)') }] : []),
            { value: 'none', label: t('(none)') },
            { value: 'all', label: t('All values') },
            { value: 'members', label: t('Listed values') },
            { value: 'range', label: t('Range') },
            { value: 'custom', label: t('Other (JSON)') },
          ]}
          onChange={setKind}
        />
      </Field>
      {kind === 'members' ? <MembersEditor filter={filter} disabled={isLocked} onChange={setFilter} /> : null}
      {kind === 'range' ? (
        <RangeEditor filter={filter} isNumber={isNumber} disabled={isLocked} onChange={setFilter} />
      ) : null}
      {kind === 'custom' ? (
        <JsonField
          label={t('Filter as JSON')}
          value={filter ?? {}}
          disabled={isLocked}
          accepts={isJsonObject}
          acceptedKind={t('an object')}
          onChange={(value) => setFilter(value as JsonObject)}
        />
      ) : null}
    </div>
  );
}

/** Returns the form of a filter. One with unknown keys is `custom`: it is edited as JSON, so that no key is hidden. */
function getFilterKind(filter: JsonValue | undefined): FilterKind {
  if (filter === undefined || filter === null) {
    return 'none';
  }
  if (!isJsonObject(filter)) {
    return 'custom';
  }
  const keys = Object.keys(filter);
  const hasOnlyKeys = (...allowedKeys: readonly string[]): boolean =>
    keys.every((key) => allowedKeys.includes(key));
  if (filter['all'] === true && hasOnlyKeys('all', 'explicit', 'multiSelection')) {
    return 'all';
  }
  const { members } = filter;
  if (Array.isArray(members) && members.every((member) => typeof member === 'string')) {
    return hasOnlyKeys('members', 'explicit', 'multiSelection') &&
      !members.some((member) => /[\r\n]/.test(member))
      ? 'members'
      : 'custom';
  }
  const isScalar = (value: JsonValue | undefined): boolean => typeof value !== 'object' || value === null;
  return keys.length > 0 && hasOnlyKeys('from', 'to') && isScalar(filter['from']) && isScalar(filter['to'])
    ? 'range'
    : 'custom';
}

/** Creates the filter for a newly selected form; existing values are kept if the form has them. */
function createFilter(kind: string, filter: JsonValue | undefined): JsonObject | null | undefined {
  const currentFilter = filter !== undefined && isJsonObject(filter) ? filter : {};
  switch (kind) {
    case 'none':
      return null;
    case 'all':
      return { all: true };
    case 'members':
      return { members: currentFilter['members'] ?? [], explicit: true, multiSelection: true };
    case 'range':
      return { from: currentFilter['from'] ?? '', to: currentFilter['to'] ?? '' };
    default:
      return undefined;
  }
}

interface FilterFieldProps {
  readonly filter: JsonValue | undefined;
  readonly disabled: boolean;
  readonly onChange: (filter: JsonObject) => void;
}

/** Edits values as text, one per line. An empty last line does not add a value. */
function MembersEditor({ filter, disabled, onChange }: FilterFieldProps): JSX.Element {
  const object = filter !== undefined && isJsonObject(filter) ? filter : {};
  const members = Array.isArray(object['members']) ? (object['members'] as readonly string[]) : [];
  const [typedText, setTypedText] = useState(members.join('\n'));
  const text = hasSameMembers(typedText, members) ? typedText : members.join('\n');
  return (
    <Field label={t('Values')} hint={t('One value per line')}>
      <TextArea
        label={t('Values, one per line')}
        rows={4}
        value={text}
        disabled={disabled}
        onInput={(value) => {
          setTypedText(value);
          onChange({ ...object, members: parseMembers(value) });
        }}
      />
    </Field>
  );
}

const parseMembers = (text: string): readonly string[] => text.split(/\r?\n/).filter((line) => line !== '');

const hasSameMembers = (text: string, members: readonly string[]): boolean =>
  JSON.stringify(parseMembers(text)) === JSON.stringify(members);

function RangeEditor({
  filter,
  disabled,
  isNumber,
  onChange,
}: FilterFieldProps & { readonly isNumber: boolean }): JSX.Element {
  const object = filter !== undefined && isJsonObject(filter) ? filter : {};
  const getText = (name: string): string => {
    const value = object[name] ?? '';
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  const createSetter = (name: string) => (text: string) =>
    onChange({ ...object, [name]: isNumber && isPlainNumber(text) ? Number(text) : text });
  return (
    <>
      <Field label={t('From')}>
        <TextInput
          label={t('From')}
          value={getText('from')}
          disabled={disabled}
          onInput={createSetter('from')}
        />
      </Field>
      <Field label={t('To')}>
        <TextInput label={t('To')} value={getText('to')} disabled={disabled} onInput={createSetter('to')} />
      </Field>
    </>
  );
}

/** True if a number is written in its canonical form; incomplete ones such as `1.` stay text until complete. */
const isPlainNumber = (text: string): boolean => text.trim() !== '' && String(Number(text)) === text;
