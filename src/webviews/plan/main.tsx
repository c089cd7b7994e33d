import { computed, signal } from '@preact/signals';
import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type {
  FromPlanPage,
  PlanLaterChange,
  PlanNewName,
  PlanView,
  ToPlanPage,
} from '../protocol/planPage.ts';
import { PlanSectionView } from '../shared/controls/planSection.tsx';
import { connectHost } from '../shared/host.ts';
import { getShortcutAttributes } from '../shared/shortcuts.ts';
import { t } from '../shared/t.ts';
import { useApplyKey } from '../shared/useApplyKey.ts';
import './plan.css';

type Decision = Extract<FromPlanPage, { type: 'overwrite' | 'rename' }>;

const host = connectHost<ToPlanPage, FromPlanPage>();
const lastPlan = signal<PlanView | undefined>(undefined);
const note = signal('');
const typedName = signal('');
const busy = signal<Extract<ToPlanPage, { type: 'busy' }> | undefined>(undefined);
const isBusy = computed(() => busy.value !== undefined);
/** Whether the plan is being applied. False while the user unlocks the connection, which also disables the page. */
const isApplying = computed(() => isBusy.value && busy.value?.isUnlocking !== true);
/** Whether the page that replaces this one is being loaded. */
const isLoading = signal(false);
/**
 * The decisions that the last plan doesn't include. The host is computing the plan again for the first decision. It
 * handles one at a time, so each of the others is sent after the answer to the one before it.
 */
const pendingDecisions = signal<readonly Decision[]>([]);
/** The new names that are being typed, by the number of their item. */
const typedNewNames = signal<ReadonlyMap<number, string>>(new Map());
/** The last plan, with the pending decisions as they were made. */
const view = computed(() => lastPlan.value && pendingDecisions.value.reduce(withDecision, lastPlan.value));
/**
 * Counts the resets of the focus. A plan that the host sends on its own resets it, because a key that was meant for the
 * previous plan must not apply the new one. A plan that answers a decision of the user doesn't. The focus is also reset
 * when a plan that wasn't applied can be used again.
 */
const focusResetCount = signal(0);

host.onMessage((message) => {
  busy.value = message.type === 'busy' ? message : undefined;
  isLoading.value = message.type === 'loading';
  if (message.type === 'plan') {
    if (pendingDecisions.value.length === 0) {
      typedName.value = '';
      typedNewNames.value = new Map();
      focusResetCount.value += 1;
    }
    lastPlan.value = message.view;
    note.value = message.note ?? '';
    pendingDecisions.value = pendingDecisions.value.slice(1);
    const [next] = pendingDecisions.value;
    if (next !== undefined) {
      host.post(next);
    }
  } else if (message.type === 'idle' && document.hasFocus()) {
    focusResetCount.value += 1;
  }
});

/** Sends a decision, after those before it; until the host answers, the plan that is shown can't be applied. */
function postDecision(decision: Decision): void {
  pendingDecisions.value = [...pendingDecisions.value, decision];
  if (pendingDecisions.value.length === 1) {
    host.post(decision);
  }
}

function withDecision(plan: PlanView, decision: Decision): PlanView {
  return decision.type === 'rename'
    ? {
        ...plan,
        newNames: (plan.newNames ?? []).map((item, index) =>
          index === decision.item ? { label: item.label, name: decision.name } : item,
        ),
      }
    : {
        ...plan,
        laterChanges: (plan.laterChanges ?? []).map((change, index) =>
          index === decision.change ? { ...change, isOverwritten: decision.isOverwritten } : change,
        ),
      };
}

/** Sends the new name that the user has typed for an item, if there is one. */
function submitNewName(item: number): void {
  const name = typedNewNames.value.get(item);
  if (name !== undefined) {
    setTypedNewName(item, undefined);
    postDecision({ type: 'rename', item, name });
  }
}

function setTypedNewName(item: number, name: string | undefined): void {
  const others = [...typedNewNames.value].filter(([other]) => other !== item);
  typedNewNames.value = new Map(name === undefined ? others : [...others, [item, name]]);
}

