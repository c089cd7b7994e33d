import type { JSX } from 'preact';
import type { FormPage } from '../formPage.ts';
import type { FormProblem } from '../../protocol/documentForm.ts';
import { t } from '../t.ts';
import { Button, Icon } from './fields.tsx';

const severityIcons = { error: 'error', warning: 'warning', information: 'info' } as const;

/** A notice across the full width of the page, with an optional action. */
export function Notice(props: {
  readonly severity: keyof typeof severityIcons;
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}): JSX.Element {
  return (
    <div class={`notice ${props.severity}`} role="status">
      <Icon name={severityIcons[props.severity]} className={props.severity} />
      <span class="notice-text">{props.text}</span>
      {props.action === undefined ? null : (
        <button type="button" class="link" onClick={props.action.run}>
          {props.action.label}
        </button>
      )}
    </div>
  );
}

/** The reason why the form cannot be edited: the text is not valid JSON, or the document is read-only. */
export function NotEditableNotice<Edit, Question>({
  page,
}: {
  readonly page: FormPage<Edit, Question>;
}): JSX.Element | null {
  const error = page.error.value;
  if (error !== undefined) {
    return (
      <Notice
        severity="error"
        text={
          page.document.value === undefined
            ? t(
                'Invalid JSON at line {0}, column {1}. Correct it in the JSON to see the form.',
                error.line,
                error.column,
              )
            : t(
                'Invalid JSON at line {0}, column {1}. The form shows the last valid version and is read-only.',
                error.line,
                error.column,
              )
        }
        action={{ label: t('Open JSON'), run: () => page.showText() }}
      />
    );
  }
  return page.isReadOnly.value ? (
    <Notice severity="information" text={t('This document is read-only.')} />
  ) : null;
}

/** The current problems of the document. Selecting one opens its location. */
export function FormProblemList(props: {
  readonly problems: readonly FormProblem[];
  readonly onOpen: (problem: FormProblem) => void;
  readonly onShowText: (problem: FormProblem) => void;
  readonly describeLocation: (problem: FormProblem) => string;
}): JSX.Element {
  if (props.problems.length === 0) {
    return (
      <div class="empty">
        <Icon name="pass" />
        <p>{t('No problems found.')}</p>
      </div>
    );
  }
  // A document can have thousands of problems; rendering all of them would be slow.
  const visibleProblems = props.problems.slice(0, 500);
  return (
    <div class="problems">
      <ul aria-label={t('Problems')}>
        {visibleProblems.map((problem) => (
          <li class="problem" key={JSON.stringify([problem.path, problem.code, problem.message])}>
            <button type="button" class="problem-main" onClick={() => props.onOpen(problem)}>
              <Icon name={severityIcons[problem.severity]} className={problem.severity} />
              <span class="sr-only">{severityLabels[problem.severity]()}</span>
              <span class="problem-text">{problem.message}</span>
              <span class="problem-place">{props.describeLocation(problem)}</span>
            </button>
            <Button label={t('Open JSON')} onClick={() => props.onShowText(problem)} />
          </li>
        ))}
      </ul>
      {visibleProblems.length < props.problems.length ? (
        <p class="list-empty">{t('and {0} more', props.problems.length - visibleProblems.length)}</p>
      ) : null}
    </div>
  );
}

const severityLabels = {
  error: () => t('Error:'),
  warning: () => t('Warning:'),
  information: () => t('Information:'),
} as const;
