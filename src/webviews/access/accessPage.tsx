import { useEffect, useMemo, useState } from 'preact/hooks';
import type { FromAccess, SeenParty, ToAccess } from '../../protocol/access.ts';
import { Failure } from '../shared/controls/failure.tsx';
import type { Host } from '../shared/host.ts';
import { t } from '../shared/t.ts';
import type { GroupLookUp } from '../shared/useGroupLookUp.ts';
import { ColumnTable } from './columnTable.tsx';
import { PartyPicker } from './partyPicker.tsx';
import { csvReport, markdownReport } from './report.ts';
import { partyNames, Sentences } from './sentences.ts';
import { accessView, affectedParties } from './sides.ts';
import { type AccessState, initialState, isImagining, readPlace, readState } from './state.ts';
import { TableList } from './tableList.tsx';
import { WhatIfPanel } from './whatIfPanel.tsx';

type Data = Extract<ToAccess, { type: 'data' }>;

/** The page that tells who sees what of a datamodel, and why. */
export function AccessPage({ host }: { readonly host: Host<ToAccess, FromAccess> }) {
  const [data, setData] = useState<Data>();
  const [failure, setFailure] = useState<string>();
  const [parties, setParties] = useState<readonly SeenParty[]>([]);
  const [answer, setAnswer] = useState<Extract<ToAccess, { type: 'group' }>>();
  const [state, setState] = useState<AccessState>(() => readState(host.kept()));
  const [place, setPlace] = useState<unknown>(() => readPlace(host.kept()));

  useEffect(() => {
    host.listen((message) => {
      switch (message.type) {
        case 'place':
          setPlace(message.place);
          break;
        case 'data':
          setData(message);
          setFailure(undefined);
          break;
        case 'parties':
          setParties((known) => merged(known, message.parties));
          break;
        case 'group':
          setAnswer(message);
          if (message.id !== undefined) {
            setParties((known) =>
              merged(known, [{ type: 'group', id: message.id ?? '', name: message.name }]),
            );
          }
          break;
        case 'failed':
          setFailure(message.message);
          break;
      }
    });
    host.post({ type: 'ready' });
  }, [host]);
  // What was chosen, and of what; nothing that the server said.
  useEffect(() => host.keep({ ...state, place }), [host, state, place]);

  if (failure !== undefined) {
    return <Failure message={failure} retry={() => host.post({ type: 'reload' })} />;
  }
  if (data === undefined) {
    return <p class="empty muted">{t('Reading rules…')}</p>;
  }
  const lookUp: GroupLookUp = { answer, find: (name) => host.post({ type: 'findGroup', name }) };
  return <Access data={data} {...{ host, parties, lookUp, state, setState }} />;
}

function merged(known: readonly SeenParty[], more: readonly SeenParty[]): readonly SeenParty[] {
  const byKey = new Map([...known, ...more].map((party) => [`${party.type}:${party.id}`, party]));
  return [...byKey.values()].sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
}

interface AccessProps {
  readonly data: Data;
  readonly host: Host<ToAccess, FromAccess>;
  readonly parties: readonly SeenParty[];
  readonly lookUp: GroupLookUp;
  readonly state: AccessState;
  readonly setState: (state: AccessState) => void;
}

function Access({ data, host, parties, lookUp, state, setState }: AccessProps) {
  const sentences = useMemo(() => new Sentences(t, partyNames(parties)), [parties]);
  const { party, other, groups, without, drafts } = state;
  const view = useMemo(() => accessView(data, state), [data, party, other, groups, without, drafts]);
  const affected = useMemo(
    () => (isImagining(state) ? affectedParties(data.rules, state, groups, parties) : []),
    [data, groups, without, drafts, parties],
  );
  const change = (part: Partial<AccessState>): void => setState({ ...state, ...part });
  const save = (format: 'markdown' | 'csv'): void => {
    const report = { title: data.title, view, sentences, t };
    const text = format === 'markdown' ? markdownReport(report) : csvReport(report);
    host.post({ type: 'export', format, text });
  };
  return (
    <main class="sheet">
      <header class="bar">
        <h1>{t('Who sees what of {0}', data.title)}</h1>
        <div class="buttons">
          <button type="button" class="button" onClick={() => host.post({ type: 'editRules' })}>
            {t('Edit Rules')}
          </button>
          <button type="button" class="button" onClick={() => save('markdown')}>
            {t('Save as Markdown')}
          </button>
          <button type="button" class="button" onClick={() => save('csv')}>
            {t('Save as CSV')}
          </button>
        </div>
      </header>
      <div class="who">
        <PartyPicker
          label={t('Party')}
          party={party}
          {...{ parties, sentences, lookUp }}
          change={(chosen) => change({ party: chosen })}
          hasFocus
        />
        {other === undefined ? (
          <button type="button" class="button" onClick={() => change({ other: initialState.party })}>
            {t('Compare…')}
          </button>
        ) : (
          <PartyPicker
            label={t('Compared with')}
            party={other}
            {...{ parties, sentences, lookUp }}
            change={(chosen) => change({ other: chosen })}
            remove={() => change({ other: undefined })}
          />
        )}
      </div>
      <Options {...{ state, change }} isComparing={view.sides.length > 1} />
      {data.reason === undefined ? null : (
        <p class="box" role="status">
          <span class="codicon codicon-warning warning" aria-hidden="true" /> {data.reason}
        </p>
      )}
      <WhatIfPanel {...{ data, state, change, parties, sentences, affected }} />
      <ColumnTable
        {...{ view, data, state, sentences }}
        open={(index) => host.post({ type: 'openRule', index })}
        toggle={(key) =>
          change({
            without: without.includes(key) ? without.filter((each) => each !== key) : [...without, key],
          })
        }
      />
      <TableList {...{ view, state, sentences }} />
    </main>
  );
}

function Options({
  state,
  change,
  isComparing,
}: {
  readonly state: AccessState;
  readonly change: (part: Partial<AccessState>) => void;
  readonly isComparing: boolean;
}) {
  return (
    <div class="options">
      <label>
        {t('Lists of several groups')}
        <select
          value={state.groups}
          onChange={({ currentTarget }) => change({ groups: currentTarget.value as AccessState['groups'] })}
        >
          <option value="open">{t('leave undecided')}</option>
          <option value="union">{t('add up (union)')}</option>
          <option value="intersection">{t('narrow each other (intersection)')}</option>
        </select>
      </label>
      <label>
        {t('Filter')}
        <input
          type="search"
          value={state.filter}
          placeholder={t('Table or column')}
          onInput={({ currentTarget }) => change({ filter: currentTarget.value })}
        />
      </label>
      {isComparing ? (
        <label>
          <input
            type="checkbox"
            checked={state.onlyDifferences}
            onChange={({ currentTarget }) => change({ onlyDifferences: currentTarget.checked })}
          />
          {t('Only differences')}
        </label>
      ) : null}
    </div>
  );
}