/** The plan: its changes, what will break, and the buttons to apply or cancel it. */
function Plan({ plan }: { readonly plan: PlanView }) {
  const page = useRef<HTMLElement>(null);
  return (
    <main ref={page} tabIndex={-1} aria-busy={isBusy.value || isLoading.value}>
      <div class="plan" role="document">
        {plan.target === undefined ? undefined : (
          <p class={`target ${plan.target.isProduction ? 'production' : ''}`}>
            <span class="codicon codicon-server-environment" aria-hidden="true" />
            {plan.target.text}
          </p>
        )}
        {/* The plan changes after a decision, and its result takes its place, while the focus is on a button. */}
        <div role="status">
          <h1>
            <span class={`codicon codicon-${plan.tone} ${plan.tone}`} aria-hidden="true" />
            {plan.title}
          </h1>
          <p class="lead">{plan.summary}</p>
        </div>
        {isUnsent(plan) ? (
          <p class="lead">{t('Nothing has been sent yet. Replaced content is kept in the history.')}</p>
        ) : undefined}
        {note.value === '' ? undefined : (
          <p class="note" role="alert">
            {note.value}
          </p>
        )}
        {(plan.newNames ?? []).map((item, index) => (
          <NewName key={index} item={item} index={index} />
        ))}
        <LaterChanges changes={plan.laterChanges ?? []} />
        {plan.sections.map((section) => (
          <PlanSectionView
            key={section.title}
            section={section}
            onOpen={(link) => host.post({ type: 'open', link })}
          />
        ))}
        {(plan.footnotes ?? []).map((text) => (
          <p key={text} class="footnote muted">
            {text}
          </p>
        ))}
      </div>
      <Actions plan={plan} onApply={() => page.current?.focus()} />
    </main>
  );
}

/** Returns whether a plan can be applied and nothing of it was sent. False while it is applied, and after it failed. */
const isUnsent = (plan: PlanView): boolean =>
  plan.isResult !== true &&
  plan.blockedReason === undefined &&
  !isApplying.value &&
  !isLoading.value &&
  note.value === '';

function LaterChanges({ changes }: { readonly changes: readonly PlanLaterChange[] }) {
  if (changes.length === 0) {
    return undefined;
  }
  const title = t('Changed on the server since then');
  return (
    <section class="plan-section warning later" aria-label={title}>
      <h2>
        {title} <span class="count">{changes.length}</span>
      </h2>
      <ul>
        {changes.map((change, index) => (
          <LaterChange key={index} change={change} index={index} />
        ))}
      </ul>
    </section>
  );
}

function LaterChange({ change, index }: { readonly change: PlanLaterChange; readonly index: number }) {
  const { icon, text, location, lines, canOverwrite, isDeletion = false, isOverwritten } = change;
  const renderOption = (label: string, value: boolean) => (
    <label>
      <input
        type="radio"
        name={`later-${index}`}
        checked={isOverwritten === value}
        disabled={isBusy.value}
        onChange={() => postDecision({ type: 'overwrite', change: index, isOverwritten: value })}
      />
      {label}
    </label>
  );
  return (
    <li>
      <span class={`codicon codicon-${icon}`} aria-hidden="true" />
      <div>
        <span class="name">{text}</span> <span class="muted">{location}</span>
        {lines.map((line) => (
          <div key={line} class="muted">
            {line}
          </div>
        ))}
        {canOverwrite ? (
          <fieldset class="choice">
            <legend class="sr-only">{text}</legend>
            {renderOption(t('Keep'), false)}
            {renderOption(isDeletion ? t('Delete') : t('Overwrite'), true)}
          </fieldset>
        ) : (
          <div>{t("Kept: this change doesn't affect it.")}</div>
        )}
      </div>
    </li>
  );
}

function NewName({ item, index }: { readonly item: PlanNewName; readonly index: number }) {
  const problemId = `problem-${index}`;
  return (
    <label class="new-name">
      <span>
        <span class="codicon codicon-warning" aria-hidden="true" /> {item.label}
      </span>
      <input
        type="text"
        value={typedNewNames.value.get(index) ?? item.name}
        spellcheck={false}
        autocomplete="off"
        disabled={isBusy.value}
        aria-invalid={item.problem !== undefined}
        aria-describedby={item.problem === undefined ? undefined : problemId}
        onInput={({ currentTarget: { value } }) =>
          setTypedNewName(index, value === item.name ? undefined : value)
        }
        onChange={() => submitNewName(index)}
      />
      {item.problem === undefined ? undefined : (
        <span id={problemId} class="problem" role="alert">
          <span class="codicon codicon-error" aria-hidden="true" /> {item.problem}
        </span>
      )}
    </label>
  );
}

