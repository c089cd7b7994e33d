import { useId, useMemo, useRef, useState } from 'preact/hooks';
import { joinWithMore } from '../../base/joinNames.ts';
import type { PageParty, ToAccess } from '../protocol/access.ts';
import type { PartyRef } from '../../security/readRules.ts';
import { countValuesIfSplitAtCommas, parseValues } from '../../security/values/valueText.ts';
import type { KnownValues } from '../../security/values/knownValues.ts';
import { getSpellingHint } from '../../security/values/spellingText.ts';
import { suggestValues } from '../../security/values/suggestValues.ts';
import { maxSuggestions, ValueSuggestions } from '../shared/controls/valueSuggestions.tsx';
import { getCommaHint } from '../protocol/valueHints.ts';
import type { HypotheticalRule } from '../../security/whatIf/whatIf.ts';
import { t } from '../shared/t.ts';
import { useRowFocus } from '../shared/useRowFocus.ts';
import { type AccessFormatter, createPartyNameLookup } from './accessFormatter.ts';
import { type AccessPageState, getDraftKeys, isPreviewActive } from './state.ts';

interface WhatIfProps {
  readonly data: Extract<ToAccess, { type: 'data' }>;
  readonly knownValues: KnownValues;
  readonly state: AccessPageState;
  readonly updateState: (changes: Partial<AccessPageState>) => void;
  readonly parties: readonly PageParty[];
  readonly formatter: AccessFormatter;
  /** Whether the page shows what changes of rules would do, including those in the rules grid. */
  readonly isPreviewed: boolean;
  readonly affectedParties: readonly (PageParty | 'default')[];
}

/** The maximum number of affected parties to name. */
const maxNamedParties = 12;

/** Lets the user add hypothetical rules, and lists the parties whose access they would change. */
export function WhatIfPanel(props: WhatIfProps) {
  const { data, knownValues, state, updateState, parties, formatter, isPreviewed, affectedParties } = props;
  const { drafts, without } = state;
  const draftKeys = getDraftKeys(drafts);
  const [isExpanded, setExpanded] = useState(false);
  const container = useRef<HTMLDetailsElement>(null);
  const rememberFocus = useRowFocus(container, drafts);
  const names = affectedParties
    .slice(0, maxNamedParties)
    .map((party) => (party === 'default' ? t('everyone else') : formatter.formatNamedParty(party)));
  const hiddenCount = affectedParties.length - names.length;
  return (
    <>
      <details
        class="what-if"
        ref={container}
        open={isExpanded || isPreviewActive(state)}
        onToggle={({ currentTarget }) => setExpanded(currentTarget.open)}
      >
        <summary>{t('Preview rule changes')}</summary>
        <DraftForm
          {...{ data, knownValues, parties, state }}
          add={(draft) => updateState({ drafts: [...drafts, draft] })}
        />
        {isPreviewActive(state) ? (
          <>
            <ul class="chips" aria-label={t('Hypothetical rules')}>
              {drafts.map((draft, index) => (
                <li key={draftKeys[index]} data-row>
                  {formatDraft(draft, formatter)}
                  <button
                    type="button"
                    class="icon-button"
                    aria-label={t('Remove {0}', formatDraft(draft, formatter))}
                    onClick={() => {
                      rememberFocus();
                      updateState({ drafts: drafts.toSpliced(index, 1) });
                    }}
                  >
                    <span class="codicon codicon-close" aria-hidden="true" />
                  </button>
                </li>
              ))}
              {without.length === 0 ? null : (
                <li>{without.length === 1 ? t('1 rule ignored') : t('{0} rules ignored', without.length)}</li>
              )}
            </ul>
            <button type="button" class="button" onClick={() => updateState({ drafts: [], without: [] })}>
              {t('Clear')}
            </button>
          </>
        ) : null}
      </details>
      {isPreviewed ? (
        <p role="status">
          {affectedParties.length === 0
            ? t("Access doesn't change for any known user or group.")
            : t('Access changes for: {0}', joinWithMore(names, hiddenCount, t))}
        </p>
      ) : null}
    </>
  );
}

function formatDraft(
  { table, column, access, values, party }: HypotheticalRule,
  formatter: AccessFormatter,
): string {
  const grant =
    access === 'everything' || access === 'nothing'
      ? ({ kind: access === 'everything' ? 'except' : 'only', values: new Set<string>() } as const)
      : ({ kind: access, values: new Set(values) } as const);
  return t(
    '{0} on {1}: {2}',
    formatter.formatNamedParty(party),
    `${table}.${column}`,
    formatter.formatGrant(grant),
  );
}

interface DraftFormProps extends Pick<WhatIfProps, 'data' | 'knownValues' | 'parties' | 'state'> {
  readonly add: (draft: HypotheticalRule) => void;
}

