import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { MatrixPageMessage, MatrixHostMessage } from '../protocol/ruleMatrix.ts';
import { serializeDraft, deserializeDraft } from '../../security/matrix/serializedDraft.ts';
import { emptyDraft, type MatrixDraft } from '../../security/matrix/matrixDraft.ts';
import { ValueIndex } from '../../security/values/valueIndex.ts';
import { Failure } from '../shared/controls/failure.tsx';
import { UnloadedPage } from '../shared/controls/unloadedPage.tsx';
import type { PageHost } from '../shared/host.ts';
import { focusMainControl } from '../shared/restoreFocus.ts';
import { t } from '../shared/t.ts';
import type { PartyLookup } from '../shared/usePartyLookup.ts';
import { announcements } from './announcements.ts';
import { type MatrixData, MatrixModel } from './matrixModel.ts';
import type { OfferOnlyValues } from './valueOffer.ts';
import { PartyDirectory } from './partyDirectory.ts';
import type { MatrixOutcome } from './outcomeNotice.tsx';
import { MatrixWorkspace } from './workspace.tsx';

/** The delay before the draft is posted to the host, which stores it. */
const persistDelayMs = 250;

/** The page to edit the rules of a datamodel in a grid. */
export function MatrixPage({
  host,
}: {
  readonly host: PageHost<MatrixHostMessage, MatrixPageMessage>;
}): JSX.Element {
  const partyDirectory = useMemo(() => signal(new PartyDirectory()), []);
  const otherValues = useMemo(() => signal<readonly ValueIndex[]>([]), []);
  const offerOnlyValues = useMemo(() => signal<OfferOnlyValues | undefined>(undefined), []);
  const [model, setModel] = useState<MatrixModel>();
  const [failure, setFailure] = useState<string>();
  const [outcome, setOutcome] = useState<MatrixOutcome>();
  const [canRetry, setCanRetry] = useState(false);
  const [lookupResult, setLookupResult] = useState<PartyLookup['result']>();
  useEffect(() => {
    let draft: MatrixDraft = emptyDraft;
    let currentModel: MatrixModel | undefined;
    let readOnlyReason: string | undefined;
    host.onMessage((message) => {
      switch (message.type) {
        case 'identity':
          host.setState(message.rulesReference);
          break;
        case 'draft':
          draft = deserializeDraft(message.draft);
          partyDirectory.value = partyDirectory.value.withParties(
            message.draft.parties.flatMap(toPageParties),
          );
          setOutcome({ outcome: 'restored' });
          break;
        case 'values':
          otherValues.value = message.lists.map((list) => ValueIndex.deserialize(list));
          offerOnlyValues.value = {
            values: ValueIndex.deserialize(message.offered ?? []),
            problem: message.problem,
          };
          break;
        case 'data':
          if (currentModel === undefined) {
            currentModel = new MatrixModel(host, message, {
              partyDirectory,
              otherValues,
              offered: offerOnlyValues,
              draft,
              needsIds: message.source !== 'files',
            });
            currentModel.readOnlyReason.value = readOnlyReason;
            setModel(currentModel);
          } else {
            const hasOtherRules = !hasSameRules(currentModel, message);
            const hadChanges = currentModel.changedCellKeys.value.size > 0;
            currentModel.update(message);
            if (hasOtherRules && !hadChanges) {
              // The rules that were applied have been changed or undone since.
              setOutcome((shown) => (shown?.outcome === 'applied' ? undefined : shown));
            }
          }
          setFailure(undefined);
          break;
        case 'parties':
          partyDirectory.value = partyDirectory.value.withParties(message.parties);
          break;
        case 'party':
          setLookupResult(message);
          break;
        case 'membership':
          // This page does not request memberships: the parties contain the groups of users.
          break;
        case 'failed':
          setFailure(message.message);
          break;
        case 'readOnly':
          readOnlyReason = message.reason;
          setCanRetry(message.canRetry === true);
          if (currentModel !== undefined) {
            currentModel.readOnlyReason.value = readOnlyReason;
          }
          break;
        case 'applyRequested':
          if (currentModel !== undefined) {
            applyTypedChanges(currentModel);
          }
          break;
        case 'outcome':
          setOutcome(message);
          if (currentModel !== undefined) {
            currentModel.isBusy.value = false;
            if (message.outcome === 'applied') {
              currentModel.handleApplied();
            }
            // The button that was pressed is disabled by now.
            focusMainControl();
          }
          break;
      }
    });
    host.post({ type: 'ready' });
  }, [host]);
  usePersistedDraft(host, model);
  if (model === undefined) {
    return (
      <UnloadedPage>
        {failure === undefined ? (
          <p class="empty" role="status">
            {t('Loading rules…')}
          </p>
        ) : (
          <Failure message={failure} retry={() => host.post({ type: 'reload' })} />
        )}
      </UnloadedPage>
    );
  }
  const partyLookup: PartyLookup = {
    result: lookupResult,
    find: (partyType, text) => host.post({ type: 'findParty', partyType, text }),
  };
  return (
    <MatrixWorkspace
      {...{ model, partyLookup, failure, outcome }}
      dismissOutcome={() => setOutcome(undefined)}
      reload={() => host.post({ type: 'reload' })}
      retryEditing={canRetry ? () => host.post({ type: 'retryEditing' }) : undefined}
    />
  );
}

/** Accepts the text that is being typed, and applies all changes; if that is not possible, announces the reason. */
function applyTypedChanges(model: MatrixModel): void {
  const editor = document.querySelector<HTMLElement>('.cell-editor textarea');
  editor?.blur();
  if (model.activeEdit.value !== undefined) {
    // The text is invalid: it stays in the editor of its cell, with the problem below it.
    editor?.focus();
    return;
  }
  if (model.canApply) {
    model.apply();
  } else if (model.readOnlyReason.value !== undefined) {
    model.announcement.value = model.readOnlyReason.value;
  } else if (!model.isBusy.value) {
    announcements.reportNothingApplied(model);
  }
}

const toPageParties = (party: {
  readonly type: string;
  readonly id?: string | undefined;
  readonly name: string;
}) =>
  (party.type === 'user' || party.type === 'group') && party.id !== undefined
    ? [{ type: party.type, id: party.id, name: party.name } as const]
    : [];

/** Posts the draft to the host shortly after each edit, so that it survives when the tab or the window is closed. */
function usePersistedDraft(
  host: PageHost<MatrixHostMessage, MatrixPageMessage>,
  model: MatrixModel | undefined,
): void {
  useEffect(() => {
    if (model === undefined) {
      return;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    let lastSentDraft = model.draft;
    const send = (): void => {
      clearTimeout(timer);
      timer = undefined;
      lastSentDraft = model.draft;
      host.post({
        type: 'draft',
        draft: serializeDraft(model.draft, (party) => model.partyDirectory.value.getName(party)),
      });
    };
    const unsubscribe = model.history.subscribe(({ present }) => {
      if (present !== lastSentDraft) {
        timer ??= setTimeout(send, persistDelayMs);
      }
    });
    const flush = (): void => {
      if (timer !== undefined) {
        send();
      }
    };
    document.addEventListener('visibilitychange', flush);
    return () => {
      unsubscribe();
      document.removeEventListener('visibilitychange', flush);
      clearTimeout(timer);
    };
  }, [host, model]);
}

const hasSameRules = ({ data }: MatrixModel, { rules }: MatrixData): boolean =>
  JSON.stringify(data.value.rules) === JSON.stringify(rules);
