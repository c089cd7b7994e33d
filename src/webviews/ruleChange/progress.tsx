import { t } from '../shared/t.ts';

export interface RuleChangeProgress {
  readonly done: number;
  readonly total: number;
  readonly waitMs?: number;
}

/** The progress of a change that is being applied. */
export function Progress({
  progress: { done, total, waitMs },
  onCancel,
}: {
  readonly progress: RuleChangeProgress;
  readonly onCancel: () => void;
}) {
  return (
    <div class="progress">
      <progress aria-label={t('Changing rules')} max={total} value={done} />
      <span>{t('{0} of {1} rules', done, total)}</span>
      {/* The counts change all the time: screen readers follow the progress bar. */}
      <span class="muted" role="status">
        {waitMs === undefined ? '' : describeWait(Math.ceil(waitMs / 1000))}
      </span>
      <button type="button" class="button" onClick={onCancel}>
        {t('Cancel')}
      </button>
    </div>
  );
}

/** The server may have asked for the wait, or may have failed: the request is sent again then. */
const describeWait = (seconds: number): string =>
  seconds === 1
    ? t('The server is busy. Trying again in 1 second.')
    : t('The server is busy. Trying again in {0} seconds.', seconds);
