import { signal } from '@preact/signals';
import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { FromPlanPage, PlanItem, PlanSection, PlanView, ToPlanPage } from '../protocol/planPage.ts';
import { connectHost } from '../shared/host.ts';
import { t } from '../shared/t.ts';
import './plan.css';

const host = connectHost<ToPlanPage, FromPlanPage>();
const view = signal<PlanView | undefined>(undefined);
const note = signal('');
const typedName = signal('');
const isBusy = signal(false);

host.onMessage((message) => {
  isBusy.value = message.type === 'busy';
  if (message.type === 'plan') {
    view.value = message.view;
    note.value = message.note ?? '';
    typedName.value = '';
  }
});

/** The plan: its changes, what will break, and the buttons to apply or cancel it. */
function Plan({ plan }: { readonly plan: PlanView }) {
  return (
    <main aria-busy={isBusy.value}>
      <div class="plan" role="document">
        <h1>
          <span class={`codicon codicon-${plan.tone} ${plan.tone}`} aria-hidden="true" />
          {plan.title}
        </h1>
        <p class="lead">{plan.summary}</p>
        {note.value === '' ? undefined : (
          <p class="note" role="alert">
            {note.value}
          </p>
        )}
        {plan.sections.map((section) => (
          <Section key={section.title} section={section} />
        ))}
      </div>
      <Actions plan={plan} />
    </main>
  );
}

function Section({ section }: { readonly section: PlanSection }) {
  return (
    <section class={section.tone} aria-label={section.title}>
      <h2>
        {section.title} <span class="count">{section.count}</span>
      </h2>
      <ul>
        {section.items.map((item, index) => (
          <li key={index}>
            <span class={`codicon codicon-${item.icon}`} aria-hidden="true" />
            <div>
              <ItemName item={item} />{' '}
              {item.detail === undefined ? undefined : <span class="muted">{item.detail}</span>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ItemName({ item: { text, link } }: { readonly item: PlanItem }) {
  return link === undefined ? (
    <span class="name">{text}</span>
  ) : (
    <button class="link name" type="button" onClick={() => host.post({ type: 'open', link })}>
      {text}
    </button>
  );
}

function Actions({ plan }: { readonly plan: PlanView }) {
  const initialFocus = useRef<HTMLInputElement & HTMLButtonElement>(null);
  useEffect(() => initialFocus.current?.focus(), [plan]);
  const canApply =
    !isBusy.value && (plan.confirmation === undefined || typedName.value === plan.confirmation.name);
  const apply = (): void => {
    if (canApply) {
      host.post({ type: 'apply' });
    }
  };
  return (
    <footer>
      {plan.confirmation === undefined ? undefined : (
        <label>
          <span>{plan.confirmation.prompt}</span>
          <input
            ref={initialFocus}
            type="text"
            value={typedName.value}
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
      <div class="actions">
        <button class="button primary" type="button" disabled={!canApply} onClick={apply}>
          {isBusy.value ? t('Applying…') : plan.applyLabel}
        </button>
        <button
          ref={plan.confirmation === undefined ? initialFocus : null}
          class="button"
          type="button"
          disabled={isBusy.value}
          onClick={() => host.post({ type: 'cancel' })}
        >
          {t('Cancel')}
        </button>
      </div>
    </footer>
  );
}

function App() {
  return view.value === undefined ? undefined : <Plan plan={view.value} />;
}

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !isBusy.value) {
    host.post({ type: 'cancel' });
  }
});

const root = document.getElementById('root');
if (root !== null) {
  render(<App />, root);
  host.post({ type: 'ready' });
}
