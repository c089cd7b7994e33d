import { useEffect, useState } from 'preact/hooks';
import {
  type ChangeProblemView,
  type ChangeResultView,
  type ChangeView,
  countChanges,
  type FromRuleChange,
  type ToRuleChange,
} from '../protocol/ruleChange.ts';
import { Failure } from '../shared/controls/failure.tsx';
import { PlanSectionView } from '../shared/controls/planSection.tsx';
import { UnloadedPage } from '../shared/controls/unloadedPage.tsx';
import type { AccessChangesView } from '../protocol/planPage.ts';
import type { PageHost } from '../shared/host.ts';
import { getShortcutAttributes } from '../shared/shortcuts.ts';
import { t } from '../shared/t.ts';
import { useApplyKey } from '../shared/useApplyKey.ts';
import { ChangeList } from './changeList.tsx';
import { Mapping } from './mapping.tsx';
import { Progress, type RuleChangeProgress } from './progress.tsx';

interface RuleChangeState {
  readonly view?: ChangeView | undefined;
  readonly note?: string | undefined;
  readonly loadingText?: string | undefined;
  readonly progress?: RuleChangeProgress | undefined;
  readonly result?: ChangeResultView | undefined;
  readonly failure?: string | undefined;
}

/** Returns the page state after a message from the host. */
function reduceRuleChangeState(state: RuleChangeState, message: ToRuleChange): RuleChangeState {
  switch (message.type) {
    case 'loading':
      return { view: state.view, loadingText: message.text };
    case 'view':
      return { view: message.view, note: message.note };
    case 'running':
      return { view: state.view, progress: message };
    case 'ended':
      return { view: state.view, result: message.result };
    case 'failed':
      return { view: state.view, failure: message.message };
  }
}

/** The page of a change of rules, from its preview and progress to its result. */
export function RuleChangePage({ host }: { readonly host: PageHost<ToRuleChange, FromRuleChange> }) {
  const [state, setState] = useState<RuleChangeState>({ loadingText: t('Loading…') });
  useEffect(() => {
    host.onMessage((message) => setState((current) => reduceRuleChangeState(current, message)));
    host.post({ type: 'ready' });
  }, [host]);
  // Displays the choice while the host computes the changes again. The changes that are displayed can't be applied
  // then.
  const applyChoice = (choice: Partial<ChangeView>, message: FromRuleChange): void => {
    setState(({ view: current }) => ({
      view: current && { ...current, ...choice },
      loadingText: t('Loading…'),
    }));
    host.post(message);
  };
  const { view, note, loadingText, progress, result, failure } = state;
  if (view === undefined) {
    return (
      <UnloadedPage>
        {failure === undefined ? (
          <p class="empty muted" role="status">
            {loadingText}
          </p>
        ) : (
          <Failure message={failure} retry={() => host.post({ type: 'reload' })} />
        )}
      </UnloadedPage>
    );
  }
  const isLocked = progress !== undefined || result !== undefined || loadingText !== undefined;
  return (
    <main class="sheet" aria-busy={loadingText !== undefined || progress !== undefined}>
      <ChangeHeader {...{ view, host, applyChoice, isLocked }} canReport={progress === undefined} />
      <div role="status" class="reported">
        {loadingText === undefined ? null : <p class="muted">{loadingText}</p>}
        {note === undefined ? null : (
          <p class="box">
            <span class="codicon codicon-info" aria-hidden="true" /> {note}
          </p>
        )}
        {result === undefined ? null : <ChangeResult {...{ result, host }} />}
      </div>
      {progress === undefined ? null : (
        <Progress progress={progress} onCancel={() => host.post({ type: 'cancel' })} />
      )}
      {failure === undefined ? null : (
        <Failure message={failure} retry={() => host.post({ type: 'reload' })} />
      )}
      <Problems {...{ view, host, isLocked }} />
      {view.access === undefined ? null : <AccessChanges access={view.access} />}
      {view.mapping === undefined ? null : (
        <Mapping {...{ view, host, applyChoice, isLocked }} mapping={view.mapping} />
      )}
      <ChangeList view={view} />
    </main>
  );
}

