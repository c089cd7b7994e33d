import { useEffect, useMemo, useState } from 'preact/hooks';
import type { FromAccess, PageParty, ToAccess } from '../protocol/access.ts';
import type { ToAccessPage } from '../protocol/accessPage.ts';
import type { PersistedDraft } from '../protocol/ruleMatrix.ts';
import type { Party } from '../../security/columnAccess.ts';
import { deserializeCellEdit } from '../../security/matrix/serializedDraft.ts';
import { KnownValues } from '../../security/values/knownValues.ts';
import { ValueIndex } from '../../security/values/valueIndex.ts';
import { Failure } from '../shared/controls/failure.tsx';
import { UnloadedPage } from '../shared/controls/unloadedPage.tsx';
import type { PageHost } from '../shared/host.ts';
import { getUnconfirmedCubeSetText } from '../../security/audit/cubeSetText.ts';
import { t } from '../shared/t.ts';
import type { PartyLookup } from '../shared/usePartyLookup.ts';
import { ColumnTable } from './columnTable.tsx';
import { PartyPicker } from './partyPicker.tsx';
import { formatCsvReport, formatMarkdownReport } from './report.ts';
import { createPartyNameLookup, AccessFormatter } from './accessFormatter.ts';
import { createAccessView, findAffectedParties, type UserLookups } from './accessView.ts';
import {
  type AccessPageState,
  initialAccessPageState,
  isPreviewActive,
  readPersistedReference,
  readAccessPageState,
} from './state.ts';
import { TableAccessList } from './tableAccessList.tsx';
import { WhatIfPanel } from './whatIfPanel.tsx';

type AccessData = Extract<ToAccess, { type: 'data' }>;

const emptyDraft: PersistedDraft = { cells: [], parties: [], columns: [] };

/** The Effective Access page: the data that each party can see in a datamodel, and why. */
export function AccessPage({ host }: { readonly host: PageHost<ToAccessPage, FromAccess> }) {
  const [data, setData] = useState<AccessData>();
  const [failure, setFailure] = useState<string>();
  const [parties, setParties] = useState<readonly PageParty[]>([]);
  const [lookupResult, setLookupResult] = useState<PartyLookup['result']>();
  const [otherValues, setOtherValues] = useState<readonly ValueIndex[]>([]);
  const [userLookups, setUserLookups] = useState<UserLookups>(new Map());
  const [unapplied, setUnapplied] = useState(emptyDraft);
  const [state, setState] = useState<AccessPageState>(() => readAccessPageState(host.getState()));
  const [rulesReference, setRulesReference] = useState<unknown>(() =>
    readPersistedReference(host.getState()),
  );

  useEffect(() => {
    host.onMessage((message) => {
      switch (message.type) {
        case 'identity':
          setRulesReference(message.rulesReference);
          break;
        case 'data':
          setData(message);
          setFailure(undefined);
          break;
        case 'values':
          setOtherValues(message.lists.map((list) => ValueIndex.deserialize(list)));
          break;
        case 'parties':
          setParties((current) => mergeParties(message.replaces === true ? [] : current, message.parties));
          if (message.replaces === true) {
            setUserLookups(new Map());
          }
          break;
        case 'party': {
          setLookupResult(message);
          const { partyType, id, name } = message;
          if (id !== undefined) {
            setParties((current) => mergeParties(current, [{ type: partyType, id, name: name ?? id }]));
          }
          break;
        }
        case 'membership': {
          const { user, id = user } = message;
          setUserLookups((current) => new Map([...current, [user, message], [id, message]]));
          // If the user was selected by name, replace the name with the ID.
          setState((current) => ({
            ...current,
            party: replaceUserId(current.party, user, id),
            ...(current.other === undefined ? {} : { other: replaceUserId(current.other, user, id) }),
          }));
          break;
        }
        case 'unapplied':
          setUnapplied(message.draft);
          break;
        case 'failed':
          setFailure(message.message);
          break;
      }
    });
    host.post({ type: 'ready' });
  }, [host]);
  // The groups of a user may change with the rules, or when more parties become known.
  const [firstUserId, secondUserId] = [state.party.userId, state.other?.userId];
  useEffect(() => {
    for (const user of new Set([firstUserId, secondUserId])) {
      if (user !== undefined && data !== undefined) {
        host.post({ type: 'membership', user });
      }
    }
  }, [host, firstUserId, secondUserId, data, parties]);
  // Persists the selection and the reference to the rules, but no data from the server.
  useEffect(() => host.setState({ ...state, place: rulesReference }), [host, state, rulesReference]);

  if (failure !== undefined) {
    return (
      <UnloadedPage>
        <Failure message={failure} retry={() => host.post({ type: 'reload' })} />
      </UnloadedPage>
    );
  }
  if (data === undefined) {
    return (
      <UnloadedPage>
        <p class="empty muted" role="status">
          {t('Loading rules…')}
        </p>
      </UnloadedPage>
    );
  }
  const partyLookup: PartyLookup = {
    result: lookupResult,
    find: (partyType, text) => host.post({ type: 'findParty', partyType, text }),
  };
  const searchAgain = (user: string): void => {
    setUserLookups(
      (current) => new Map([...current, [user, { isUnidentified: true, note: t('Searching…') }]]),
    );
    host.post({ type: 'searchUserAgain', user });
  };
  return (
    <AccessContent
      data={data}
      {...{ host, unapplied, parties, partyLookup, userLookups, searchAgain, otherValues, state, setState }}
    />
  );
}

