import type { JSX } from 'preact';
import type { MatrixHostMessage } from '../protocol/ruleMatrix.ts';
import { Notice } from '../shared/controls/notices.tsx';
import { t } from '../shared/t.ts';
import type { MatrixModel } from './matrixModel.ts';
import { getRuleSourceTexts } from './sourceTexts.ts';

/** The result of the last attempt to apply the changes, or `restored` if an earlier draft was restored. */
export type MatrixOutcome =
  | { readonly outcome: 'restored' }
  | Pick<Extract<MatrixHostMessage, { type: 'outcome' }>, 'outcome' | 'message'>;

interface OutcomeProps {
  readonly model: MatrixModel;
  readonly outcome: MatrixOutcome | undefined;
  readonly dismiss: () => void;
}

/** A notice about the outcome. Conflicting cells have a notice of their own (`ConflictNotice`). */
export function OutcomeNotice({ model, outcome, dismiss }: OutcomeProps): JSX.Element | null {
  const texts = getRuleSourceTexts(model.data.value);
  const action = { label: t('Close'), run: dismiss };
  switch (outcome?.outcome) {
    case 'applied':
      return model.changedCellKeys.value.size > 0 ? null : (
        <Notice severity="information" text={texts.appliedMessage} action={action} />
      );
    case 'failed':
      return <Notice severity="error" text={texts.describeFailure(outcome.message ?? '')} action={action} />;
    case 'restored':
      return model.changedCellKeys.value.size === 0 ? null : (
        <Notice severity="information" text={t('Your unapplied changes were restored.')} action={action} />
      );
    case 'conflict':
      return model.conflictingCellKeys.value.size > 0 ? null : (
        <Notice severity="warning" text={texts.otherRulesChangedMessage} action={action} />
      );
    case 'cancelled':
    case undefined:
      return null;
  }
}
