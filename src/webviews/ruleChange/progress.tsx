import { t } from '../shared/t.ts';

export interface RuleChangeProgress {
  readonly done: number;
  readonly total: number;
  /** Why the change waits, and for how long. */
  readonly waitText?: string;
}

/** The progress of a change that is being applied. */
export function Progress({
  progress: { done, total, waitText },
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
        {waitText}
      </span>
      <button type="button" class="button" onClick={onCancel}>
        {t('Cancel')}
      </button>
    </div>
  );
}