interface ChangeSectionProps {
  readonly view: ChangeView;
  readonly host: PageHost<ToRuleChange, FromRuleChange>;
  /** Displays a choice immediately, and posts it to the host. */
  readonly applyChoice: (choice: Partial<ChangeView>, message: FromRuleChange) => void;
  /** True while options and actions are disabled. */
  readonly isLocked: boolean;
}

function ChangeHeader({
  view,
  host,
  applyChoice,
  isLocked,
  canReport,
}: ChangeSectionProps & { readonly canReport: boolean }) {
  const counts = countChanges(view.changes);
  const errorCount = view.problems.filter(({ severity }) => severity === 'error').length;
  const canApply = !isLocked && errorCount === 0 && view.changes.length > 0;
  const apply = (): void => {
    if (canApply) {
      host.post({ type: 'apply' });
    }
  };
  useApplyKey(apply);
  const { writeCounts } = view;
  return (
    <header class="bar">
      <div>
        <h1>{view.title}</h1>
        <p class="muted">{t('From {0}', view.source)}</p>
      </div>
      <div class="buttons">
        {isLocked ? null : (
          <button type="button" class="button" onClick={() => host.post({ type: 'reload' })}>
            {t('Compare Again')}
          </button>
        )}
        <button
          type="button"
          class="button"
          disabled={!canReport}
          onClick={() => host.post({ type: 'report' })}
        >
          {isLocked ? t('Open Report') : t('Export Preview')}
        </button>
        <button
          type="button"
          class="button primary"
          disabled={!canApply}
          {...getShortcutAttributes(t('Apply'), 'Enter')}
          onClick={apply}
        >
          {t('Apply')}
        </button>
      </div>
      <fieldset class="mode" disabled={isLocked}>
        <legend>{t('Mode')}</legend>
        {createModeChoices().map(({ id, label }) => (
          <label key={id}>
            <input
              type="radio"
              name="mode"
              checked={view.mode === id}
              onChange={() => applyChoice({ mode: id }, { type: 'mode', mode: id })}
            />
            {label}
          </label>
        ))}
        <p class="muted" role="status">
          {describeMode(view.mode)}
          {/* While the host compares, the count is that of the previous choice. */}
          {isLocked || writeCounts.delete === 0 ? '' : ` ${describeDeletions(writeCounts.delete)}`}
        </p>
      </fieldset>
      <div class="summary" role="status">
        <ul class="counts" aria-label={t('Summary')}>
          <li class="add">{t('{0} added', counts.add)}</li>
          <li class="change">{t('{0} changed', counts.change)}</li>
          <li class="delete">{t('{0} deleted', counts.delete)}</li>
          <li>{view.unchangedCount === 1 ? t('1 unchanged') : t('{0} unchanged', view.unchangedCount)}</li>
          {writeCounts.total > 1 ? <li class="muted">{t('access never widens during the change')}</li> : null}
        </ul>
      </div>
    </header>
  );
}

const createModeChoices = () =>
  [
    { id: 'columns', label: t('Replace rules on the listed columns') },
    { id: 'all', label: t('Replace all rules') },
    { id: 'add', label: t('Add to existing rules') },
  ] as const;

/** Describes what happens to the existing rules. */
function describeMode(mode: ChangeView['mode']): string {
  switch (mode) {
    case 'columns':
      return t('Unlisted rules on these columns will be deleted. Rules on other columns are kept.');
    case 'all':
      return t("Existing rules that aren't listed will be deleted.");
    case 'add':
      return t('Existing rules are kept.');
  }
}

const describeDeletions = (count: number): string =>
  count === 1
    ? t('1 existing rule will be deleted or replaced.')
    : t('{0} existing rules will be deleted or replaced.', count);

