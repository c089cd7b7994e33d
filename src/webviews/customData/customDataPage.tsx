import { useEffect, useMemo, useState } from 'preact/hooks';
import { getObjectId } from '../../catalog/customData/resultTable.ts';
import type { FromCustomData, ToCustomData } from '../protocol/customData.ts';
import type { PageHost } from '../shared/host.ts';
import { t } from '../shared/t.ts';
import { ChangeAll } from './changeAll.tsx';
import { FilterInput } from './filterInput.tsx';
import { ObjectGrid } from './objectGrid.tsx';
import {
  reduceCustomDataState,
  type PersistedInput,
  initialCustomDataState,
  validateObjectText,
  readPersistedInput,
  type CustomDataPageState,
} from './state.ts';
import { formatResult, formatCount } from './customDataTexts.ts';

/** The page to find, open, add, change and delete the custom data of an instance. */
export function CustomDataPage({ host }: { readonly host: PageHost<ToCustomData, FromCustomData> }) {
  const persisted = useMemo(() => readPersistedInput(host.getState()), [host]);
  const [pageState, setPageState] = useState<CustomDataPageState>({
    ...initialCustomDataState,
    connectionId: persisted.connectionId,
  });
  const [filter, setFilter] = useState(persisted.filter);
  useEffect(() => {
    host.onMessage((message) => setPageState((current) => reduceCustomDataState(current, message)));
    host.post({ type: 'ready' });
  }, [host]);
  const { connectionId } = pageState;
  useEffect(
    () => host.setState({ filter, connectionId } satisfies PersistedInput),
    [host, filter, connectionId],
  );
  const { objects, keys, failure, isLoading, question, changed } = pageState;
  const problem = validateObjectText(filter, t);
  // Without objects, the result is only known to be empty if no request is pending or has failed.
  const isEmpty = objects.length === 0 && !isLoading && failure === undefined;
  const search = (): void => {
    if (problem === undefined) {
      host.post({ type: 'find', filter: filter.trim() === '' ? '{}' : filter });
    }
  };
  return (
    <main class="sheet" aria-busy={isLoading}>
      <header class="bar">
        <h1>{t('Custom Data: {0}', pageState.connection)}</h1>
        <div class="buttons">
          <button type="button" class="button" onClick={() => host.post({ type: 'add' })}>
            {t('Add Object…')}
          </button>
          <button
            type="button"
            class="button"
            disabled={objects.length === 0}
            onClick={() => host.post({ type: 'openAll' })}
          >
            {t('Open as JSON')}
          </button>
        </div>
      </header>
      <p class="box">
        <span class="codicon codicon-info" aria-hidden="true" />{' '}
        {t(
          "Anyone who can sign in to the instance can read and change custom data. Don't store personal data in it.",
        )}
      </p>
      <div class="search">
        <FilterInput
          label={t('Filter')}
          value={filter}
          keys={keys}
          problem={problem}
          placeholder={'{ "app": "notes", "done": { "$exists": true } }'}
          onChange={setFilter}
          onSubmit={search}
        />
        <button type="button" class="button primary" disabled={problem !== undefined} onClick={search}>
          {t('Find')}
        </button>
      </div>
      <div role="status" class="reported">
        {isLoading ? <p class="muted">{t('Loading…')}</p> : null}
        {isLoading || failure !== undefined ? null : <p>{formatCount(pageState, t)}</p>}
        {changed === undefined ? null : (
          <p class="box">
            <span class="codicon codicon-pass" aria-hidden="true" /> {formatResult(changed, t)}{' '}
            <button type="button" class="link" onClick={() => host.post({ type: 'undo' })}>
              {t('Undo…')}
            </button>
          </p>
        )}
      </div>
      {failure === undefined ? null : (
        <p class="box" role="alert">
          <span class="codicon codicon-error error" aria-hidden="true" /> {failure}
        </p>
      )}
      <ChangeAll
        {...{ question, keys }}
        filter={filter.trim() === '' ? '{}' : filter}
        canRequest={problem === undefined && !isLoading}
        post={(message) => {
          // The host answers with a question or the result: until then, no other question can be asked or answered.
          setPageState((current) => ({ ...current, question: undefined, isLoading: true }));
          host.post(message);
        }}
      />
      {isEmpty ? <EmptyState isUnfiltered={pageState.filter.trim() === '{}'} /> : null}
      <ObjectGrid
        objects={objects}
        openObject={(object) => {
          const objectId = getObjectId(object);
          if (objectId !== undefined) {
            host.post({ type: 'open', objectId, name: objectId });
          }
        }}
      />
    </main>
  );
}

function EmptyState({ isUnfiltered }: { readonly isUnfiltered: boolean }) {
  return (
    <div class="empty">
      {isUnfiltered ? (
        <>
          <p>{t('No custom data.')}</p>
          <p>{t('Select Add Object… to add a JSON object that all apps of the instance share.')}</p>
        </>
      ) : (
        <p>{t('No objects match the filter. Clear the filter to show all objects.')}</p>
      )}
    </div>
  );
}