/** Replaces the user's ID of a party if it equals the old one. */
const replaceUserId = (party: Party, oldId: string, newId: string): Party =>
  party.userId === oldId && oldId !== newId ? { ...party, userId: newId } : party;

function mergeParties(
  current: readonly PageParty[],
  addedParties: readonly PageParty[],
): readonly PageParty[] {
  const byKey = new Map([...current, ...addedParties].map((party) => [`${party.type}:${party.id}`, party]));
  return [...byKey.values()].sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
}

interface AccessProps {
  readonly data: AccessData;
  readonly host: PageHost<ToAccessPage, FromAccess>;
  /** The changes in the rules grid that aren't applied yet. */
  readonly unapplied: PersistedDraft;
  readonly parties: readonly PageParty[];
  readonly partyLookup: PartyLookup;
  readonly userLookups: UserLookups;
  /** Looks for a user again that was not found. */
  readonly searchAgain: (user: string) => void;
  /** Values of columns that occur in other documents, such as the rules of other datamodels. */
  readonly otherValues: readonly ValueIndex[];
  readonly state: AccessPageState;
  readonly setState: (update: (state: AccessPageState) => AccessPageState) => void;
}

function AccessContent(props: AccessProps) {
  const { data, host, unapplied, partyLookup, userLookups, searchAgain, otherValues, state, setState } =
    props;
  const {
    party,
    other,
    groups: listCombination,
    without: ignoredRuleKeys,
    drafts,
    includesUnapplied,
  } = state;
  const parties = useMemo(
    () => mergeParties(getAddedParties(unapplied), props.parties),
    [props.parties, unapplied],
  );
  const formatter = useMemo(() => new AccessFormatter(t, createPartyNameLookup(parties)), [parties]);
  const cells = useMemo(
    () => (includesUnapplied ? unapplied.cells.map(deserializeCellEdit) : []),
    [includesUnapplied, unapplied],
  );
  const view = useMemo(
    () => createAccessView(data, { ...state, cells }, userLookups),
    [data, party, other, listCombination, ignoredRuleKeys, drafts, cells, userLookups],
  );
  const knownValues = useMemo(
    () => new KnownValues([...otherValues, ValueIndex.fromRules(data.rules)]),
    [otherValues, data.rules],
  );
  // An imported list of memberships belongs to a connection, and files may have none.
  const importMembership =
    data.source === 'files' ? undefined : (): void => host.post({ type: 'importMembership' });
  const isPreviewed = isPreviewActive({ ...state, cells });
  const affectedParties = useMemo(
    () => (isPreviewed ? findAffectedParties(data.rules, { ...state, cells }, listCombination, parties) : []),
    [data, listCombination, ignoredRuleKeys, drafts, cells, parties],
  );
  const updateState = (changes: Partial<AccessPageState>): void =>
    setState((current) => ({ ...current, ...changes }));
  const hasIdentifiedParty = view.sides.length > 0;
  const exportReport = (format: 'markdown' | 'csv'): void => {
    const report = { title: data.title, view, formatter, t };
    const text = format === 'markdown' ? formatMarkdownReport(report) : formatCsvReport(report);
    host.post({ type: 'export', format, text });
  };
  return (
    <main class="sheet">
      <header class="bar">
        <h1>{t('Effective Access: {0}', data.title)}</h1>
        <div class="buttons">
          <button type="button" class="button" onClick={() => host.post({ type: 'editRules' })}>
            {t('Edit Rules')}
          </button>
          <button
            type="button"
            class="button"
            disabled={!hasIdentifiedParty}
            onClick={() => exportReport('markdown')}
          >
            {t('Save as Markdown…')}
          </button>
          <button
            type="button"
            class="button"
            disabled={!hasIdentifiedParty}
            onClick={() => exportReport('csv')}
          >
            {t('Save as CSV…')}
          </button>
        </div>
      </header>
      <div class="who">
        <PartyPicker
          label={t('User or group')}
          party={party}
          {...{ parties, formatter, partyLookup, userLookups, importMembership, searchAgain }}
          onChange={(selectedParty) => updateState({ party: selectedParty })}
          autoFocus
        />
        {other === undefined ? (
          <button
            type="button"
            class="button"
            onClick={() => updateState({ other: initialAccessPageState.party })}
          >
            {t('Compare…')}
          </button>
        ) : (
          <PartyPicker
            label={t('Compared with')}
            party={other}
            {...{ parties, formatter, partyLookup, userLookups, importMembership, searchAgain }}
            onChange={(selectedParty) => updateState({ other: selectedParty })}
            onRemove={() => updateState({ other: undefined })}
          />
        )}
      </div>
      <Options
        {...{ state, updateState }}
        isComparing={view.sides.length > 1}
        unappliedCount={unapplied.cells.length}
      />
      {getWarnings(data).map((warning) => (
        <p key={warning} class="box" role="status">
          <span class="codicon codicon-warning warning" aria-hidden="true" /> {warning}
        </p>
      ))}
      <WhatIfPanel
        {...{ data, knownValues, state, updateState, parties, formatter, isPreviewed, affectedParties }}
      />
      {hasIdentifiedParty ? (
        <>
          <ColumnTable
            {...{ view, data, state, formatter }}
            openRule={(index) => host.post({ type: 'openRule', index })}
            toggleRule={(key) =>
              updateState({
                without: ignoredRuleKeys.includes(key)
                  ? ignoredRuleKeys.filter((otherKey) => otherKey !== key)
                  : [...ignoredRuleKeys, key],
              })
            }
          />
          <TableAccessList {...{ view, state, formatter }} />
        </>
      ) : (
        <p class="empty muted">{t('Select an existing user or group to show its access.')}</p>
      )}
    </main>
  );
}

