import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { FromMatrix, ToMatrix } from '../protocol/ruleMatrix.ts';
import { plainDraft, readDraft } from '../../security/matrix/keptDraft.ts';
import { emptyDraft, type MatrixDraft } from '../../security/matrix/matrixDraft.ts';
import { Failure } from '../shared/controls/failure.tsx';
import type { Host } from '../shared/host.ts';
import { t } from '../shared/t.ts';
import type { PartyLookUp } from '../shared/usePartyLookUp.ts';
import { MatrixModel } from './model.ts';
import { Names } from './names.ts';
import type { Outcome } from './outcomeNotice.tsx';
import { Workspace } from './workspace.tsx';

/** How long after a change the host is told what is unsent. */
const keepAfterMs = 250;

/** The page on which all rules of a datamodel are edited as a grid. */
export function MatrixPage({ host }: { readonly host: Host<ToMatrix, FromMatrix> }): JSX.Element {
  const names = useMemo(() => signal(new Names()), []);
  const [model, setModel] = useState<MatrixModel>();
  const [failure, setFailure] = useState<string>();
  const [outcome, setOutcome] = useState<Outcome>();
  const [answer, setAnswer] = useState<PartyLookUp['answer']>();
  useEffect(() => {
    let draft: MatrixDraft = emptyDraft;
    let current: MatrixModel | undefined;
    host.listen((message) => {
      switch (message.type) {
        case 'place':
          host.keep(message.place);
          break;
        case 'draft':
          draft = readDraft(message.draft);
          names.value = names.value.with(message.draft.parties.flatMap(seenParty));
          setOutcome({ outcome: 'restored' });
          break;
        case 'data':
          if (current === undefined) {
            current = new MatrixModel(host, message, { names, draft });
            setModel(current);
          } else {
            current.update(message);
          }
          setFailure(undefined);
          break;
        case 'parties':
          names.value = names.value.with(message.parties);
          break;
        case 'party':
          setAnswer(message);
          break;
        case 'membership':
          // Nobody has asked for one: what is known of users comes with the parties.
          break;
        case 'failed':
          setFailure(message.message);
          break;
        case 'outcome':
          setOutcome(message);
          if (current !== undefined) {
            current.isBusy.value = false;
            if (message.outcome === 'applied') {
              current.applied();
            }
          }
          break;
      }
    });
    host.post({ type: 'ready' });
  }, [host]);
  useKept(host, model);
  if (model === undefined) {
    return failure === undefined ? (
      <p class="empty" role="status">
        {t('Reading rules…')}
      </p>
    ) : (
      <Failure message={failure} retry={() => host.post({ type: 'reload' })} />
    );
  }
  const lookUp: PartyLookUp = {
    answer,
    find: (partyType, text) => host.post({ type: 'findParty', partyType, text }),
  };
  return (
    <Workspace
      {...{ model, lookUp, failure, outcome }}
      forget={() => setOutcome(undefined)}
      reload={() => host.post({ type: 'reload' })}
    />
  );
}

const seenParty = (party: {
  readonly type: string;
  readonly id?: string | undefined;
  readonly name: string;
}) =>
  (party.type === 'user' || party.type === 'group') && party.id !== undefined
    ? [{ type: party.type, id: party.id, name: party.name } as const]
    : [];

/** Tells the host what is unsent a moment after it has changed: the tab may be closed, and the window too. */
function useKept(host: Host<ToMatrix, FromMatrix>, model: MatrixModel | undefined): void {
  useEffect(() => {
    if (model === undefined) {
      return;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = model.draft;
    const send = (): void => {
      clearTimeout(timer);
      timer = undefined;
      last = model.draft;
      host.post({ type: 'draft', draft: plainDraft(model.draft, (party) => model.names.value.of(party)) });
    };
    const unsubscribe = model.history.subscribe(({ now }) => {
      if (now !== last) {
        timer ??= setTimeout(send, keepAfterMs);
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