function DraftForm({ data, knownValues, parties, state, add }: DraftFormProps) {
  const id = useId();
  const [columnLabel, setColumnLabel] = useState('');
  const [access, setAccess] = useState<HypotheticalRule['access']>('only');
  const [values, setValues] = useState('');
  const [party, setParty] = useState('');
  // A datamodel can have tens of thousands of columns, and an instance thousands of users.
  const columns = useMemo(() => getColumnChoices(data), [data]);
  const choices = useMemo(() => getPartyChoices(state, parties), [state.party, state.other, parties]);
  const column = columns.find(({ label }) => label === columnLabel.trim());
  const selectedParty = choices.find(({ key }) => key === party) ?? choices[0];
  const isList = access === 'only' || access === 'except';
  const valueList = parseValues(values);
  const columnName = column && { table: column.table, column: column.name };
  const hint =
    (columnName && getSpellingHint(valueList, columnName, knownValues, t)) ??
    getCommaHint(countValuesIfSplitAtCommas(values), t);
  const suggestions =
    columnName === undefined
      ? []
      : suggestValues(values, knownValues.getValues(columnName), { joiner: '\n', maxCount: maxSuggestions });
  const isReady = column !== undefined && selectedParty !== undefined && (!isList || valueList.length > 0);
  // There is no form element, because webviews must not submit forms.
  const submit = (): void => {
    if (isReady) {
      const { table, name } = column;
      add({ table, column: name, access, values: isList ? valueList : [], party: selectedParty.party });
      setValues('');
    }
  };
  return (
    <fieldset class="draft" aria-label={t('Hypothetical rule')}>
      <label>
        {t('Column')}
        <input
          type="text"
          list={`${id}-columns`}
          value={columnLabel}
          placeholder={t('Table.Column')}
          onInput={({ currentTarget }) => setColumnLabel(currentTarget.value)}
        />
      </label>
      <datalist id={`${id}-columns`}>
        {columns.slice(0, 2000).map(({ label }) => (
          <option key={label} value={label} />
        ))}
      </datalist>
      <label>
        {t('User or group')}
        <select value={selectedParty?.key} onChange={({ currentTarget }) => setParty(currentTarget.value)}>
          {choices.map(({ key, label }) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t('Access')}
        <select
          value={access}
          onChange={({ currentTarget }) => setAccess(currentTarget.value as HypotheticalRule['access'])}
        >
          <option value="only">{t('Only these values')}</option>
          {data.kind === 'live' ? null : <option value="except">{t('All but these values')}</option>}
          <option value="everything">{t('All values')}</option>
          <option value="nothing">{t('No values')}</option>
        </select>
      </label>
      {isList ? (
        <div class="draft-values">
          <label>
            {t('Values, one per line or separated by semicolons')}
            <textarea
              rows={3}
              value={values}
              aria-describedby={`${id}-hint`}
              onInput={({ currentTarget }) => setValues(currentTarget.value)}
            />
          </label>
          <ValueSuggestions suggestions={suggestions} onChoose={setValues} />
          <span id={`${id}-hint`} class="muted" role="status">
            {hint}
          </span>
        </div>
      ) : null}
      <button type="button" class="button" disabled={!isReady} onClick={submit}>
        {t('Preview')}
      </button>
    </fieldset>
  );
}

interface ColumnChoice {
  readonly label: string;
  readonly table: string;
  readonly name: string;
}

/** The columns of the catalog, and columns that have rules but are not in the catalog. */
function getColumnChoices({ catalog, rules }: WhatIfProps['data']): readonly ColumnChoice[] {
  const createChoice = (table: string, name: string): ColumnChoice => ({
    label: `${table}.${name}`,
    table,
    name,
  });
  const catalogColumns = (catalog?.tables ?? []).flatMap(({ name: table, columns }) =>
    columns.map(({ name }) => createChoice(table, name)),
  );
  const columnsWithRules = rules.flatMap((rule) => {
    const { table, column } = (rule ?? {}) as { table?: unknown; column?: unknown };
    return typeof table === 'string' && typeof column === 'string' ? [createChoice(table, column)] : [];
  });
  return [
    ...new Map([...catalogColumns, ...columnsWithRules].map((choice) => [choice.label, choice])).values(),
  ];
}

interface PartyChoice {
  readonly key: string;
  readonly label: string;
  readonly party: PartyRef;
}

/** The parties to select from: those selected on the page first, then everyone else, then other known parties. */
function getPartyChoices(
  { party, other }: AccessPageState,
  parties: readonly PageParty[],
): readonly PartyChoice[] {
  const getPartyName = createPartyNameLookup(parties);
  const createChoice = (type: 'user' | 'group', id: string): PartyChoice => {
    const name = getPartyName(type, id);
    const label = type === 'user' ? t('user {0}', name) : t('group {0}', name);
    return { key: `${type}:${id}`, label, party: { type, id } };
  };
  const selectedChoices = [party, ...(other === undefined ? [] : [other])].flatMap(({ userId, groupIds }) => [
    ...(userId === undefined ? [] : [createChoice('user', userId)]),
    ...groupIds.map((id) => createChoice('group', id)),
  ]);
  const everyoneElse: PartyChoice = { key: 'default', label: t('everyone else'), party: { type: 'default' } };
  const allChoices = [
    ...selectedChoices,
    everyoneElse,
    ...parties.map(({ type, id }) => createChoice(type, id)),
  ];
  return [...new Map(allChoices.map((choice) => [choice.key, choice])).values()];
}