const getWarnings = ({ reason, notes = [], isCubeSet, rules }: AccessData): readonly string[] => [
  ...(reason === undefined ? [] : [reason]),
  ...notes,
  ...(isCubeSet === true && rules.length === 0 ? [getUnconfirmedCubeSetText(t)] : []),
];

/** The users and groups that were added to the rules grid. */
const getAddedParties = ({ parties }: PersistedDraft): readonly PageParty[] =>
  parties.flatMap(({ type, id, name }) =>
    type === 'default' || id === undefined ? [] : [{ type, id, name }],
  );

function Options({
  state,
  updateState,
  isComparing,
  unappliedCount,
}: {
  readonly state: AccessPageState;
  readonly updateState: (changes: Partial<AccessPageState>) => void;
  readonly isComparing: boolean;
  /** The number of changes in the rules grid that aren't applied yet. */
  readonly unappliedCount: number;
}) {
  return (
    <div class="options">
      <label>
        {t('When groups overlap')}
        <select
          value={state.groups}
          onChange={({ currentTarget }) =>
            updateState({ groups: currentTarget.value as AccessPageState['groups'] })
          }
        >
          <option value="uncertain">{t('Show as uncertain')}</option>
          <option value="union">{t('Union')}</option>
          <option value="intersection">{t('Intersection')}</option>
        </select>
      </label>
      <label>
        {t('Filter')}
        <input
          type="search"
          value={state.filter}
          placeholder={t('Table or column')}
          onInput={({ currentTarget }) => updateState({ filter: currentTarget.value })}
        />
      </label>
      {isComparing ? (
        <label>
          <input
            type="checkbox"
            checked={state.onlyDifferences}
            onChange={({ currentTarget }) => updateState({ onlyDifferences: currentTarget.checked })}
          />
          {t('Show differences only')}
        </label>
      ) : null}
      {unappliedCount > 0 ? (
        <label>
          <input
            type="checkbox"
            checked={state.includesUnapplied}
            onChange={({ currentTarget }) => updateState({ includesUnapplied: currentTarget.checked })}
          />
          {unappliedCount === 1
            ? t('Preview 1 unapplied change in the rules grid')
            : t('Preview {0} unapplied changes in the rules grid', unappliedCount)}
        </label>
      ) : null}
    </div>
  );
}
