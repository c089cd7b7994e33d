import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { emptyDraft } from '../../security/matrix/matrixDraft.ts';
import { Button, IconButton } from '../shared/controls/fields.tsx';
import { Notice } from '../shared/controls/notices.tsx';
import { getUnconfirmedCubeSetText } from '../../security/audit/cubeSetText.ts';
import { t } from '../shared/t.ts';
import type { PartyLookup } from '../shared/usePartyLookup.ts';
import { AddColumn } from './addColumn.tsx';
import { AddParty } from './addParty.tsx';
import { announcements } from './announcements.ts';
import { CellDetails } from './cellDetails.tsx';
import { ConflictNotice } from './conflictNotice.tsx';
import { Filters } from './filters.tsx';
import { RuleGrid } from './grid.tsx';
import type { MatrixModel } from './matrixModel.ts';
import { type MatrixOutcome, OutcomeNotice } from './outcomeNotice.tsx';
import { getRuleSourceTexts } from './sourceTexts.ts';

interface WorkspaceProps {
  readonly model: MatrixModel;
  readonly partyLookup: PartyLookup;
  /** The reason why the rules could not be reloaded; the previous rules are still displayed. */
  readonly failure: string | undefined;
  readonly outcome: MatrixOutcome | undefined;
  readonly dismissOutcome: () => void;
  readonly reload: () => void;
  /** Makes a read-only grid editable again; absent if that is useless. */
  readonly retryEditing: (() => void) | undefined;
}

/** The content of the page once rules are loaded: the header, notices, filters, the grid and the cell details. */
export function MatrixWorkspace({
  model,
  partyLookup,
  failure,
  outcome,
  dismissOutcome,
  reload,
  retryEditing,
}: WorkspaceProps): JSX.Element {
  const [addPanel, setAddPanel] = useState<'party' | 'column'>();
  const { columns } = model.visibleMatrix.value;
  const { source, catalog } = model.data.value;
  const isCubeSet = model.data.value.isCubeSet === true;
  const close = (): void => {
    setAddPanel(undefined);
    model.shouldFocusGrid = true;
    model.select(model.selection.value.active);
  };
  return (
    <main class="page">
      <MatrixHeader model={model} addPanel={addPanel} showAddPanel={setAddPanel} />
      {addPanel === 'party' ? <AddParty {...{ model, partyLookup, close }} /> : null}
      {addPanel === 'column' ? <AddColumn {...{ model, close }} /> : null}
      {failure === undefined ? null : (
        <Notice severity="error" text={failure} action={{ label: t('Retry'), run: reload }} />
      )}
      {model.readOnlyReason.value === undefined ? null : (
        <Notice
          severity="information"
          text={model.readOnlyReason.value}
          {...(retryEditing && { action: { label: t('Retry'), run: retryEditing } })}
        />
      )}
      <OutcomeNotice {...{ model, outcome, dismiss: dismissOutcome }} />
      {model.data.value.reason === undefined ? null : (
        <Notice severity="warning" text={model.data.value.reason} />
      )}
      {(model.data.value.notes ?? []).map((note) => (
        <Notice key={note} severity="warning" text={note} />
      ))}
      {isCubeSet && model.data.value.rules.length === 0 ? (
        <Notice severity="warning" text={getUnconfirmedCubeSetText(t)} />
      ) : null}
      {model.savedMatrix.value.unplacedIndexes.length === 0 ? null : (
        <Notice
          severity="warning"
          text={
            model.savedMatrix.value.unplacedIndexes.length === 1
              ? t("1 rule has an unreadable user, group, or column and isn't shown in the grid.")
              : t(
                  "{0} rules have an unreadable user, group, or column and aren't shown in the grid.",
                  model.savedMatrix.value.unplacedIndexes.length,
                )
          }
          action={{ label: t('Open JSON'), run: () => model.post({ type: 'openRules' }) }}
        />
      )}
      <ConflictNotice model={model} />
      {model.allColumns.length === 0 ? (
        // The files of a cube set don't have its tables.
        <NoRules
          isCubeSet={isCubeSet || (source === 'files' && catalog === undefined)}
          isReadOnly={model.readOnlyReason.value !== undefined}
          onAdd={() => setAddPanel('column')}
        />
      ) : (
        <>
          <Filters model={model} />
          {columns.length === 0 ? (
            <p class="empty">{t('No matching columns.')}</p>
          ) : (
            <RuleGrid model={model} />
          )}
          <CellDetails model={model} />
        </>
      )}
      <p class="announcement" role="status">
        {model.announcement.value}
      </p>
    </main>
  );
}

interface MatrixHeaderProps {
  readonly model: MatrixModel;
  readonly addPanel: 'party' | 'column' | undefined;
  readonly showAddPanel: (panel: 'party' | 'column' | undefined) => void;
}

function MatrixHeader({ model, addPanel, showAddPanel }: MatrixHeaderProps): JSX.Element {
  const { past, future } = model.history.value;
  const count = model.changedCellKeys.value.size;
  const isBusy = model.isBusy.value;
  const isLocked = isBusy || model.readOnlyReason.value !== undefined;
  const texts = getRuleSourceTexts(model.data.value);
  return (
    <header class="head">
      <h1 class="text">{t('Rules of {0}', model.data.value.title)}</h1>
      <IconButton
        icon="discard"
        label={t('Undo')}
        disabled={past.length === 0 || isBusy}
        onClick={() => {
          model.undo();
          announcements.reportUnappliedChanges(model);
        }}
      />
      <IconButton
        icon="redo"
        label={t('Redo')}
        disabled={future.length === 0 || isBusy}
        onClick={() => {
          model.redo();
          announcements.reportUnappliedChanges(model);
        }}
      />
      <Button
        label={t('Add User or Group…')}
        icon="person-add"
        disabled={isLocked || model.allColumns.length === 0}
        onClick={() => showAddPanel(addPanel === 'party' ? undefined : 'party')}
      />
      <Button
        label={t('Add Column…')}
        icon="add"
        disabled={isLocked}
        onClick={() => showAddPanel(addPanel === 'column' ? undefined : 'column')}
      />
      <Button
        label={t('Effective Access')}
        icon="shield"
        onClick={() => model.post({ type: 'openAccess' })}
      />
      <Button
        label={t('Revert')}
        disabled={count === 0 || isBusy}
        onClick={() => {
          model.replaceDraft(emptyDraft);
          model.announcement.value = texts.revertedMessage;
        }}
      />
      <Button
        label={isBusy ? t('Applying…') : texts.getApplyLabel(count)}
        isPrimary
        shortcut="S"
        disabled={!model.canApply}
        onClick={() => model.apply()}
      />
    </header>
  );
}

function NoRules({
  isCubeSet,
  isReadOnly,
  onAdd,
}: {
  readonly isCubeSet: boolean;
  readonly isReadOnly: boolean;
  readonly onAdd: () => void;
}): JSX.Element {
  return (
    <div class="empty">
      {isCubeSet ? null : <p>{t('No rules. Everyone with access to the datamodel sees all of its data.')}</p>}
      {isReadOnly ? null : (
        <>
          <p>
            {t(
              'Add a column, add a rule for everyone else (Nothing is safest), and then add the users and groups that see more.',
            )}
          </p>
          <Button label={t('Add Column…')} icon="add" isPrimary onClick={onAdd} />
        </>
      )}
    </div>
  );
}
