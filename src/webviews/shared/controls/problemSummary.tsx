import type { JSX } from 'preact';
import type { FormProblem } from '../../protocol/documentForm.ts';
import { t } from '../t.ts';
import { Icon } from './fields.tsx';

const maxProblems = 5;

/** The first few problems of the selected items, and the number of further ones; screen readers announce them. */
export function ProblemSummary({ problems }: { readonly problems: readonly FormProblem[] }): JSX.Element {
  return (
    <div class="inspector-problems" role="status">
      {problems.length === 0 ? null : (
        <ul>
          {problems.slice(0, maxProblems).map(({ severity, message, path }) => (
            <li key={`${path.join('/')} ${message}`}>
              <Icon name={severity === 'information' ? 'info' : severity} className={severity} />
              <span>{message}</span>
            </li>
          ))}
          {problems.length > maxProblems ? (
            <li class="muted">{t('and {0} more in the Problems view', problems.length - maxProblems)}</li>
          ) : null}
        </ul>
      )}
    </div>
  );
}
