import { useEffect, useRef, useState } from 'preact/hooks';
import type { ObjectKey } from '../../catalog/customData/collectKeys.ts';
import { parseJsonObject } from '../../catalog/customData/parseJsonObject.ts';
import type { FromCustomData } from '../protocol/customData.ts';
import { t } from '../shared/t.ts';
import { FilterInput } from './filterInput.tsx';
import { validateObjectText, type Question } from './state.ts';
import { formatConfirmLabel, formatQuestion } from './customDataTexts.ts';

interface ChangeAllProps {
  readonly question: Question | undefined;
  readonly keys: readonly ObjectKey[];
  readonly filter: string;
  readonly canRequest: boolean;
  readonly post: (message: FromCustomData) => void;
}

/** Changes or deletes all objects that match the filter, after the user has confirmed their number and a sample. */
export function ChangeAll({ question, keys, filter, canRequest, post }: ChangeAllProps) {
  const [fields, setFields] = useState('');
  const [isExpanded, setExpanded] = useState(false);
  const summary = useRef<HTMLElement>(null);
  const hadQuestion = useRef(false);
  // The confirmation, which had the focus, is gone: move the focus back to the section's summary.
  useEffect(() => {
    if (hadQuestion.current && question === undefined) {
      summary.current?.focus();
    }
    hadQuestion.current = question !== undefined;
  }, [question]);
  const problem = validateObjectText(fields, t);
  const parsedFields = parseJsonObject(fields);
  const canChange = canRequest && 'object' in parsedFields && Object.keys(parsedFields.object).length > 0;
  const postQuestion = (): void => {
    if (canChange) {
      post({ type: 'ask', action: 'change', filter, change: fields });
    }
  };
  return (
    <details
      class="change-all"
      open={isExpanded}
      onToggle={({ currentTarget }) => setExpanded(currentTarget.open)}
    >
      <summary ref={summary}>{t('Change or delete all matching objects')}</summary>
      <div class="search">
        <FilterInput
          label={t('Properties to set in each object')}
          value={fields}
          keys={keys}
          problem={problem}
          placeholder={'{ "status": "done" }'}
          onChange={setFields}
          onSubmit={postQuestion}
        />
        <button type="button" class="button" disabled={!canChange} onClick={postQuestion}>
          {t('Change All…')}
        </button>
        <button
          type="button"
          class="button"
          disabled={!canRequest}
          onClick={() => post({ type: 'ask', action: 'delete', filter })}
        >
          {t('Delete All…')}
        </button>
      </div>
      {question === undefined ? null : <Confirmation question={question} post={post} />}
    </details>
  );
}

function Confirmation({
  question,
  post,
}: {
  readonly question: Question;
  readonly post: ChangeAllProps['post'];
}) {
  const { count, sample } = question;
  const cancelButton = useRef<HTMLButtonElement>(null);
  // Focus the Cancel button, so that the confirmation is noticed and Enter does not confirm it.
  useEffect(() => cancelButton.current?.focus(), [question]);
  return (
    <section class="box question" aria-label={t('Confirm')} role="alert">
      <h2>
        <span class="codicon codicon-warning warning" aria-hidden="true" /> {formatQuestion(question, t)}
      </h2>
      {question.isRepeated ? (
        <p>{t('The custom data has changed in the meantime. Nothing was sent. Review the change again.')}</p>
      ) : null}
      <ul class="sample" aria-label={t('Examples')} tabIndex={0}>
        {sample.map(({ before, after }, index) => (
          <li key={index}>
            <code class={after === undefined ? 'gone' : ''}>{before}</code>
            {after === undefined ? null : (
              <div class="after">
                <span class="codicon codicon-arrow-right" aria-hidden="true" />
                <span class="sr-only">{t('becomes')}</span>
                <code>{after}</code>
              </div>
            )}
          </li>
        ))}
        {count > sample.length ? <li class="muted">{t('and {0} more', count - sample.length)}</li> : null}
      </ul>
      <div class="buttons">
        {count === 0 ? null : (
          <button
            type="button"
            class="button primary"
            onClick={() => post({ type: 'answer', isConfirmed: true })}
          >
            {formatConfirmLabel(question, t)}
          </button>
        )}
        <button
          type="button"
          class="button"
          ref={cancelButton}
          onClick={() => post({ type: 'answer', isConfirmed: false })}
        >
          {t('Cancel')}
        </button>
        <span class="muted">{t('You can undo the change in the History view.')}</span>
      </div>
    </section>
  );
}
