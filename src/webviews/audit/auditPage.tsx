import { useEffect, useRef, useState } from 'preact/hooks';
import type { AuditView, FromAudit, ToAudit } from '../protocol/audit.ts';
import { Icon } from '../shared/controls/fields.tsx';
import { Notice } from '../shared/controls/notices.tsx';
import { UnloadedPage } from '../shared/controls/unloadedPage.tsx';
import type { PageHost } from '../shared/host.ts';
import { t } from '../shared/t.ts';
import { AcceptedList } from './acceptedList.tsx';
import { CauseList } from './causeList.tsx';
import { useRowFocus } from '../shared/useRowFocus.ts';

interface PartProps {
  readonly view: AuditView;
  readonly post: (message: FromAudit) => void;
}

/** The Security page: the causes that a check has found, and the findings that are accepted. */
export function AuditPage({ host }: { readonly host: PageHost<ToAudit, FromAudit> }) {
  const [view, setView] = useState<AuditView>();
  useEffect(() => {
    host.onMessage((message) => setView(message.view));
    host.post({ type: 'ready' });
  }, [host]);
  const page = useRef<HTMLElement>(null);
  const rememberFocus = useRowFocus(page, view);
  const post = (message: FromAudit): void => {
    rememberFocus();
    host.post(message);
  };
  if (view === undefined) {
    return (
      <UnloadedPage>
        <p class="empty muted" role="status">
          {t('Loading…')}
        </p>
      </UnloadedPage>
    );
  }
  return (
    <main class="page" ref={page}>
      <Notices view={view} post={post} />
      <div class="sheet">
        <AuditHeader view={view} post={post} />
        {view.causes.length === 0 && view.problems.length === 0 ? (
          <p class="empty">
            <span>
              <Icon name="pass" /> {view.acceptedCount === 0 ? t('No findings.') : t('No new findings.')}
            </span>
          </p>
        ) : (
          <CauseList view={view} post={post} />
        )}
        <AcceptedList view={view} post={post} />
      </div>
    </main>
  );
}

function Notices({ view, post }: PartProps) {
  const openBaseline = { label: t('Open File'), run: () => post({ type: 'openBaseline' }) };
  return (
    <>
      {view.baselineProblem === undefined ? null : (
        <Notice
          severity="error"
          text={t('{0} All findings are shown.', view.baselineProblem)}
          {...(view.baselineFile === undefined ? {} : { action: openBaseline })}
        />
      )}
      {view.problems.slice(0, maxProblems).map((problem) => (
        <Notice key={problem} severity="warning" text={problem} />
      ))}
      {view.problems.length > maxProblems ? (
        <Notice
          severity="warning"
          text={t(
            "{0} more couldn't be read. See the report for the full list.",
            view.problems.length - maxProblems,
          )}
        />
      ) : null}
    </>
  );
}

/** The maximum number of notices to show: each takes a line of the page. */
const maxProblems = 3;

function AuditHeader({ view, post }: PartProps) {
  const canAccept = view.causes.length > 0 && view.baselineProblem === undefined;
  return (
    <header class="bar">
      <div>
        <h1>{view.title}</h1>
        <p role="status">{view.summary}</p>
      </div>
      <div class="buttons">
        <button type="button" class="button" onClick={() => post({ type: 'check' })}>
          {t('Check Again')}
        </button>
        <button
          type="button"
          class="button"
          disabled={!canAccept}
          onClick={() => post({ type: 'acceptAll' })}
        >
          {t('Accept All as Baseline…')}
        </button>
        <button type="button" class="button" onClick={() => post({ type: 'report' })}>
          {t('Save Report…')}
        </button>
      </div>
    </header>
  );
}
