import { useId, useState } from 'preact/hooks';
import type { AuditCauseView, AuditView, FromAudit } from '../protocol/audit.ts';
import { Icon } from '../shared/controls/fields.tsx';
import { t } from '../shared/t.ts';

interface ListProps {
  readonly view: AuditView;
  readonly post: (message: FromAudit) => void;
}

const icons = { error: 'error', warning: 'warning', information: 'info' } as const;

const severityLabels = {
  error: () => t('Error:'),
  warning: () => t('Warning:'),
  information: () => t('Information:'),
} as const;

/** The causes, each with its places when it is expanded. */
export function CauseList({ view, post }: ListProps) {
  return (
    <section aria-label={t('Findings')}>
      <ul class="causes">
        {view.causes.map((cause) => (
          <Cause key={cause.key} cause={cause} view={view} post={post} />
        ))}
      </ul>
      {view.causeCount > view.causes.length ? (
        <p class="muted more">{formatMore(view.causeCount - view.causes.length)}</p>
      ) : null}
    </section>
  );
}

const formatMore = (count: number): string =>
  count === 1 ? t('1 more cause in the report') : t('{0} more causes in the report', count);

function Cause({ cause, view, post }: ListProps & { readonly cause: AuditCauseView }) {
  const [isExpanded, setExpanded] = useState(false);
  const [titleId, contentId] = [useId(), useId()];
  const { key, severity, title, explanation, subject, placeCount } = cause;
  return (
    <li data-row>
      <div class="cause">
        <button
          type="button"
          class="cause-title"
          aria-expanded={isExpanded}
          aria-controls={contentId}
          onClick={() => setExpanded(!isExpanded)}
        >
          <Icon name={isExpanded ? 'chevron-down' : 'chevron-right'} />
          <Icon name={icons[severity]} className={severity} />
          <span>
            <span class="sr-only">{severityLabels[severity]()}</span>{' '}
            <span id={titleId} class="cause-label">
              {title}
            </span>
            {subject === undefined ? null : <span class="muted aside">{subject}</span>}
          </span>
          <span class="badge">{placeCount}</span>
        </button>
        <button
          type="button"
          class="button"
          aria-describedby={titleId}
          disabled={view.baselineProblem !== undefined}
          onClick={() => post({ type: 'ignore', cause: key })}
        >
          {t('Accept…')}
        </button>
      </div>
      <div class="cause-content" id={contentId} hidden={!isExpanded}>
        {isExpanded ? (
          <>
            {explanation === undefined ? null : <p>{explanation}</p>}
            <Places cause={cause} post={post} labelId={titleId} />
          </>
        ) : null}
      </div>
    </li>
  );
}

function Places({
  cause: { key, places, placeCount },
  post,
  labelId,
}: Pick<ListProps, 'post'> & { readonly cause: AuditCauseView; readonly labelId: string }) {
  return (
    <ul aria-labelledby={labelId}>
      {places.map(({ name, detail }, index) => (
        <li key={index}>
          <button type="button" class="link" onClick={() => post({ type: 'open', cause: key, place: index })}>
            {name}
          </button>
          {detail === undefined ? null : <span class="muted aside">{detail}</span>}
        </li>
      ))}
      {placeCount > places.length ? (
        <li class="muted">{t('{0} more in the report', placeCount - places.length)}</li>
      ) : null}
    </ul>
  );
}