function ChangeResult({
  result,
  host,
}: {
  readonly result: ChangeResultView;
  readonly host: ChangeSectionProps['host'];
}) {
  const isDone = result.state === 'done';
  return (
    <div class="box end">
      <p>
        <span
          class={isDone ? 'codicon codicon-pass' : 'codicon codicon-warning warning'}
          aria-hidden="true"
        />{' '}
        {result.text} {result.problem ?? ''}
      </p>
      <div class="buttons">
        {result.canResume ? (
          <button type="button" class="button primary" onClick={() => host.post({ type: 'resume' })}>
            {t('Finish')}
          </button>
        ) : null}
        {result.canUndo ? (
          <button type="button" class="button" onClick={() => host.post({ type: 'undo' })}>
            {isDone ? t('Undo…') : t('Roll Back…')}
          </button>
        ) : null}
        {isDone ? (
          <button type="button" class="button" onClick={() => host.post({ type: 'reload' })}>
            {t('Compare Again')}
          </button>
        ) : null}
      </div>
    </div>
  );
}

/** Who gains and who loses access, as on the page that reviews other changes. */
function AccessChanges({ access }: { readonly access: AccessChangesView }) {
  return (
    <section aria-labelledby="access">
      <h2 id="access">{t('Who gains or loses access')}</h2>
      <p class="lead">{access.summary}</p>
      {access.sections.map((section) => (
        <PlanSectionView key={section.title} section={section} heading="h3" />
      ))}
    </section>
  );
}

/** The maximum number of problems, and of groups, to display. The report contains all problems. */
const maxShownProblems = 200;

function Problem({
  problem: { severity, text, losesProtection, hasLocation, fix },
  index,
  host,
  isLocked,
}: {
  readonly problem: ChangeProblemView;
  readonly index: number;
  readonly host: ChangeSectionProps['host'];
  readonly isLocked: boolean;
}) {
  const isError = losesProtection === true;
  return (
    <li class={isError ? 'error' : undefined}>
      <span class={`codicon codicon-${severity} ${isError ? 'error' : severity}`} aria-hidden="true" />{' '}
      <span class="sr-only">{severity === 'error' ? t('Error:') : t('Warning:')}</span>{' '}
      {hasLocation === true ? (
        <button
          type="button"
          class="link"
          title={t('Show in Table')}
          onClick={() => host.post({ type: 'showProblem', problem: index })}
        >
          {text}
        </button>
      ) : (
        text
      )}
      {fix === undefined ? null : (
        <>
          {' '}
          <button
            type="button"
            class="button fix"
            disabled={isLocked}
            onClick={() => host.post({ type: 'fixProblem', problem: index })}
          >
            {t('Use "{0}"', fix)}
          </button>
        </>
      )}
    </li>
  );
}

function Problems({
  view: { problems, foundGroups },
  host,
  isLocked,
}: Pick<ChangeSectionProps, 'view' | 'host' | 'isLocked'>) {
  if (problems.length === 0 && foundGroups.length === 0) {
    return null;
  }
  return (
    <section aria-labelledby="problems">
      <h2 id="problems">{problems.length === 0 ? t('Groups found by name') : t('Problems')}</h2>
      {problems.length === 0 ? null : (
        <ul class="problems" aria-labelledby="problems" tabIndex={0}>
          {problems.slice(0, maxShownProblems).map((problem, index) => (
            <Problem key={index} {...{ problem, index, host, isLocked }} />
          ))}
          {problems.length > maxShownProblems ? (
            <li class="muted">{t('{0} more in the report', problems.length - maxShownProblems)}</li>
          ) : null}
        </ul>
      )}
      {foundGroups.length === 0 ? null : (
        <details>
          <summary>{t('Groups found by name: {0}', foundGroups.length)}</summary>
          <ul class="found">
            {foundGroups.slice(0, maxShownProblems).map(({ name, id }) => (
              <li key={id}>
                {name} <span class="muted">{id}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
