import type { AuditView, FromAudit } from '../protocol/audit.ts';
import { t } from '../shared/t.ts';

/** The findings that were accepted, with the reason, the author, and the date. */
export function AcceptedList({
  view,
  post,
}: {
  readonly view: AuditView;
  readonly post: (message: FromAudit) => void;
}) {
  const { accepted, acceptedCount, resolvedCount } = view;
  if (acceptedCount === 0 && resolvedCount === 0) {
    return null;
  }
  return (
    <section>
      <details class="accepted">
        <summary>
          {t('Accepted')} <span class="badge">{acceptedCount}</span>
        </summary>
        {view.baselineFile === undefined ? null : (
          <p>
            <button type="button" class="link" onClick={() => post({ type: 'openBaseline' })}>
              {view.baselineFile}
            </button>
          </p>
        )}
        {accepted.length === 0 ? null : <AcceptedTable view={view} post={post} />}
        {resolvedCount === 0 ? null : (
          <p class="resolved">
            <span>
              {resolvedCount === 1
                ? t('1 accepted finding no longer occurs.')
                : t('{0} accepted findings no longer occur.', resolvedCount)}
            </span>
            <button type="button" class="button" onClick={() => post({ type: 'removeResolved' })}>
              {t('Remove from Baseline')}
            </button>
          </p>
        )}
      </details>
    </section>
  );
}

function AcceptedTable({
  view: { accepted },
  post,
}: {
  readonly view: AuditView;
  readonly post: (message: FromAudit) => void;
}) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('Findings')}</th>
          <th scope="col">{t('Reason')}</th>
          <th scope="col">{t('Author')}</th>
          <th scope="col">{t('Date')}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {accepted.map(({ key, title, subject, placeCount, reason, author, date }) => (
          <tr key={key} data-row>
            <th scope="row">
              {title}
              <span class="muted aside">{subject}</span>
              <span class="badge">{placeCount}</span>
            </th>
            <td>{reason}</td>
            <td>{author}</td>
            <td class="date">{date}</td>
            <td>
              <button
                type="button"
                class="button"
                aria-label={t('Reopen: {0}', title)}
                onClick={() => post({ type: 'stopIgnoring', accepted: key })}
              >
                {t('Reopen')}
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
