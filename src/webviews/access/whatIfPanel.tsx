import { useId, useState } from 'preact/hooks';
import type { PageParty, ToAccess } from '../protocol/access.ts';
import type { NamedParty } from '../../security/readRule.ts';
import type { HypotheticalRule } from '../../security/whatIf/whatIf.ts';
import { t } from '../shared/t.ts';
import type { AccessFormatter } from './accessFormatter.ts';
import { type AccessState, hasHypotheticalRules } from './state.ts';

interface WhatIfProps {
  readonly data: Extract<ToAccess, { type: 'data' }>;
  readonly state: AccessState;
  readonly change: (part: Partial<AccessState>) => void;
  readonly parties: readonly PageParty[];
  readonly sentences: AccessFormatter;
  readonly affected: readonly (PageParty | 'default')[];
}

/** The maximum number of affected parties to name. */
const maxNamedParties = 12;

/** Lets the user add hypothetical rules, and lists the parties whose access they would change. */
export function WhatIfPanel({ data, state, change, parties, sentences, affected }: WhatIfProps) {
  const { drafts, without } = state;
  const names = affected
    .slice(0, maxNamedParties)
    .map((each) => (each === 'default' ? t('everyone else') : sentences.formatNamedParty(each)));
  const more = affected.length - names.length;
  return (
    <details class="what-if" open={hasHypotheticalRules(state)}>
      <summary>{t('What would change if…')}</summary>
      <DraftForm {...{ data, parties, state }} add={(draft) => change({ drafts: [...drafts, draft] })} />
      {hasHypotheticalRules(state) ? (
        <>
          <ul class="chips" aria-label={t('Imagined')}>
            {drafts.map((draft, index) => (
              <li key={JSON.stringify(draft)}>
                {formatDraft(draft, sentences)}
                <button
                  type="button"
                  class="icon-button"
                  aria-label={t('Remove {0}', formatDraft(draft, sentences))}
                  onClick={() => change({ drafts: drafts.toSpliced(index, 1) })}
                >
                  <span class="codicon codicon-close" aria-hidden="true" />
                </button>
              </li>
            ))}
            {without.length === 0 ? null : (
              <li>
                {without.length === 1 ? t('One rule left out') : t('{0} rules left out', without.length)}
              </li>
            )}
          </ul>
          <p role="status">
            {affected.length === 0
              ? t('Nobody who is known here would see anything else.')
              : t('Changes for: {0}', [...names, ...(more > 0 ? [t('{0} more', more)] : [])].join(', '))}
          </p>
          <button type="button" class="button" onClick={() => change({ drafts: [], without: [] })}>
            {t('Forget All')}
          </button>
        </>
      ) : null}
    </details>
  );
}

function formatDraft(
  { table, column, access, values, party }: HypotheticalRule,
  sentences: AccessFormatter,
): string {
  const grant =
    access === 'everything' || access === 'nothing'
      ? ({ kind: access === 'everything' ? 'except' : 'only', values: new Set<string>() } as const)
      : ({ kind: access, values: new Set(values) } as const);
  return t(
    '{0} on {1}: {2}',
    sentences.formatNamedParty(party),
    `${table}.${column}`,
    sentences.formatGrant(grant),
  );
}

interface DraftFormProps extends Pick<WhatIfProps, 'data' | 'parties' | 'state'> {
  readonly add: (draft: HypotheticalRule) => void;
}

function DraftForm({ data, parties, state, add }: DraftFormProps) {
  const id = useId();
  const [place, setPlace] = useState('');
  const [access, setAccess] = useState<HypotheticalRule['access']>('only');
  const [values, setValues] = useState('');
  const [party, setParty] = useState('');
  const columns = getColumnChoices(data);
  const choices = getPartyChoices(state, parties);
  const column = columns.find(({ label }) => label === place.trim());
  const chosen = choices.find(({ key }) => key === party) ?? choices[0];
  const isList = access === 'only' || access === 'except';
  const list = values.split('\n').filter((line) => line !== '');
  const isReady = column !== undefined && chosen !== undefined && (!isList || list.length > 0);
  // There is no form element, because webviews must not submit forms.
  const submit = (): void => {
    if (isReady) {
      const { table, name } = column;
      add({ table, column: name, access, values: isList ? list : [], party: chosen.party });
      setValues('');
    }
  };
  return (
    <fieldset class="draft" aria-label={t('A rule that is not there')}>
      <label>
        {t('there were a rule on')}
        <input
          type="text"
          list={`${id}-columns`}
          value={place}
          placeholder={t('Table.Column')}
          onInput={({ currentTarget }) => setPlace(currentTarget.value)}
        />
      </label>
      <datalist id={`${id}-columns`}>
        {columns.slice(0, 2000).map(({ label }) => (
          <option key={label} value={label} />
        ))}
      </datalist>
      <label>
        {t('for')}
        <select value={chosen?.key} onChange={({ currentTarget }) => setParty(currentTarget.value)}>
          {choices.map(({ key, label }) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t('that lets see')}
        <select
          value={access}
          onChange={({ currentTarget }) => setAccess(currentTarget.value as HypotheticalRule['access'])}
        >
          <option value="only">{t('only these values')}</option>
          {data.kind === 'live' ? null : <option value="except">{t('all but these values')}</option>}
          <option value="everything">{t('everything')}</option>
          <option value="nothing">{t('nothing')}</option>
        </select>
      </label>
      {isList ? (
        <label>
          {t('values, one on a line')}
          <textarea rows={3} value={values} onInput={({ currentTarget }) => setValues(currentTarget.value)} />
        </label>
      ) : null}
      <button type="button" class="button" disabled={!isReady} onClick={submit}>
        {t('Imagine')}
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
  const named = (table: string, name: string): ColumnChoice => ({ label: `${table}.${name}`, table, name });
  const listed = (catalog?.tables ?? []).flatMap(({ name: table, columns }) =>
    columns.map(({ name }) => named(table, name)),
  );
  const ruled = rules.flatMap((rule) => {
    const { table, column } = (rule ?? {}) as { table?: unknown; column?: unknown };
    return typeof table === 'string' && typeof column === 'string' ? [named(table, column)] : [];
  });
  return [...new Map([...listed, ...ruled].map((each) => [each.label, each])).values()];
}

interface PartyChoice {
  readonly key: string;
  readonly label: string;
  readonly party: NamedParty;
}

/** The parties to select from: those selected on the page first, then everyone else, then other known parties. */
function getPartyChoices(
  { party, other }: AccessState,
  parties: readonly PageParty[],
): readonly PartyChoice[] {
  const named = (type: 'user' | 'group', id: string): PartyChoice => {
    const name = parties.find((each) => each.type === type && each.id === id)?.name ?? id;
    const label = type === 'user' ? t('user {0}', name) : t('group {0}', name);
    return { key: `${type}:${id}`, label, party: { type, id } };
  };
  const chosen = [party, ...(other === undefined ? [] : [other])].flatMap(({ userId, groupIds }) => [
    ...(userId === undefined ? [] : [named('user', userId)]),
    ...groupIds.map((id) => named('group', id)),
  ]);
  const everyone: PartyChoice = { key: 'default', label: t('everyone else'), party: { type: 'default' } };
  const all = [...chosen, everyone, ...parties.map(({ type, id }) => named(type, id))];
  return [...new Map(all.map((each) => [each.key, each])).values()];
}