function Actions({ plan, onApply }: { readonly plan: PlanView; readonly onApply: () => void }) {
  const initialFocus = useRef<HTMLInputElement & HTMLButtonElement>(null);
  useEffect(() => initialFocus.current?.focus(), [focusResetCount.value]);
  const canApply =
    plan.isResult !== true &&
    !isBusy.value &&
    !isLoading.value &&
    pendingDecisions.value.length === 0 &&
    typedNewNames.value.size === 0 &&
    plan.blockedReason === undefined &&
    (plan.newNames ?? []).every(({ problem }) => problem === undefined) &&
    (plan.confirmation === undefined || typedName.value === plan.confirmation.name);
  const apply = (): void => {
    // The displayed plan doesn't include a name that is still being typed. Send the name instead, so that the user sees
    // the new plan before applying it.
    [...typedNewNames.value.keys()].forEach(submitNewName);
    if (canApply) {
      // The focused button is about to be disabled, and the browser would move the focus out of the page. Once the host
      // has the message, it's too late: the focus may already be in the input that unlocks the connection.
      if (plan.confirmation === undefined || document.activeElement !== initialFocus.current) {
        onApply();
      }
      host.post({ type: 'apply' });
    }
  };
  useApplyKey(apply);
  return (
    <footer>
      {plan.confirmation === undefined ? undefined : (
        <label>
          <span>{plan.confirmation.prompt}</span>
          <input
            ref={initialFocus}
            type="text"
            value={typedName.value}
            readOnly={isBusy.value}
            spellcheck={false}
            autocomplete="off"
            onInput={(event) => (typedName.value = event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') {
                apply();
              }
            }}
          />
        </label>
      )}
      {plan.blockedReason === undefined ? undefined : (
        <p class="blocked" role="status">
          {plan.blockedReason}
        </p>
      )}
      <span class="sr-only" role="status">
        {isApplying.value ? t('Applying…') : ''}
      </span>
      <div class="actions">
        {plan.isResult === true ? undefined : (
          <button
            class="button primary"
            type="button"
            disabled={!canApply}
            {...getShortcutAttributes(plan.applyLabel, 'Enter')}
            onClick={apply}
          >
            {isApplying.value ? t('Applying…') : plan.applyLabel}
          </button>
        )}
        {plan.followUp === undefined ? undefined : (
          <button
            class="button"
            type="button"
            disabled={isLoading.value}
            onClick={() => host.post({ type: 'followUp' })}
          >
            {plan.followUp}
          </button>
        )}
        {plan.alternative === undefined ? undefined : (
          <button
            class="button"
            type="button"
            disabled={isBusy.value || isLoading.value}
            onClick={() => host.post({ type: 'alternative' })}
          >
            {plan.alternative}
          </button>
        )}
        <button
          ref={plan.confirmation === undefined ? initialFocus : null}
          class="button"
          type="button"
          disabled={isBusy.value && busy.value?.cancellation !== 'possible'}
          onClick={() => host.post({ type: 'cancel' })}
        >
          {getCancelLabel(plan)}
        </button>
        {/* The progress changes all the time. Screen readers announce only that the plan is being applied. */}
        {busy.value?.progress === undefined ? undefined : <span class="muted">{busy.value.progress}</span>}
        {isLoading.value ? <Loading /> : undefined}
      </div>
    </footer>
  );
}

function getCancelLabel({ isResult }: PlanView): string {
  if (busy.value?.cancellation === 'requested') {
    return t('Canceling…');
  }
  return isResult === true ? t('Close') : t('Cancel');
}

const Loading = () => (
  <span class="muted" role="status">
    <span class="codicon codicon-loading codicon-modifier-spin" aria-hidden="true" /> {t('Loading…')}
  </span>
);

function App() {
  return view.value === undefined ? (
    <main aria-busy="true">
      <p class="page-loading">
        <Loading />
      </p>
    </main>
  ) : (
    <Plan plan={view.value} />
  );
}

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !isBusy.value) {
    host.post({ type: 'cancel' });
  }
});

// The host returns the focus to the editor when the plan is closed, if the plan had it.
for (const type of ['focus', 'blur'] as const) {
  window.addEventListener(type, () => host.post({ type: 'focus', hasFocus: type === 'focus' }));
}

const root = document.getElementById('root');
if (root !== null) {
  render(<App />, root);
  host.post({ type: 'ready' });
  host.post({ type: 'focus', hasFocus: document.hasFocus() });
}
